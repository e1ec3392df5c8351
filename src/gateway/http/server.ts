/**
 * The gateway as an HTTP server: puts its parts together, listens, and takes the requests that are not plain. The wire
 * behind it (`wire.ts`) knows no HTTP beyond methods and paths.
 */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type TLSSocket, Server as TlsServer } from 'node:tls';
import { assert } from '../../base/assert.ts';
import { createServer } from '../../os/node-http.ts';
import { acceptsCoding } from '../../page/page-files.ts';
import type { GatewayDeps } from '../deps.ts';
import { type SocketRoom, socketRoom } from '../dialects.ts';
import { MALFORMED_REQUEST, TOO_MANY_CONNECTIONS } from '../fields/envelope.ts';
import type { OwnServer } from '../reference/own-server.ts';
import type { Sockets } from '../sockets/sockets.ts';
import { type Client, Turns } from '../turns.ts';
import { type Call, Wire } from '../wire.ts';
import { AnswerMemory } from './answer-memory.ts';
import { BODY_LIMIT, hasJsonType, isUncoded, readBody, textOf } from './body.ts';
import { TrustedProxies } from './connections/client-address.ts';
import { ConnectionGate, type CountedConnection } from './connections/connection-gate.ts';
import { HTTP_LIMITS } from './connections/http-limits.ts';
import { certifiedBy, type TlsFiles } from './connections/tls-files.ts';
import { foreignHost, isForeignPage } from './foreign-host.ts';
import type { LongReply } from './long-reply.ts';
import { MeteredReads } from './metered-reads.ts';
import { OpenRequests } from './open-requests.ts';
import { PlainLane } from './plain-lane.ts';
import { faultOfHead } from './request-head.ts';
import { failureReply, marksOf, type Reply, Responder } from './respond.ts';
import { ServedRequests } from './served-requests.ts';
import { SharedReads } from './shared-reads.ts';
import { isUpgrade, takeUpgrades, type UpgradeParts } from './upgrades.ts';

const OLDEST_TLS = 'TLSv1.2';

/** The V1 wire as an HTTP server. Every response names its market, and has a JSON body, except for symbol files. */
export interface Gateway {
  readonly server: Server;
  /** Listens on an address; rejects when it cannot. */
  listen(address: { readonly host: string; readonly port: number }): Promise<void>;
  /** Takes the listening of another server over: every connection from now on comes here. Rejects when it cannot. */
  takeOver(listening: Server): Promise<void>;
  /**
   * Connections that are open; since the start, those that were turned away, and idle ones that were let go for new
   * ones.
   */
  connections(): { readonly open: number; readonly turnedAway: number; readonly letGo: number };
  /** Requests that were refused since the start because too many came. */
  refused(): number;
  /** Resolves when the contracts of the market's date are listed. */
  contractsListed(): Promise<void>;
  /** Its WebSockets. */
  readonly room: SocketRoom;
  /** Shows new connections another certificate. Only for a gateway that began with one. */
  useCertificate(tls: TlsFiles): void;
  /** Takes no new connection, lets idle ones go, and resolves when the requests that run are answered. */
  close(): Promise<void>;
}

/** The parts that one server's functions share. */
interface ServerParts extends UpgradeParts {
  readonly wire: Wire;
  readonly served: ServedRequests;
  readonly reads: SharedReads;
  readonly metered: MeteredReads;
}

/** A gateway that does not listen yet. Source: interface, contract W1, W29, R10 to R12. */
export function createGateway(deps: GatewayDeps): Gateway {
  const limits = { ...HTTP_LIMITS, ...deps.limits };
  const turns = new Turns();
  const memory = new AnswerMemory();
  const respond = new Responder(
    marksOf(deps.marketLabel, deps.scenarios),
    limits.keepAliveMs,
    turns,
    memory,
    deps.successor,
  );
  const wire = new Wire({ ...deps, ownServer: () => ownServerOf(server) }, turns, memory);
  const contractsListed = async (): Promise<void> => wire.parts.contractLists.ready(deps.engine.now());
  const metered = new MeteredReads(turns);
  const proxies = new TrustedProxies(deps.proxies ?? []);
  const gate = new ConnectionGate(limits, proxies, (socket) => {
    // Over TLS nothing can be said before the handshake.
    if (deps.tls) socket.destroy();
    else respond.refuse(socket, TOO_MANY_CONNECTIONS);
  });
  if (deps.tls) deps.hosts?.certify(certifiedBy(deps.tls));
  const room = socketRoom(wire.parts, wire.sessions, (socket) => respond.refuse(socket, MALFORMED_REQUEST));
  const server = createWireServer(deps, {
    wire,
    sockets: room.sockets,
    respond,
    limits,
    proxies,
    hosts: deps.hosts,
    gate,
    served: new ServedRequests(limits.requestsPerConnection),
    open: new OpenRequests(respond, turns, metered, gate),
    metered,
    reads: new SharedReads(),
  });
  return {
    server,
    listen: async ({ host, port }) => {
      // The name may stand for an address of either family; clients that try both find this one.
      server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
      await once(server, 'listening');
    },
    takeOver: async (listening) => {
      server.listen(listening);
      await once(server, 'listening');
    },
    connections: () => gate,
    refused: () => wire.refused,
    contractsListed,
    room,
    useCertificate: (tls) => {
      assert(server instanceof TlsServer, 'a gateway without TLS has no certificate');
      const isCertified = certifiedBy(tls);
      server.setSecureContext({ ...tls, minVersion: OLDEST_TLS });
      deps.hosts?.certify(isCertified);
    },
    close: async () => {
      respond.closeConnections();
      room.close();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** Where a server listens; an address for all of the machine's is that of the machine itself. */
function ownServerOf(server: Server): OwnServer | undefined {
  const found = server.address();
  if (found === null || typeof found === 'string') return undefined;
  const { address, family, port } = found;
  const own = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return { host: `${own}:${port}`, isSecure: server instanceof TlsServer };
}

/**
 * Node's server, over TLS when there is a certificate, with the lane for plain requests and the gate in front of it.
 */
function createWireServer({ tls }: GatewayDeps, parts: ServerParts): Server {
  const { limits, open } = parts;
  const options = serverOptions(parts);
  const server: Server = tls
    ? createTlsServer({ ...options, ...tls, minVersion: OLDEST_TLS, handshakeTimeout: limits.headMs })
    : createServer(options);
  server.maxHeadersCount = limits.headers + 1;
  server.timeout = limits.keepAliveMs;
  // A client that sends no more may still wait for answers. The types of Node leave it out.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => {
    open.begin(request, response, () => take(parts, request, response, false));
  });
  server.on('checkContinue', (request, response) => {
    open.begin(request, response, () => take(parts, request, response, true));
  });
  server.on('clientError', (error, socket) => open.fail(error, socket));
  // Node answers these two by itself otherwise, without a body: expectations that it does not know, and requests for a
  // tunnel.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    // Node takes its own listeners away first. An error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => socket.destroy());
    open.fail(new Error(MALFORMED_REQUEST.message), socket);
  });
  if (tls) {
    // A connection that began no TLS cannot be answered: Node would hand it to those who are answered.
    server.removeAllListeners('tlsClientError');
    server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  }
  takeUpgrades(server, parts);
  const lane = laneOf(server, tls ? 'secureConnection' : 'connection', parts);
  standBeside(server, lane, parts.sockets);
  parts.gate.guard(server);
  // Over TLS the bytes that are read are not yet the client's text.
  if (!tls) parts.reads.guard(server);
  return server;
}

function serverOptions(parts: ServerParts): ServerOptions {
  const { headMs, requestMs, keepAliveMs, headBytes } = parts.limits;
  return {
    shouldUpgradeCallback: (request) => isUpgrade(parts, request),
    // A request without one is refused with an envelope instead.
    requireHostHeader: false,
    headersTimeout: Math.min(headMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: headBytes,
    connectionsCheckingInterval: Math.ceil(Math.min(headMs, requestMs) / 10),
  };
}

function laneOf(server: Server, event: 'connection' | 'secureConnection', parts: ServerParts): PlainLane {
  const { wire, respond, limits, proxies, hosts, gate, served, reads } = parts;
  return new PlainLane(server, event, {
    limits,
    reads,
    metered: parts.metered,
    bodyLimit: BODY_LIMIT,
    operationAt: (path) => wire.operationAt(path),
    enter: (operation, body, connection) => wire.enter(operation, body, connection),
    respond: (reply, last) => respond.plain(reply, last),
    respondLong: (reply, last) => respond.plainHead(200, reply.type, reply.length, [], last),
    longSends: respond.longSends,
    hold: (client, socket, bytes) => respond.memory.hold(client, socket, bytes),
    isLast: (socket) => served.isLast(socket),
    admits: (authority, socket) => hosts?.admit(authority, socket.localAddress) ?? true,
    isForeign: (origin, socket) => isForeignPage(hosts, origin, socket),
    countedOf: (socket) => gate.of(socket),
    clientOf: (address, forwardedFor) => proxies.clientOf(address, forwardedFor),
  });
}

/** The end of the connections of Node's server ends those of the lane too, and the sockets. */
function standBeside(server: Server, lane: PlainLane, sockets: Sockets): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    lane.closeIdle();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    lane.closeAll();
    sockets.cutAll();
  };
}

/**
 * Takes a request of any shape. `asks`: its client waits for permission to send the body, and may never send one that
 * is refused before.
 */
function take(parts: ServerParts, request: IncomingMessage, response: ServerResponse, asks: boolean): void {
  const { wire, respond, limits } = parts;
  const fault = faultOfHead(request, limits.headers) ?? foreignHost(parts.hosts, request);
  if (fault !== undefined) {
    respond.send(response, failureReply(fault), true, request.socket.remoteAddress ?? '');
    return;
  }
  const connection = parts.gate.of(request.socket);
  const call = callOf(parts, request, response, connection, asks);
  const operation = wire.route(request.method ?? '', request.url ?? '', call);
  if (operation === undefined) {
    connection.beBusy();
    return;
  }
  if (!hasJsonType(request)) {
    wire.refuseType(call);
    return;
  }
  if (!isUncoded(request)) {
    wire.refuseCoding(call);
    return;
  }
  if (asks && Number(request.headers['content-length'] ?? 0) <= BODY_LIMIT) {
    call.keep();
    response.writeContinue();
  }
  readBody(request, (body) => {
    if (body === undefined) {
      wire.refuseSize(call);
      return;
    }
    connection.beBusy();
    const text = textOf(body, 0);
    if (text === undefined) wire.refuseEncoding(call);
    else wire.enter(operation, text, call);
  });
}

/** A call whose connection may have to close after the answer. */
interface HttpCall extends Call {
  /** The connection is kept after all, unless this is its last request. */
  keep(): void;
}

function callOf(
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
  connection: CountedConnection,
  closes: boolean,
): HttpCall {
  const { socket, headers } = request;
  const isLast = parts.served.isLast(socket);
  let last = isLast || closes;
  return {
    address: parts.proxies.clientOf(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? '')),
    idempotencyKey: headers['idempotency-key'],
    get isForeignPage() {
      return isForeignPage(parts.hosts, headers.origin, socket);
    },
    get isGone() {
      return socket.destroyed || socket.readableEnded;
    },
    accepts: (coding) => acceptsCoding(String(headers['accept-encoding'] ?? ''), coding),
    belongTo: (account) => {
      const isCounted = connection.belongTo(account);
      if (!isCounted) last = true;
      return isCounted;
    },
    send: (reply: Reply, client: Client) => parts.respond.send(response, reply, last, client),
    sendLong: (reply: LongReply) => parts.respond.sendLong(response, reply, last),
    cut: () => void socket.destroy(),
    keep: () => {
      last = isLast;
    },
  };
}
