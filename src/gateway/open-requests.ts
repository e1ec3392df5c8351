import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Failure, HEAD_TOO_LARGE, MALFORMED_REQUEST, TOO_SLOW } from './envelope.ts';
import { failureReply, type Responder } from './respond.ts';

/** The requests of one connection of Node's server that are not answered yet. */
interface Line {
  request: IncomingMessage;
  response: ServerResponse;
  unanswered: number;
  /** What is wrong with the bytes behind the requests that wait; nothing is read any more. */
  broken: Failure | undefined;
}

/**
 * Knows which requests are under way, so that bytes that are no HTTP are answered in their turn: behind the answers to the requests before
 * them, which may still wait for the disk, and as the answer to the request whose body they are.
 */
export class OpenRequests {
  private readonly respond: Responder;
  private readonly lines = new WeakMap<Duplex, Line>();

  constructor(respond: Responder) {
    this.respond = respond;
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const line = this.lines.get(socket);
    if (line === undefined) this.lines.set(socket, { request, response, unanswered: 1, broken: undefined });
    else {
      line.request = request;
      line.response = response;
      line.unanswered += 1;
    }
    response.once('close', () => this.end(socket));
  }

  /** Answers what Node's parser, or its clock, could not take, and ends the connection. */
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
    // The answer to a body that was not read whole is on its way already, or it is this one.
    if (line.response.headersSent) socket.destroy();
    else this.respond.send(line.response, failureReply(failure), true);
  }

  private end(socket: Duplex): void {
    const line = this.lines.get(socket);
    if (line === undefined) return;
    line.unanswered -= 1;
    if (line.unanswered === 0 && line.broken !== undefined && line.request.complete) {
      this.respond.refuse(socket, line.broken);
    }
  }
}

function failureOf(error: Error): Failure {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return HEAD_TOO_LARGE;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : MALFORMED_REQUEST;
}
