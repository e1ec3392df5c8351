/**
 * Answers plain requests on their connections, without the objects that Node makes of each request and response. A
 * connection whose bytes are anything else than one plain request after the other goes over to Node's own server, with
 * all that was not answered yet, and stays there.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AccountId } from '../../base/ids.ts';
import type { Operation } from '../operation.ts';
import type { Client } from '../turns.ts';
import { textOf } from './body.ts';
import type { CountedConnection } from './connections/connection-gate.ts';
import type { HttpLimits } from './connections/http-limits.ts';
import type { LongReply, LongSends } from './long-reply.ts';
import type { MeteredReads } from './metered-reads.ts';
import { type PlainRequestHead, readPlainHead, startOfBody } from './plain-request.ts';
import type { PlainResponse, PlainResponseHead, Reply } from './respond.ts';
import type { SharedReads } from './shared-reads.ts';

/** A longer body is not copied once more to stand after its head. In characters. */
const LONG_BODY = 8_192;
const NO_BYTES = Buffer.alloc(0);

/**
 * How often connections are looked at whether they are idle for too long; more often where they may not be idle even so
 * long.
 */
const LOOK_MS = 1_000;

/** The parts of the wire that the lane needs. */
export interface PlainWire {
  readonly limits: HttpLimits;
  readonly reads: SharedReads;
  readonly metered: MeteredReads;
  /** The largest body in bytes. */
  readonly bodyLimit: number;
  /** The operation of an exact path. */
  operationAt(path: string): Operation | undefined;
  /** Carries an operation out; its reply is sent on the connection, now or later, once. */
  enter(operation: Operation, body: string, connection: PlainConnection): void;
  /** `last`: the connection closes after it. */
  respond(reply: Reply, last: boolean): PlainResponse;
  /** Whether the request that begins now is the last of its connection. */
  isLast(socket: Socket): boolean;
  /** As `respond`, the head of a long reply alone. */
  respondLong(reply: LongReply, last: boolean): PlainResponseHead;
  readonly longSends: LongSends;
  /** At most this number of bytes of an answer waits for its client. */
  hold(client: Client, socket: Socket, bytes: number): void;
  /** Whether a request may say that authority on that connection. */
  admits(authority: string, socket: Socket): boolean;
  /** Whether a request with that `Origin` comes from a page of another site. */
  isForeign(origin: string | undefined, socket: Socket): boolean;
  /** The connection as the gate counts it. */
  countedOf(socket: Socket): CountedConnection;
  /** Where a request came from, by the address of its connection and what proxies said. */
  clientOf(address: string, forwardedFor: string | undefined): string;
}

export class PlainLane {
  readonly wire: PlainWire;
  /**
   * How often the connections were looked at: the time that they know. There is one timer for all: each request would
   * have to set a timer of its own again.
   */
  looks = 0;
  private readonly connections = new Set<PlainConnection>();
  private readonly serve: (socket: Socket) => void;
  private readonly lookMs: number;
  private timer: NodeJS.Timeout | undefined;

  /**
   * Stands in front of the server's own handling of the event by which it gets connections that are ready to be read.
   */
  constructor(server: Server, event: 'connection' | 'secureConnection', wire: PlainWire) {
    this.wire = wire;
    const { headMs, keepAliveMs } = wire.limits;
    // A whole number: a timer knows no fractions of a millisecond.
    this.lookMs = Math.max(1, Math.floor(Math.min(LOOK_MS, headMs / 4, keepAliveMs / 4)));
    const own = server.listeners(event) as ((socket: Socket) => void)[];
    server.removeAllListeners(event);
    this.serve = (socket) => {
      for (const listener of own) listener.call(server, socket);
    };
    server.on(event, (socket: Socket) => this.welcome(new PlainConnection(this, socket)));
  }

  /** In looks: a connection that was quiet for more of them was quiet for that time. */
  looksIn(milliseconds: number): number {
    return Math.ceil(milliseconds / this.lookMs);
  }

  private welcome(connection: PlainConnection): void {
    this.connections.add(connection);
    this.timer ??= setInterval(this.look, this.lookMs).unref();
  }

  private readonly look = (): void => {
    this.looks += 1;
    for (const connection of this.connections) connection.closeIfQuiet();
  };

  /** Ends the connections that have no request under way. */
  closeIdle(): void {
    for (const connection of this.connections) connection.closeIfIdle();
  }

  /** Cuts all connections. */
  closeAll(): void {
    for (const connection of this.connections) connection.cut();
  }

  forget(connection: PlainConnection): void {
    this.connections.delete(connection);
    if (this.connections.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Gives a connection to Node's own server, which reads `bytes` first. */
  handOver(socket: Socket, bytes: Buffer): void {
    // The bytes that came over TLS after these wait in the stream.
    const isFirst = socket.readableLength === 0;
    if (!isFirst) socket.unshift(bytes);
    this.serve(socket);
    socket.resume();
    this.wire.metered.begin(socket, isFirst ? bytes : NO_BYTES);
  }
}

/** One connection in the lane: a request, then its answer, then the next request. */
class PlainConnection {
  /** Of the request under way. */
  idempotencyKey: string | undefined;
  private readonly lane: PlainLane;
  private readonly socket: Socket;
  private readonly counted: CountedConnection;
  private forwardedFor: string | undefined;
  private origin: string | undefined;
  private busy = false;
  /** A long answer is on its way. */
  private sending = false;
  private last = false;
  private ended = false;
  /** The bytes that came while a request was under way. */
  private held: Buffer | undefined;
  /** A client sends nearly the same head every time, so the last one is kept with its meaning. */
  private lastHead = NO_BYTES;
  private head: PlainRequestHead | undefined;
  /** The look before which something came or went last. */
  private activeAt: number;
  /** How many looks the connection may be quiet without a request. */
  private mayBeQuiet: number;

  constructor(lane: PlainLane, socket: Socket) {
    this.lane = lane;
    this.socket = socket;
    this.counted = lane.wire.countedOf(socket);
    this.activeAt = lane.looks;
    this.mayBeQuiet = lane.looksIn(lane.wire.limits.headMs);
    lane.wire.reads.begin(socket, this.onData);
    socket.on('end', this.onEnd);
    socket.on('timeout', this.onTimeout);
    socket.on('error', this.onError);
    socket.on('close', this.onClose);
    socket.on('drain', this.onDrain);
  }

  /** The address of the client. */
  get address(): string {
    return this.lane.wire.clientOf(this.socket.remoteAddress ?? '', this.forwardedFor);
  }

  get isForeignPage(): boolean {
    return this.lane.wire.isForeign(this.origin, this.socket);
  }

  get isGone(): boolean {
    return this.ended || this.socket.destroyed;
  }

  belongTo(account: AccountId): boolean {
    const isCounted = this.counted.belongTo(account);
    if (!isCounted) this.last = true;
    return isCounted;
  }

  /** Answers the request under way. */
  send(reply: Reply, client: Client): void {
    const { socket } = this;
    if (socket.destroyed) return;
    const { head, body, encoding, last } = this.lane.wire.respond(reply, this.last);
    let flushed = true;
    if (body.length < LONG_BODY) flushed = socket.write(head + body, encoding);
    else {
      socket.cork();
      socket.write(head, 'latin1');
      flushed = socket.write(body, encoding);
      socket.uncork();
    }
    const ends = last || this.ended;
    // The socket times the bytes that the client does not read: it knows how many of them have left.
    if (!flushed) this.lane.wire.hold(client, socket, body.length);
    if (!flushed || ends) socket.setTimeout(this.lane.wire.limits.keepAliveMs);
    if (ends) socket.destroySoon();
    else if (flushed) this.beFree();
  }

  /** Answers the request under way, piece by piece. */
  sendLong(reply: LongReply): void {
    const { socket, lane } = this;
    const { wire } = lane;
    const { head, last } = wire.respondLong(reply, this.last);
    if (!socket.destroyed) socket.write(head, 'latin1');
    socket.setTimeout(wire.limits.keepAliveMs);
    this.sending = true;
    wire.longSends.send(socket, socket, reply, () => {
      this.sending = false;
      if (last || this.ended) socket.destroySoon();
      else if (!socket.writableNeedDrain) this.onDrain();
    });
  }

  closeIfIdle(): void {
    if (!this.busy) this.socket.destroySoon();
  }

  closeIfQuiet(): void {
    if (!this.busy && this.lane.looks - this.activeAt > this.mayBeQuiet) this.socket.destroy();
  }

  cut(): void {
    this.socket.destroy();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.busy) {
      this.held = Buffer.concat(this.held === undefined ? [chunk] : [this.held, chunk]);
      this.socket.pause();
    } else if (!this.take(chunk)) this.leave(Buffer.from(chunk));
  };

  /** Takes one whole plain request, no more and no less; false for any other bytes. */
  private take(bytes: Buffer): boolean {
    const start = this.readHead(bytes);
    if (start < 0) return false;
    const { head } = this;
    const { wire } = this.lane;
    if (head === undefined || bytes.length - start !== head.length || head.length > wire.bodyLimit) return false;
    const operation = wire.operationAt(head.path);
    if (operation === undefined) return false;
    const body = textOf(bytes, start);
    if (body === undefined) return false;
    this.busy = true;
    this.counted.beBusy();
    this.last = wire.isLast(this.socket);
    this.idempotencyKey = head.idempotencyKey;
    this.forwardedFor = head.forwardedFor;
    this.origin = head.origin;
    wire.enter(operation, body, this);
    return true;
  }

  private readonly onDrain = (): void => {
    if (this.sending) return;
    this.socket.setTimeout(0);
    if (!this.socket.destroyed) this.beFree();
  };

  /** Where the body begins; -1 when these bytes do not hold a whole head. */
  private readHead(bytes: Buffer): number {
    const { lane, lastHead } = this;
    const { length } = lastHead;
    if (length > 0 && bytes.length > length && bytes.compare(lastHead, 0, length, 0, length) === 0) return length;
    const start = startOfBody(bytes);
    if (start < 0) return start;
    this.lastHead = Buffer.from(bytes.subarray(0, start));
    this.mayBeQuiet = lane.looksIn(lane.wire.limits.keepAliveMs);
    const head = readPlainHead(bytes.toString('latin1', 0, start), lane.wire.limits.headers);
    this.head = head !== undefined && lane.wire.admits(head.host, this.socket) ? head : undefined;
    return start;
  }

  /**
   * The answer is on its way: the next request may come, and one that came before its time goes where requests queue.
   */
  private beFree(): void {
    this.busy = false;
    this.counted.beIdle();
    this.activeAt = this.lane.looks;
    const { held } = this;
    if (held === undefined) return;
    this.held = undefined;
    this.leave(held);
  }

  private leave(bytes: Buffer): void {
    const { socket, lane } = this;
    lane.wire.reads.end(socket, this.onData);
    socket.off('end', this.onEnd);
    socket.off('timeout', this.onTimeout);
    socket.off('error', this.onError);
    socket.off('close', this.onClose);
    socket.off('drain', this.onDrain);
    lane.forget(this);
    lane.handOver(socket, bytes);
  }

  /** The client sends no more, but may still wait for an answer. */
  private readonly onEnd = (): void => {
    this.ended = true;
    if (!this.busy) this.socket.end();
  };

  /** Nothing of the answer was read for the time that an answer may wait. */
  private readonly onTimeout = (): void => {
    this.socket.destroy();
  };

  private readonly onError = (): void => {
    this.socket.destroy();
  };

  private readonly onClose = (): void => this.lane.forget(this);
}
