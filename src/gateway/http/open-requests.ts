/**
 * The requests of each connection of Node's server that wait for their turn. A connection has one request under way,
 * and the memory of all waiting requests is bounded. The lane for plain requests (`plain-lane.ts`) does not come
 * through here.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Failure, HEAD_TOO_LARGE, MALFORMED_REQUEST, TOO_SLOW } from '../fields/envelope.ts';
import type { Turns } from '../turns.ts';
import { countedAs } from './connections/client-address.ts';
import type { ConnectionGate, CountedConnection } from './connections/connection-gate.ts';
import type { MeteredReads } from './metered-reads.ts';
import { failureReply, type Responder } from './respond.ts';

/** At most this number of requests may wait on all connections together, each a few kilobytes of memory. */
const MOST_WAITING = 20_000;
/** A client with no more waiting requests than this is not cut off when there are too many. */
const FEW_WAITING = 16;

/** A request that waits for its turn. */
interface Waiting {
  readonly response: ServerResponse;
  readonly take: () => void;
}

/** The requests of one connection of Node's server that are not answered yet. */
interface Line {
  readonly connection: CountedConnection;
  /** The last one that came. */
  request: IncomingMessage;
  response: ServerResponse;
  unanswered: number;
  /** Those after the one that is under way, in their order. */
  readonly waiting: Waiting[];
  /** The failure of the bytes after the requests that wait; nothing is read any more. */
  broken: Failure | undefined;
}

/**
 * Takes the requests of a connection in turn: one is taken when the answer before it has left, and nothing is read
 * while any waits, so a client that asks for much and reads nothing holds one answer. A request that can no longer be
 * answered is not taken. When too many wait on all connections, those that send more are cut off. Bytes that are not
 * HTTP are answered in their turn too: after the answers to the requests before them, which may still wait for the
 * disk, and as the answer to the request whose body they are. Source: reliability P10, F35.
 */
export class OpenRequests {
  private readonly respond: Responder;
  private readonly turns: Turns;
  private readonly reads: MeteredReads;
  private readonly gate: ConnectionGate;
  private readonly lines = new WeakMap<Duplex, Line>();
  /** Requests that wait, on all connections. */
  private waiting = 0;

  constructor(respond: Responder, turns: Turns, reads: MeteredReads, gate: ConnectionGate) {
    this.respond = respond;
    this.turns = turns;
    this.reads = reads;
    this.gate = gate;
  }

  /**
   * `take` is called once, now or when the requests before it are answered; never when the connection breaks or ends
   * before.
   */
  begin(request: IncomingMessage, response: ServerResponse, take: () => void): void {
    const { socket } = request;
    // The last answer of the connection has been given, although the bytes after it are still read.
    if (!socket.writable) return;
    const line = this.lineOf(socket, request, response);
    line.unanswered += 1;
    response.once('close', () => this.end(socket, line));
    if (line.unanswered === 1) {
      take();
      return;
    }
    line.waiting.push({ response, take });
    this.waiting += 1;
    if (this.waiting > MOST_WAITING && line.waiting.length > FEW_WAITING) socket.destroy();
    else this.reads.stop(socket);
  }

  /** Answers a request that Node's parser, or its clock, could not take, and ends the connection. */
  fail(error: Error, socket: Duplex): void {
    const line = this.lines.get(socket);
    if (line?.broken !== undefined) return;
    const failure = failureOf(error);
    if (line === undefined || (line.request.complete && line.unanswered === 0)) {
      this.respond.refuse(socket, failure);
      return;
    }
    line.broken = failure;
    if (line.request.complete) return;
    // It is never taken: what answers it is this.
    if (line.waiting.at(-1)?.response === line.response && line.waiting.pop()) this.waiting -= 1;
    // The answer to a body that was not read whole is on its way already, or it is this one.
    if (line.response.headersSent) socket.destroy();
    else this.respond.send(line.response, failureReply(failure), true, line.request.socket.remoteAddress ?? '');
  }

  /** Whether a request of the connection is not answered yet. */
  owes(socket: Duplex): boolean {
    return (this.lines.get(socket)?.unanswered ?? 0) > 0;
  }

  private lineOf(socket: Socket, request: IncomingMessage, response: ServerResponse): Line {
    const known = this.lines.get(socket);
    if (known !== undefined) return Object.assign(known, { request, response });
    const connection = this.gate.of(socket);
    const line: Line = { connection, request, response, unanswered: 0, waiting: [], broken: undefined };
    this.lines.set(socket, line);
    socket.once('close', () => {
      this.waiting -= line.waiting.length;
      line.waiting.length = 0;
    });
    return line;
  }

  private end(socket: Socket, line: Line): void {
    line.unanswered -= 1;
    // Until the next one has come whole.
    line.connection.beIdle();
    // In turn, so that a connection with many requests does not keep the others waiting.
    if (line.waiting.length > 0) {
      this.turns.take(countedAs(socket.remoteAddress ?? ''), () => this.takeNext(socket, line));
    } else if (line.unanswered === 0 && line.broken !== undefined && line.request.complete) {
      this.respond.refuse(socket, line.broken);
    }
  }

  private takeNext(socket: Socket, { waiting }: Line): void {
    const next = socket.writable ? waiting.shift() : undefined;
    if (next === undefined) return;
    this.waiting -= 1;
    next.take();
    if (waiting.length === 0) this.reads.goOn(socket);
  }
}

function failureOf(error: Error): Failure {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return HEAD_TOO_LARGE;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : MALFORMED_REQUEST;
}
