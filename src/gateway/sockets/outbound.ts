/**
 * The bytes on their way to the clients of sockets. All that one turn of the event loop writes to a socket leaves in
 * one write; prices are held back until those of a whole round do. Bytes that clients do not take are bounded: for each
 * socket, and for all of them together.
 */

import type { Duplex } from 'node:stream';
import type { HeldFrames } from './held-frames.ts';

/**
 * A socket never holds back more than this and a frame, in bytes. It is below the bytes at which nothing more is handed
 * to a socket.
 */
const MOST_HELD_BYTES = 64 * 1024;

/** A socket as the memory of all sockets sees it. */
export interface Outlet {
  readonly stream: Duplex;
  /** Frames that wait for others, so that they leave in one write. All sockets share their bytes. */
  readonly held: HeldFrames;
  /** Its client takes too little of what is sent to it. */
  endSlow(): void;
  /** All sockets together need too much memory, and this one needs most of it. */
  endForMemory(): void;
}

export interface OutboundLimits {
  readonly waitingBytes: number;
  readonly waitingBytesOfAll: number;
}

export class Outbound {
  private readonly limits: OutboundLimits;
  private readonly elapsed: () => number;
  /** Sockets that hold frames back, those that began first in front, and since when one has. */
  private readonly holding = new Set<Outlet>();
  private holdsSince: number | undefined;
  /** Room for frames that are joined for a write. A stream that could not take all of them keeps it. */
  private room: Buffer | undefined;
  /** Sockets that were written to in this turn. */
  private readonly written = new Set<Outlet>();
  /** Sockets whose clients have not taken everything, with the bytes that are counted for each. */
  private readonly behind = new Map<Outlet, number>();
  private total = 0;

  /** `elapsed`: monotonic milliseconds. */
  constructor(limits: OutboundLimits, elapsed: () => number) {
    this.limits = limits;
    this.elapsed = elapsed;
  }

  /** Bytes that wait for clients, of all sockets; exact when it was last looked. */
  get waiting(): number {
    return this.total;
  }

  /** Since when, in milliseconds on the clock, a socket has held frames back; `undefined` while none does. */
  get heldSince(): number | undefined {
    return this.holdsSince;
  }

  /** Holds a frame back until `release`, the next `write` to its socket, or until enough of them have come. */
  hold(outlet: Outlet, bytes: Buffer): void {
    const { held } = outlet;
    if (held.bytes === 0) {
      this.holdsSince ??= this.elapsed();
      this.holding.add(outlet);
    }
    held.add(bytes);
    if (held.bytes >= MOST_HELD_BYTES) this.letGo(outlet);
  }

  /** Lets go what sockets hold back until the instant on the clock, of one socket at least. True when that was all. */
  release(until: number): boolean {
    for (const outlet of this.holding) {
      this.letGo(outlet);
      if (this.elapsed() >= until) break;
    }
    return this.holding.size === 0;
  }

  /** Lets go what one socket holds back. */
  letGo(outlet: Outlet): void {
    const { stream, held } = outlet;
    if (held.bytes === 0) return;
    if (this.written.has(outlet)) this.flushOne(outlet);
    this.room = held.roomFor(this.room);
    stream.write(held.joinIn(this.room));
    this.drop(outlet);
    if (stream.writableLength > 0) this.room = undefined;
    this.settle(outlet);
  }

  write(outlet: Outlet, bytes: Buffer): void {
    const { stream } = outlet;
    this.letGo(outlet);
    if (!this.written.has(outlet)) {
      stream.cork();
      if (this.written.size === 0) process.nextTick(this.flush);
      this.written.add(outlet);
    }
    stream.write(bytes);
    if (stream.writableLength > this.limits.waitingBytes) this.flushOne(outlet);
  }

  /** Counts again what waits: clients take bytes without a word. */
  look(): void {
    for (const outlet of this.behind.keys()) this.count(outlet);
  }

  /** The frames that a socket holds back are not sent any more. */
  drop(outlet: Outlet): void {
    outlet.held.clear();
    this.holding.delete(outlet);
    if (this.holding.size === 0) this.holdsSince = undefined;
  }

  forget(outlet: Outlet): void {
    this.drop(outlet);
    this.written.delete(outlet);
    this.total -= this.behind.get(outlet) ?? 0;
    this.behind.delete(outlet);
  }

  private readonly flush = (): void => {
    for (const outlet of this.written) this.flushOne(outlet);
  };

  private flushOne(outlet: Outlet): void {
    this.written.delete(outlet);
    outlet.stream.uncork();
    this.settle(outlet);
  }

  private settle(outlet: Outlet): void {
    this.count(outlet);
    if (outlet.stream.writableLength > this.limits.waitingBytes) outlet.endSlow();
    else if (this.total > this.limits.waitingBytesOfAll) this.makeRoom();
  }

  private count(outlet: Outlet): void {
    const { destroyed, writableLength } = outlet.stream;
    const now = destroyed ? 0 : writableLength;
    this.total += now - (this.behind.get(outlet) ?? 0);
    if (now > 0) this.behind.set(outlet, now);
    else this.behind.delete(outlet);
  }

  /** Ends the sockets with most bytes waiting until the rest have room. */
  private makeRoom(): void {
    this.look();
    while (this.total > this.limits.waitingBytesOfAll) {
      const [outlet] = [...this.behind].reduce((most, one) => (one[1] > most[1] ? one : most));
      outlet.endForMemory();
      this.forget(outlet);
    }
  }
}
