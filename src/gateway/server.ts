import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hasJsonType, readJson } from './body.ts';
import type { GatewayDeps } from './deps.ts';
import { documents } from './documents.ts';
import { Door } from './door.ts';
import {
  BODY_TOO_LARGE,
  type Failure,
  INTERNAL_ERROR,
  MALFORMED_BODY,
  methodNotAllowed,
  NOT_FOUND,
  NOT_JSON_TYPE,
  UNAVAILABLE,
} from './envelope.ts';
import type { Answer, Operation } from './operation.ts';
import { BASE, OPERATIONS } from './operations.ts';
import { pathOf } from './path.ts';
import { PositionTexts } from './position-texts.ts';
import { QuoteTexts } from './quote-texts.ts';
import { Responder } from './respond.ts';

/** A client that sends a request more slowly than this is cut off, so that it holds no connection for ever. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long a connection without a request is kept: longer than balancers in front keep theirs. */
const KEEP_ALIVE_MS = 72_000;

/** What a path offers: one method. */
type Route =
  | { readonly method: 'POST'; readonly operation: Operation }
  | { readonly method: 'GET'; readonly answer: (response: ServerResponse) => void };

/** The V1 wire as an HTTP server. Every response says which market it speaks of, and has a JSON body (symbol files apart). */
export interface Gateway {
  readonly server: Server;
  /** Listens on an address; rejects when it cannot. */
  listen(address: { readonly host: string; readonly port: number }): Promise<void>;
  /** Takes no new connection, lets idle ones go, and resolves when the requests that run are answered. */
  close(): Promise<void>;
}

/** A gateway that does not listen yet. Source: interface, contract W1, W29, R10 to R12. */
export function createGateway(deps: GatewayDeps): Gateway {
  const respond = new Responder(deps.marketLabel);
  const server = createServer({ requireHostHeader: false, requestTimeout: REQUEST_TIMEOUT_MS });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const wire = new Wire(deps, respond);
  server.on('request', (request, response) => wire.take(request, response));
  server.on('clientError', (_error, socket) => respond.malformed(socket));
  // Node answers these two by itself otherwise, without a body: expectations that it does not know, and requests for a tunnel.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => respond.malformed(socket));
  return {
    server,
    listen: async ({ host, port }) => {
      // The name may stand for an address of either family; clients that try both find this one.
      server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
      await once(server, 'listening');
    },
    close: async () => {
      respond.closeConnections();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** Takes requests from their path to the door, and sends what comes back. */
class Wire {
  private readonly deps: GatewayDeps;
  private readonly respond: Responder;
  private readonly door: Door;
  private readonly routes = new Map<string, Route>();

  constructor(deps: GatewayDeps, respond: Responder) {
    this.deps = deps;
    this.respond = respond;
    this.door = new Door({
      ...deps,
      quoteTexts: new QuoteTexts(deps.market),
      positionTexts: new PositionTexts(),
    });
    for (const operation of OPERATIONS) this.routes.set(`${BASE}${operation.path}`, { method: 'POST', operation });
    for (const [path, answer] of documents(deps, respond)) this.routes.set(path, { method: 'GET', answer });
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const route = this.find(request.url ?? '');
    if (route === undefined) this.respond.failure(response, NOT_FOUND);
    else if (request.method !== route.method) this.respond.failure(response, methodNotAllowed(route.method));
    else if (route.method === 'POST') this.readBody(route.operation, request, response);
    else this.guarded(response, () => route.answer(response));
  }

  private find(url: string): Route | undefined {
    const known = this.routes.get(url);
    if (known !== undefined) return known;
    const path = pathOf(url);
    return path === undefined ? undefined : this.routes.get(path);
  }

  private readBody(operation: Operation, request: IncomingMessage, response: ServerResponse): void {
    if (!hasJsonType(request)) {
      this.respond.failure(response, NOT_JSON_TYPE);
      return;
    }
    readJson(request, (body) => {
      if (body === 'too large') this.respond.failure(response, BODY_TOO_LARGE);
      else if (isRecord(body)) this.guarded(response, () => this.enter(operation, body, request, response));
      else this.respond.failure(response, MALFORMED_BODY);
    });
  }

  private enter(
    operation: Operation,
    body: Readonly<Record<string, unknown>>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const answer = this.door.enter(operation, body, request);
    if (answer instanceof Promise) {
      answer.then(
        (settled) => this.send(response, settled),
        (error: unknown) => this.fail(response, error),
      );
    } else this.send(response, answer);
  }

  private send(response: ServerResponse, answer: Answer): void {
    if (typeof answer === 'string') this.respond.json(response, 200, answer);
    else this.respond.failure(response, answer);
  }

  private guarded(response: ServerResponse, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(response, error);
    }
  }

  private fail(response: ServerResponse, error: unknown): void {
    this.respond.failure(response, this.failureOf(error));
  }

  /** What a client is told of an error. What is our own fault is handed to the process's failure hook. */
  private failureOf(error: unknown): Failure {
    if (error instanceof Error && error.name === 'Unavailable') return UNAVAILABLE;
    this.deps.onFailure(error);
    return INTERNAL_ERROR;
  }
}

function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
