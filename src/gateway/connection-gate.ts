import type { Server, Socket } from 'node:net';
import { countedAs, type TrustedProxies } from './client-address.ts';
import type { HttpLimits } from './http-limits.ts';

/** Counts the connections that are open, of everybody and of each address, and turns away what is beyond the limits. */
export class ConnectionGate {
  private readonly limits: HttpLimits;
  private readonly proxies: TrustedProxies;
  private readonly turnAway: (socket: Socket) => void;
  /** Connections that are open, and those that were turned away since the start. */
  open = 0;
  turnedAway = 0;
  /** Holds addresses with open connections only, so it is as bounded as they are. */
  private readonly openOf = new Map<string, number>();

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

  private admit(socket: Socket): boolean {
    const from = socket.remoteAddress;
    const who = from === undefined || this.proxies.has(from) ? undefined : countedAs(from);
    const others = who === undefined ? 0 : (this.openOf.get(who) ?? 0);
    if (this.open >= this.limits.connections || others >= this.limits.connectionsPerAddress) {
      socket.on('error', () => socket.destroy());
      this.turnedAway += 1;
      this.turnAway(socket);
      return false;
    }
    this.open += 1;
    if (who !== undefined) this.openOf.set(who, others + 1);
    socket.once('close', () => this.leave(who));
    return true;
  }

  private leave(who: string | undefined): void {
    this.open -= 1;
    if (who === undefined) return;
    const others = (this.openOf.get(who) ?? 1) - 1;
    if (others === 0) this.openOf.delete(who);
    else this.openOf.set(who, others);
  }
}
