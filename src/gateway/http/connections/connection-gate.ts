/**
 * Counts the open connections, of everybody and of each client, and turns away those beyond the limits. A client is an
 * address; on loopback and behind trusted proxies, where many share an address, it is the user whose session a
 * connection brought last. Where there is no room for a new connection, the one that has been idle for longest goes: of
 * the same client or, when the service is full, of the client with most.
 */

import type { Server, Socket } from 'node:net';
import { must } from '../../../base/assert.ts';
import type { AccountId } from '../../../base/ids.ts';
import { isLoopbackAddress } from '../../../base/net/ip-address.ts';
import type { Client } from '../../turns.ts';
import { countedAs, type TrustedProxies } from './client-address.ts';
import { ConnectionQuota, type Counted } from './connection-quota.ts';
import type { HttpLimits } from './http-limits.ts';

/** All trusted proxies are counted together. */
const PROXIES = 'proxies';

/** A field that Node keeps at a connection over TLS, and does not document: the connection of bytes beneath it. */
interface Wrapping extends Socket {
  readonly _parent?: Socket | null;
}

type Quota = ConnectionQuota<CountedConnection>;

/** One open connection as the gate knows it. */
export class CountedConnection implements Counted {
  quota: Quota;
  /** The socket that its answers are written to: over TLS it is not the one that the gate was given. */
  socket: Socket;
  private readonly gate: ConnectionGate;
  private readonly isShared: boolean;
  private moment: number;

  /** `isShared`: its address may be that of many users. */
  constructor(gate: ConnectionGate, socket: Socket, quota: Quota, isShared: boolean) {
    this.gate = gate;
    this.socket = socket;
    this.quota = quota;
    this.isShared = isShared;
    this.moment = gate.nextMoment();
  }

  /** An answer is owed while a whole request is under way, and until the last byte of its answer has left. */
  get idleSince(): number | undefined {
    return this.moment === 0 || this.socket.writableLength > 0 ? undefined : this.moment;
  }

  /** A whole request has come. */
  beBusy(): void {
    this.moment = 0;
  }

  /** Nothing more is owed. */
  beIdle(): void {
    this.moment = this.gate.nextMoment();
  }

  /** A request of that account's session has come; false when the account has no room for the connection. */
  belongTo(account: AccountId): boolean {
    return !this.isShared || this.quota.client === account || this.gate.move(this, account);
  }
}

export class ConnectionGate {
  /** Connections that are open; since the start, those that were turned away, and idle ones that had to go. */
  open = 0;
  turnedAway = 0;
  letGo = 0;
  private readonly limits: HttpLimits;
  private readonly proxies: TrustedProxies;
  private readonly turnAway: (socket: Socket) => void;
  /** Holds clients with open connections only, so it is as bounded as they are. */
  private readonly quotas = new Map<Client, Quota>();
  private readonly known = new WeakMap<object, CountedConnection>();
  private moments = 0;

  /** `turnAway` ends a connection that is one too many. */
  constructor(limits: HttpLimits, proxies: TrustedProxies, turnAway: (socket: Socket) => void) {
    this.limits = limits;
    this.proxies = proxies;
    this.turnAway = turnAway;
  }

  /** Stands in front of whatever the server does with new connections. */
  guard(server: Server): void {
    const own = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!this.admit(socket)) return;
      for (const listener of own) listener.call(server, socket);
    });
  }

  /** A connection that was admitted, or the TLS socket over it. */
  of(socket: Wrapping): CountedConnection {
    const known = this.known.get(socket);
    if (known !== undefined) return known;
    const beneath = must(this.known.get(socket._parent ?? socket), 'the gate knows every connection');
    beneath.socket = socket;
    this.known.set(socket, beneath);
    return beneath;
  }

  /** Moments are counted, not measured: only their order matters. */
  nextMoment(): number {
    this.moments += 1;
    return this.moments;
  }

  /**
   * The connection counts as the account's from now on; false, and nothing has changed, when the account has no room
   * for it.
   */
  move(connection: CountedConnection, account: AccountId): boolean {
    const quota = this.quotaOf(account, this.limits.connectionsPerAddress);
    if (quota.isFull && !this.release(quota.longestIdle())) return false;
    // Its client may have gone while the request waited for its turn.
    if (this.remove(connection)) this.put(connection, quota);
    return true;
  }

  private admit(socket: Socket): boolean {
    const from = socket.remoteAddress ?? '';
    const isProxy = this.proxies.has(from);
    const { connections, connectionsPerAddress } = this.limits;
    const quota = isProxy ? this.quotaOf(PROXIES, connections) : this.quotaOf(countedAs(from), connectionsPerAddress);
    if (!this.hasRoom(quota)) {
      socket.on('error', () => socket.destroy());
      this.turnedAway += 1;
      this.turnAway(socket);
      return false;
    }
    const connection = new CountedConnection(this, socket, quota, isProxy || isLoopbackAddress(from));
    this.known.set(socket, connection);
    this.open += 1;
    this.put(connection, quota);
    socket.once('close', () => this.leave(connection));
    return true;
  }

  private hasRoom(quota: Quota): boolean {
    if (quota.isFull) return this.release(quota.longestIdle());
    return this.open < this.limits.connections || this.release(this.idleOfMost());
  }

  /** The longest idle connection of the client with most, among the clients that have an idle one. */
  private idleOfMost(): CountedConnection | undefined {
    let found: CountedConnection | undefined;
    let most = 0;
    for (const quota of this.quotas.values()) {
      const idle = quota.size > most ? quota.longestIdle() : undefined;
      if (idle === undefined) continue;
      found = idle;
      most = quota.size;
    }
    return found;
  }

  /** Ends a connection to which nothing is owed. */
  private release(idle: CountedConnection | undefined): boolean {
    if (idle === undefined) return false;
    this.leave(idle);
    this.letGo += 1;
    idle.socket.destroy();
    return true;
  }

  private leave(connection: CountedConnection): void {
    if (this.remove(connection)) this.open -= 1;
  }

  private quotaOf(client: Client, most: number): Quota {
    return this.quotas.get(client) ?? new ConnectionQuota(client, most);
  }

  private put(connection: CountedConnection, quota: Quota): void {
    quota.add(connection);
    this.quotas.set(quota.client, quota);
    connection.quota = quota;
  }

  /** False when it has left. */
  private remove(connection: CountedConnection): boolean {
    const { quota } = connection;
    if (!quota.remove(connection)) return false;
    if (quota.size === 0) this.quotas.delete(quota.client);
    return true;
  }
}
