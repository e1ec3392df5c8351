/**
 * The door of a member that follows. A connection that comes while no leader is known waits here, unread, until there
 * is one: its client sees one slow answer, and neither an error nor a pause of its own. Nothing of it is in the memory
 * of this process but the connection itself. Source: docs/cluster/README.md.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections that may wait. More than these are served by the standby at once. */
const MOST_WAITING = 1_000;
/** A connection waits no longer than this. In milliseconds. */
const LONGEST_WAIT_MS = 800;
/** How often those that wait are looked at. In milliseconds. */
const LOOK_MS = 5;

/** A connection that waits, and since when in monotonic milliseconds. */
interface Waiting {
  readonly socket: Socket;
  readonly since: number;
}

export class StandbyDoor {
  private readonly awaitsLeader: () => boolean;
  /** Gets the connections that do not wait. */
  private serve: (socket: Socket) => void;
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  /**
   * Stands in front of whatever the server does with new connections. `awaitsLeader`: true while a leader is about to
   * be known.
   */
  constructor(server: Server, awaitsLeader: () => boolean) {
    this.awaitsLeader = awaitsLeader;
    // As of `net.createServer`, to which Node's HTTP server does not pass it on: nothing is read before `resume`.
    Object.assign(server, { pauseOnConnect: true });
    const own = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    this.serve = (socket) => {
      for (const listener of own) listener.call(server, socket);
      socket.resume();
    };
    server.on('connection', (socket: Socket) => this.welcome(socket));
    // TLS pauses its side of a connection too.
    server.on('secureConnection', (socket: Socket) => void socket.resume());
  }

  /** Hands the connections that wait, and those that this server still accepts, to the server of a leader. */
  passTo(leader: Server): void {
    this.serve = (socket) => {
      leader.emit('connection', socket);
      socket.resume();
    };
    this.letIn(0);
  }

  /** Serves those that wait. */
  open(): void {
    this.letIn(0);
  }

  private welcome(socket: Socket): void {
    if (this.waiting.length >= MOST_WAITING || !this.awaitsLeader()) return this.serve(socket);
    socket.on('error', () => socket.destroy());
    this.waiting.push({ socket, since: performance.now() });
    this.timer ??= setInterval(() => this.letIn(this.awaitsLeader() ? LONGEST_WAIT_MS : 0), LOOK_MS);
  }

  /** Serves those that have waited until now, in the order in which they came. */
  private letIn(ms: number): void {
    const now = performance.now();
    const due = this.waiting.filter(({ since }) => now - since >= ms);
    this.waiting = this.waiting.filter(({ since }) => now - since < ms);
    if (this.waiting.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    for (const { socket } of due) this.serve(socket);
  }
}
