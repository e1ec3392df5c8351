import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Failure, failureBody, MALFORMED_REQUEST } from './envelope.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const NO_HEADERS: readonly string[] = [];

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

  /** Sends a body that is JSON already. `headers` are names and values in turn. */
  json(response: ServerResponse, status: number, body: string, headers = NO_HEADERS): void {
    this.text(response, status, JSON_TYPE, body, headers);
  }

  /** A body of ASCII alone goes out as Latin-1, the same bytes: the stream copies that as it is, in one write with the head. */
  text(response: ServerResponse, status: number, type: string, body: string, headers = NO_HEADERS): void {
    const length = Buffer.byteLength(body);
    const head = ['content-type', type, 'x-market', this.market, 'content-length', String(length), ...headers];
    if (this.closing) response.setHeader('connection', 'close');
    response.writeHead(status, head);
    response.end(body, length === body.length ? 'latin1' : 'utf8');
  }

  failure(response: ServerResponse, failure: Failure): void {
    const headers: string[] = [];
    if (failure.retryAfterSeconds !== undefined) headers.push('retry-after', String(failure.retryAfterSeconds));
    if (failure.allow !== undefined) headers.push('allow', failure.allow);
    this.json(response, failure.status, failureBody(failure), headers);
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
