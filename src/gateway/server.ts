import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { BODY_LIMIT, hasJsonType, readBody } from './body.ts';
import type { GatewayDeps } from './deps.ts';
import { PlainLane } from './plain-lane.ts';
import { type Reply, Responder } from './respond.ts';
import { type Exchange, Wire } from './wire.ts';

/** A client that sends a request more slowly than this is cut off, so that it holds no connection for ever. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long a connection without a request is kept: longer than balancers in front keep theirs. */
const KEEP_ALIVE_MS = 72_000;

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
  const respond = new Responder(deps.marketLabel, KEEP_ALIVE_MS);
  const server = new WireServer(new Wire(deps), respond);
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

/** Node's server, with the lane for plain requests in front of it. */
class WireServer extends Server {
  private readonly lane: PlainLane;

  constructor(wire: Wire, respond: Responder) {
    super({ requireHostHeader: false, requestTimeout: REQUEST_TIMEOUT_MS });
    this.keepAliveTimeout = KEEP_ALIVE_MS;
    this.on('request', (request, response) => take(wire, respond, request, response));
    this.on('clientError', (_error, socket) => respond.malformed(socket));
    // Node answers these two by itself otherwise, without a body: expectations that it does not know, and requests for a tunnel.
    this.on('checkExpectation', (request, response) => this.emit('request', request, response));
    this.on('connect', (_request, socket) => respond.malformed(socket));
    this.lane = new PlainLane(this, {
      keepAliveMs: KEEP_ALIVE_MS,
      bodyLimit: BODY_LIMIT,
      operationAt: (path) => wire.operationAt(path),
      enter: (operation, body, connection) => wire.enter(operation, body, connection),
      respond: (reply) => respond.plain(reply),
    });
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    this.lane.closeIdle();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    this.lane.closeAll();
  }
}

/** Takes a request of any shape. */
function take(wire: Wire, respond: Responder, request: IncomingMessage, response: ServerResponse): void {
  const exchange = exchangeOf(respond, request, response);
  const operation = wire.route(request.method ?? '', request.url ?? '', exchange);
  if (operation === undefined) return;
  if (!hasJsonType(request)) {
    wire.refuseType(exchange);
    return;
  }
  readBody(request, (text) => {
    if (text === undefined) wire.refuseSize(exchange);
    else wire.enter(operation, text, exchange);
  });
}

function exchangeOf(respond: Responder, request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    address: request.socket.remoteAddress ?? '',
    idempotencyKey: request.headers['idempotency-key'],
    send: (reply: Reply) => respond.send(response, reply),
  };
}
