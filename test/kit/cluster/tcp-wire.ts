/**
 * A TCP connection's way through the process of the tests, where it can be cut. A cut way holds bytes back as a network
 * does that loses packets: connections stay, and go on with what was sent when the way is whole again.
 */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The two directions of a wire: from who connects to who listens, and back. */
export type Direction = 'there' | 'back';

const HOST = '127.0.0.1';
const AGAIN_MS = 10;

/** A port of its own that leads to another one of this machine. */
export class TcpWire {
  readonly port: number;
  /** While true, a connection waits for a target that does not listen yet, and is not reset. */
  patient = false;
  private readonly server: Server;
  private readonly target: number;
  private readonly ends = new Map<Direction, Set<Socket>>([
    ['there', new Set()],
    ['back', new Set()],
  ]);
  private readonly cuts = new Set<Direction>();

  private constructor(server: Server, target: number) {
    this.server = server;
    this.target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.dial(near));
  }

  static async to(target: number): Promise<TcpWire> {
    const server = createServer({ pauseOnConnect: true });
    server.listen(0, HOST);
    await once(server, 'listening');
    return new TcpWire(server, target);
  }

  /** Holds back what goes in the direction, of connections that are there and of new ones. */
  cut(direction: Direction): void {
    this.cuts.add(direction);
    for (const socket of this.endsOf(direction)) socket.pause();
  }

  heal(): void {
    this.cuts.clear();
    for (const sockets of this.ends.values()) for (const socket of sockets) socket.resume();
  }

  /** Resets all connections, and takes no new one. */
  close(): void {
    this.server.close();
    for (const sockets of this.ends.values()) for (const socket of sockets) socket.destroy();
  }

  private dial(near: Socket): void {
    const far = connect(this.target, HOST);
    far.once('connect', () => {
      far.off('error', refused);
      this.join(near, far);
    });
    const refused = (): void => {
      if (this.patient) setTimeout(() => this.dial(near), AGAIN_MS);
      else near.destroy();
    };
    far.once('error', refused);
  }

  private join(near: Socket, far: Socket): void {
    this.lead(near, far, 'there');
    this.lead(far, near, 'back');
  }

  private lead(from: Socket, to: Socket, direction: Direction): void {
    const sockets = this.endsOf(direction);
    sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (to.write(bytes)) return;
      from.pause();
      to.once('drain', () => {
        if (!this.cuts.has(direction)) from.resume();
      });
    });
    // A reset of one end is one of the other: both sides notice that it is gone.
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (this.cuts.has(direction)) from.pause();
    else from.resume();
  }

  private endsOf(direction: Direction): Set<Socket> {
    return this.ends.get(direction) as Set<Socket>;
  }
}
