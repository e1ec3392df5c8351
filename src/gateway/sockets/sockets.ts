/**
 * The WebSockets of the gateway: their upgrades, the looks that ping them and cut off silent ones, and their end. The
 * meaning of their texts is that of the dialects.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { SECOND_MS } from '../../base/time.ts';
import type { Failure } from '../fields/envelope.ts';
import type { CountedConnection } from '../http/connections/connection-gate.ts';
import { pathOf } from '../http/path.ts';
import type { Turns } from '../turns.ts';
import { ClientSocket, ProtocolSocket, type SharedParts } from './client-socket.ts';
import type { HeldBack } from './market-watch.ts';
import { CLOSE, type Dialect } from './open-socket.ts';
import { Outbound } from './outbound.ts';
import type { SocketClock } from './socket-clock.ts';
import { SocketFigures } from './socket-figures.ts';
import type { SocketLimits } from './socket-limits.ts';

/** How often sockets are looked at whether they are to be pinged or have been silent for too long. */
const LOOK_MS = SECOND_MS;
/** Names no host: only the path and the query of a target count. */
const NO_HOST = 'http://socket';

/** A request for an upgrade that was found good, and what is known of its connection. */
export interface Arrival {
  readonly request: IncomingMessage;
  /** The bytes that came after the request. */
  readonly head: Buffer;
  readonly address: string;
  readonly counted: CountedConnection;
}

export interface SocketsParts {
  readonly clock: SocketClock;
  readonly limits: SocketLimits;
  /** Texts of clients are taken in turns of their accounts. */
  readonly turns: Turns;
  /** The request was no handshake of a WebSocket: it is answered, and its connection ends. */
  refuse(socket: Socket): void;
}

export class Sockets {
  readonly figures = new SocketFigures();
  private readonly parts: SocketsParts;
  private readonly shared: SharedParts;
  private readonly server: WebSocketServer;
  private readonly dialects = new Map<string, Dialect>();
  private readonly open = new Set<ClientSocket>();
  private readonly outbound: Outbound;
  private stopLooking: (() => void) | undefined;
  private isClosing = false;

  constructor(parts: SocketsParts) {
    const { clock, limits, turns } = parts;
    this.parts = parts;
    this.outbound = new Outbound(limits, () => clock.elapsed());
    const forget = (socket: ClientSocket): void => this.forget(socket);
    this.shared = { turns, clock, limits, figures: this.figures, outbound: this.outbound, forget };
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.textBytes,
      WebSocket: ProtocolSocket,
    });
    this.server.on('wsClientError', (_error, socket) => parts.refuse(socket as Socket));
  }

  /** Sockets that are open. */
  get count(): number {
    return this.open.size;
  }

  /** Bytes that wait for clients, of all sockets. */
  get waitingBytes(): number {
    return this.outbound.waiting;
  }

  /** The frames that sockets hold back. */
  get heldBack(): HeldBack {
    return this.outbound;
  }

  /** Takes the sockets of its paths from now on. */
  speak(dialect: Dialect): void {
    for (const path of dialect.paths) this.dialects.set(path, dialect);
  }

  /** Whether a request asks for a socket of a path that has them. Every other request is one of HTTP. */
  asks({ method, headers, url = '' }: IncomingMessage): boolean {
    const isUpgrade = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
    return isUpgrade && this.dialectOf(url) !== undefined;
  }

  /** The failure that refuses an upgrade although HTTP found nothing wrong with its request. */
  refusalOf(request: IncomingMessage): Failure | undefined {
    return this.dialectOf(request.url ?? '')?.refusal?.(request);
  }

  /** Opens the socket of a request that asks for one. */
  upgrade({ request, head, address, counted }: Arrival): void {
    const { socket: stream, url = '' } = request;
    this.server.handleUpgrade(request, stream, head, (protocol: WebSocket) => {
      // A connection with a socket is never idle: it does not go to make room for another one.
      counted.beBusy();
      const socket = new ClientSocket(protocol, stream, address, counted, this.shared);
      this.open.add(socket);
      this.stopLooking ??= this.parts.clock.every(LOOK_MS, () => this.look());
      if (this.isClosing) socket.close(CLOSE.serviceEnds, 'the service ends');
      else this.dialectOf(url)?.open(socket, new URL(url, NO_HOST));
    });
  }

  /** Closes every socket, and from now on every new one. */
  close(): void {
    this.isClosing = true;
    for (const dialect of new Set(this.dialects.values())) dialect.ending?.();
    for (const socket of this.open) socket.close(CLOSE.serviceEnds, 'the service ends');
  }

  /** Cuts every connection. */
  cutAll(): void {
    for (const socket of this.open) socket.cut('ending');
  }

  private look(): void {
    const now = this.parts.clock.elapsed();
    this.outbound.look();
    for (const socket of this.open) socket.look(now);
  }

  private forget(socket: ClientSocket): void {
    this.open.delete(socket);
    if (this.open.size > 0) return;
    this.stopLooking?.();
    this.stopLooking = undefined;
  }

  private dialectOf(target: string): Dialect | undefined {
    const path = pathOf(target);
    return path !== undefined && URL.canParse(target, NO_HOST) ? this.dialects.get(path) : undefined;
  }
}
