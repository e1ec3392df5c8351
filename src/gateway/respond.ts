import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { type Failure, failureBody, MALFORMED_REQUEST } from './envelope.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes the responses of one gateway: each says which market it speaks of. Source: contract W29, R12. */
export class Responder {
  private readonly market: string;

  constructor(market: string) {
    this.market = market;
  }

  /** Sends a body that is JSON already. */
  json(reply: FastifyReply, status: number, body: string): void {
    this.text(reply, status, JSON_TYPE, body);
  }

  text(reply: FastifyReply, status: number, type: string, body: string): void {
    reply.code(status).header('content-type', type).header('x-market', this.market).send(body);
  }

  failure(reply: FastifyReply, failure: Failure): void {
    if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
    if (failure.allow !== undefined) reply.header('allow', failure.allow);
    this.json(reply, failure.status, failureBody(failure));
  }

  /** Answers bytes that are no HTTP, and ends the connection. */
  malformed(socket: Socket): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const body = failureBody(MALFORMED_REQUEST);
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\nX-Market: ${this.market}\r\n`;
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  }
}
