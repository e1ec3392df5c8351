/**
 * Writes the responses of one gateway, to Node's server and to the lane; each names its market in a header, and says
 * whether outcomes can be asked for. The bodies are made elsewhere. Source: contract W29, R12, docs/outcomes.md.
 */

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from '../../os/node-http.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { type Failure, failureBody } from '../fields/envelope.ts';
import { inOnePiece } from '../fields/writer.ts';
import type { Client, Turns } from '../turns.ts';
import type { AnswerMemory } from './answer-memory.ts';
import { type LongReply, LongSends } from './long-reply.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
/** No store keeps an answer, and no browser takes it for anything but its type. */
const NO_STORE = 'no-store';
const AS_IT_SAYS = ['x-content-type-options', 'nosniff'] as const;
const KEPT_NOWHERE_LINES = 'cache-control: no-store\r\nx-content-type-options: nosniff\r\n';
const NO_HEADERS: readonly string[] = [];
const SECOND_MS = 1_000;
/** The header that carries the address of the leader. Clients go there by it. Source: docs/cluster/README.md. */
export const LEADER_HEADER = 'sauda-leader';
const UNAVAILABLE_STATUS = 503;

/** One response of the wire. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Names and values in turn, beside those of every response. */
  readonly headers: readonly string[];
}

/** The head of the response to a plain request. */
export interface PlainResponseHead {
  readonly head: string;
  /** True when the connection closes after it. */
  readonly last: boolean;
}

/** The response to a plain request: its head and body, and how they are encoded. */
export interface PlainResponse extends PlainResponseHead {
  readonly body: string;
  readonly encoding: 'latin1' | 'utf8';
}

/** A success whose body is JSON already. */
export function jsonReply(body: string): Reply {
  return { status: 200, type: JSON_TYPE, body, headers: NO_HEADERS };
}

export function failureReply(failure: Failure): Reply {
  const headers: string[] = [];
  if (failure.retryAfterSeconds !== undefined) headers.push('retry-after', String(failure.retryAfterSeconds));
  if (failure.allow !== undefined) headers.push('allow', failure.allow);
  return { status: failure.status, type: JSON_TYPE, body: failureBody(failure), headers };
}

/** Headers as lines of a head, from names and values in turn. */
function linesOf(headers: readonly string[]): string {
  let lines = '';
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** The headers of every response. Source: contract W29, docs/outcomes.md. */
export function marksOf(marketLabel: string, scenarios: 'on' | 'off'): readonly string[] {
  return ['x-market', marketLabel, ...(scenarios === 'on' ? ['x-scenarios', 'on'] : [])];
}

export class Responder {
  readonly memory: AnswerMemory;
  readonly longSends: LongSends;
  /** Names and values in turn, in every response. */
  private readonly marks: readonly string[];
  private readonly successor: () => string | undefined;
  private readonly keepAlive: string;
  /** How the head of a plain success begins. */
  private readonly plainSuccess: string;
  private closing = false;
  private second = 0;
  /**
   * The end of the head of a plain response, made once a second: the wall time in the words of HTTP, and whether the
   * connection stays open.
   */
  private lastEnd = '';
  private stayEnd = '';

  /** `successor`: where clients find what this service refuses with 503; `undefined` while it serves by itself. */
  constructor(
    marks: readonly string[],
    keepAliveMs: number,
    turns: Turns,
    memory: AnswerMemory,
    successor: () => string | undefined = () => undefined,
  ) {
    this.marks = marks;
    this.memory = memory;
    this.successor = successor;
    this.longSends = new LongSends(turns);
    this.plainSuccess = inOnePiece(this.plainStart(200, JSON_TYPE));
    this.keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / SECOND_MS)}\r\n`;
  }

  /** From now on every answer says that its connection closes, so that no client sends another request on it. */
  closeConnections(): void {
    this.closing = true;
  }

  /** Whether the service takes leave of its clients. */
  get isClosing(): boolean {
    return this.closing;
  }

  /**
   * `last`: the connection closes after it. A body of ASCII alone goes out as Latin-1, the same bytes: the stream
   * copies that as it is, in one write with the head.
   */
  send(response: ServerResponse, { status, type, body, headers }: Reply, last: boolean, client: Client): void {
    const { socket } = response.req;
    const length = Buffer.byteLength(body);
    this.sendHead(response, status, [...this.entity(type, length), ...headers, ...this.elsewhere(status)], last);
    response.end(body, length === body.length ? 'latin1' : 'utf8');
    if (socket.writableNeedDrain) this.memory.hold(client, socket, length);
  }

  sendLong(response: ServerResponse, reply: LongReply, last: boolean): void {
    const { type, length, headers = NO_HEADERS, cache } = reply;
    this.sendHead(response, 200, [...this.entity(type, length, cache), ...headers], last);
    const { req } = response;
    if (req.method === 'HEAD') {
      reply.room.giveBack();
      response.end();
    } else this.longSends.send(response, req.socket, reply, () => response.end());
  }

  private entity(type: string, length: number, cache = NO_STORE): string[] {
    const named = ['content-type', type, ...this.marks, 'cache-control', cache, ...AS_IT_SAYS];
    return [...named, 'content-length', String(length)];
  }

  private sendHead(response: ServerResponse, status: number, head: string[], last: boolean): void {
    if (last || this.closing) response.setHeader('connection', 'close');
    response.writeHead(status, head);
  }

  /** The same response to a plain request, as it goes out. */
  plain({ status, type, body, headers }: Reply, isLast: boolean): PlainResponse {
    const length = Buffer.byteLength(body);
    const { head, last } = this.plainHead(status, type, length, headers, isLast);
    return { head, body, encoding: length === body.length ? 'latin1' : 'utf8', last };
  }

  /** The head of the response to a plain request, and whether the connection closes after it. */
  plainHead(
    status: number,
    type: string,
    length: number,
    headers: readonly string[],
    isLast: boolean,
  ): PlainResponseHead {
    const last = isLast || this.closing;
    let head = status === 200 && type === JSON_TYPE ? this.plainSuccess : this.plainStart(status, type);
    head += `content-length: ${length}\r\n`;
    head += linesOf(headers) + linesOf(this.elsewhere(status));
    this.tellTheTime();
    head += last ? this.lastEnd : this.stayEnd;
    return { head, last };
  }

  /** Refuses bytes that Node's server made no request of, and ends the connection. */
  refuse(socket: Duplex, failure: Failure): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const { head, body } = this.plain(failureReply(failure), true);
    socket.end(head + body, () => socket.destroy());
  }

  /** The header that names the successor, of an answer 503. */
  private elsewhere(status: number): readonly string[] {
    const leader = status === UNAVAILABLE_STATUS ? this.successor() : undefined;
    return leader === undefined ? NO_HEADERS : [LEADER_HEADER, leader];
  }

  private plainStart(status: number, type: string): string {
    const marks = linesOf(this.marks);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\n${marks}${KEPT_NOWHERE_LINES}`;
  }

  private tellTheTime(): void {
    const second = Math.floor(wallClock() / SECOND_MS);
    if (second === this.second) return;
    this.second = second;
    const date = `Date: ${new Date(second * SECOND_MS).toUTCString()}\r\n`;
    this.lastEnd = inOnePiece(`${date}Connection: close\r\n\r\n`);
    this.stayEnd = inOnePiece(`${date}${this.keepAlive}\r\n`);
  }
}
