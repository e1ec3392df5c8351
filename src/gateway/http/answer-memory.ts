/**
 * Counts the memory of answers: of those that are being made, and of those that wait for their clients to read them. A
 * long answer gets its room before it is made, or is not made. When there is no room, the clients that have been
 * reading for longest are cut off; a client that reads at a usual pace does not notice. Source: reliability P10, F35.
 */

import type { Socket } from 'node:net';
import type { Client } from '../turns.ts';

const MEBIBYTE = 1024 * 1024;
/** Every reader gets at least this long before it is cut off. */
const LEAST_READING_MS = 1_000;
/** A client that waits for no other answer gets one of this size even while others take all there is. In bytes. */
const SMALL_BYTES = 256 * 1024;

/** How much memory answers may take, in bytes: all of them together, and those of one client. */
export interface MemoryLimits {
  readonly most: number;
  readonly mostOfOne: number;
}

/** A client's longest answer, 100,000 candles, is 13 MiB. */
const ANSWER_LIMITS: MemoryLimits = { most: 64 * MEBIBYTE, mostOfOne: 32 * MEBIBYTE };

/** The memory of one answer, from before it is made until its client has read it. */
export class Room {
  readonly client: Client;
  private readonly memory: AnswerMemory;
  private taken: number;
  private reader: Socket | undefined;
  /** When its client began to read, on a monotonic clock, in milliseconds. */
  private since = Number.POSITIVE_INFINITY;

  constructor(memory: AnswerMemory, client: Client, bytes: number) {
    this.memory = memory;
    this.client = client;
    this.taken = bytes;
  }

  get bytes(): number {
    return this.taken;
  }

  get socket(): Socket | undefined {
    return this.reader;
  }

  /** True when its client has been reading at least since then. */
  waitsSince(before: number): boolean {
    return this.since <= before;
  }

  /** The answer takes as much as this, and not as much as it was thought to. */
  become(bytes: number): void {
    this.memory.change(this, bytes - this.taken);
    this.taken = bytes;
  }

  /** From now on the answer waits for its client to read it; given back at the latest when the connection ends. */
  waitFor(socket: Socket): void {
    this.reader = socket;
    this.since = this.memory.now();
    if (socket.destroyed) this.giveBack();
    else socket.once('close', this.giveBack);
  }

  readonly giveBack = (): void => {
    this.reader?.off('close', this.giveBack).off('drain', this.giveBack);
    this.memory.remove(this);
  };
}

export class AnswerMemory {
  private readonly limits: MemoryLimits;
  private readonly elapsed: () => number;
  private readonly later: (work: () => void, ms: number) => void;
  /** In the order in which they were given. */
  private readonly rooms = new Set<Room>();
  private readonly bytesOf = new Map<Client, number>();
  private bytes = 0;
  private willLook = false;
  private refusals = 0;

  constructor(
    limits: MemoryLimits = ANSWER_LIMITS,
    elapsed: () => number = () => performance.now(),
    later: (work: () => void, ms: number) => void = (work, ms) => setTimeout(work, ms).unref(),
  ) {
    this.limits = limits;
    this.elapsed = elapsed;
    this.later = later;
  }

  /** The bytes that answers take now. */
  get takenBytes(): number {
    return this.bytes;
  }

  /** Answers that were not made since the start, for want of room. */
  get refused(): number {
    return this.refusals;
  }

  /** Whether a usual answer may be made. Its bytes count when it is not read at once. */
  admits(client: Client): boolean {
    return this.bytes + SMALL_BYTES <= this.limits.most || this.makesRoom(client, SMALL_BYTES);
  }

  /**
   * Room for an answer of at most this number of bytes; `undefined` when there is none: then the answer must not be
   * made.
   */
  reserve(client: Client, bytes: number): Room | undefined {
    return this.makesRoom(client, bytes) ? this.add(client, bytes) : undefined;
  }

  /** An answer was made, and its client could not take all of it at once. */
  hold(client: Client, socket: Socket, bytes: number): void {
    if (socket.destroyed) return;
    const room = this.add(client, bytes);
    room.waitFor(socket);
    socket.once('drain', room.giveBack);
    if (this.bytes > this.limits.most) this.cutOff(socket);
  }

  /** Monotonic milliseconds. */
  now(): number {
    return this.elapsed();
  }

  change({ client }: Room, bytes: number): void {
    this.bytes += bytes;
    const owed = (this.bytesOf.get(client) ?? 0) + bytes;
    if (owed === 0) this.bytesOf.delete(client);
    else this.bytesOf.set(client, owed);
  }

  remove(room: Room): void {
    if (this.rooms.delete(room)) this.change(room, -room.bytes);
  }

  private add(client: Client, bytes: number): Room {
    const room = new Room(this, client, bytes);
    this.rooms.add(room);
    this.change(room, bytes);
    return room;
  }

  /** Whether there is room, now or once the clients that have read for long enough are cut off. */
  private makesRoom(client: Client, bytes: number): boolean {
    if (!this.fitsOne(client, bytes))
      this.release(
        (room) => room.client === client,
        () => this.fitsOne(client, bytes),
      );
    if (!this.fitsAll(bytes))
      this.release(
        () => true,
        () => this.fitsAll(bytes),
      );
    const fits = this.fitsOne(client, bytes) && (this.fitsAll(bytes) || this.isOwed(client, bytes));
    if (!fits) this.refusals += 1;
    return fits;
  }

  /** A client without an answer under way may have one, however long it is. */
  private fitsOne(client: Client, bytes: number): boolean {
    const owed = this.bytesOf.get(client) ?? 0;
    return owed === 0 || owed + bytes <= this.limits.mostOfOne;
  }

  private fitsAll(bytes: number): boolean {
    return this.bytes === 0 || this.bytes + bytes <= this.limits.most;
  }

  /** A client that has nothing does not wait for those that take all, as long as this stays bounded. */
  private isOwed(client: Client, bytes: number): boolean {
    return bytes <= SMALL_BYTES && !this.bytesOf.has(client) && this.bytes + bytes <= 2 * this.limits.most;
  }

  /** Cuts off the clients that have had their time to read, the oldest first, until there is enough room. */
  private release(among: (room: Room) => boolean, isEnough: () => boolean, latest?: Socket): void {
    const before = this.elapsed() - LEAST_READING_MS;
    for (const room of this.rooms) {
      if (isEnough()) return;
      const { socket } = room;
      if (socket === undefined || socket === latest || !room.waitsSince(before) || !among(room)) continue;
      room.giveBack();
      socket.destroy();
    }
  }

  /** The clients that have waited longest, but not the one whose answer is new. */
  private cutOff(latest: Socket): void {
    const isEnough = (): boolean => this.bytes <= this.limits.most;
    this.release(() => true, isEnough, latest);
    if (!isEnough() && this.rooms.size > 1) this.lookLater(latest);
  }

  /** Looks again when the waiting clients have had their time: it may be that no answer is made until then. */
  private lookLater(latest: Socket): void {
    if (this.willLook) return;
    this.willLook = true;
    this.later(() => {
      this.willLook = false;
      if (this.bytes > this.limits.most) this.cutOff(latest);
    }, LEAST_READING_MS);
  }
}
