import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Failure, failureBody, MALFORMED_REQUEST } from './envelope.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Writes the responses of one gateway: each says which market it speaks of. Source: contract W29, R12. */
export class Responder {
  private readonly market: string;
  private closing = false;

  constructor(market: string) {
    this.market = market;
  }

  /** From now on every answer says that its connection closes, so that no client sends another request on it. */
  closeConnections(): void {
    this.closing = true;
  }

  /** Sends a body that is JSON already. */
  json(reply: FastifyReply, status: number, body: string, headers = NO_HEADERS): void {
    this.text(reply, status, JSON_TYPE, body, headers);
  }

  /**
   * Writes past the framework's own serialiser. A body of ASCII alone goes out as Latin-1, the same bytes: the stream copies
   * that as it is, in one write with the head.
   */
  text(reply: FastifyReply, status: number, type: string, body: string, headers = NO_HEADERS): void {
    const length = Buffer.byteLength(body);
    reply.hijack();
    if (this.closing) reply.raw.setHeader('connection', 'close');
    reply.raw.writeHead(status, {
      'content-type': type,
      'x-market': this.market,
      'content-length': length,
      ...headers,
    });
    reply.raw.end(body, length === body.length ? 'latin1' : 'utf8');
  }

  failure(reply: FastifyReply, failure: Failure): void {
    const headers: Record<string, string> = {};
    if (failure.retryAfterSeconds !== undefined) headers['retry-after'] = String(failure.retryAfterSeconds);
    if (failure.allow !== undefined) headers.allow = failure.allow;
    this.json(reply, failure.status, failureBody(failure), headers);
  }

  /** Answers bytes that are no HTTP, and ends the connection. */
  malformed(socket: Duplex): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const body = failureBody(MALFORMED_REQUEST);
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\nX-Market: ${this.market}\r\n`;
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  }
}
