/** Requests that ask for a WebSocket, on their way from Node's server to the sockets. */

import type { IncomingMessage, Server } from 'node:http';
import type { OwnHosts } from '../../base/net/own-hosts.ts';
import { type Failure, UNAVAILABLE } from '../fields/envelope.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { TrustedProxies } from './connections/client-address.ts';
import type { ConnectionGate } from './connections/connection-gate.ts';
import type { HttpLimits } from './connections/http-limits.ts';
import { foreignHost } from './foreign-host.ts';
import type { OpenRequests } from './open-requests.ts';
import { faultOfHead } from './request-head.ts';
import type { Responder } from './respond.ts';

export interface UpgradeParts {
  readonly sockets: Sockets;
  readonly respond: Responder;
  readonly limits: HttpLimits;
  readonly proxies: TrustedProxies;
  readonly hosts: OwnHosts | undefined;
  readonly gate: ConnectionGate;
  readonly open: OpenRequests;
}

/**
 * Whether Node's server is to give a connection up to a WebSocket. Where an answer is still owed on it, and for any
 * other kind of upgrade, the request is answered as if it had asked for none.
 */
export function isUpgrade({ sockets, open }: UpgradeParts, request: IncomingMessage): boolean {
  return sockets.asks(request) && !open.owes(request.socket);
}

/** Opens the sockets of the requests that ask for one. */
export function takeUpgrades(server: Server, parts: UpgradeParts): void {
  server.on('upgrade', (request, _stream, head) => {
    const { sockets, gate, proxies, respond } = parts;
    const { socket, headers } = request;
    const failure = refusalOf(parts, request);
    if (failure !== undefined) {
      socket.on('error', () => socket.destroy());
      respond.refuse(socket, failure);
      return;
    }
    const address = proxies.clientOf(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? ''));
    sockets.upgrade({ request, head, address, counted: gate.of(socket) });
  });
}

function refusalOf({ limits, hosts, sockets, respond }: UpgradeParts, request: IncomingMessage): Failure | undefined {
  if (respond.isClosing) return UNAVAILABLE;
  return faultOfHead(request, limits.headers) ?? foreignHost(hosts, request) ?? sockets.refusalOf(request);
}
