/**
 * Lets connections of a server be read into one buffer that they share, for takers that use their bytes at once
 * (`plain-lane.ts`). It parses nothing; it only spares Node's work for each read.
 */

import { type Server, Socket } from 'node:net';

/**
 * Gets the bytes that a connection brings. They are its own only until it returns: the next bytes of any connection may
 * overwrite them.
 */
export type Taker = (bytes: Buffer) => void;

/** The most that one read of a connection brings: the room that Node itself makes for every read. In bytes. */
const ROOM = 64 * 1024;

/** A field that Node keeps at a connection that a server accepted, and does not document. */
interface Accepted extends Socket {
  _handle?: object | null;
  _server?: Server;
}

/** The taker of the bytes of a connection; without one they go the common way, as a stream's data. */
interface Way {
  taker: Taker | undefined;
}

/**
 * Lets the connections of a server be read into one room that they share, for those that take their bytes at once. In
 * the common way Node makes room, an array and a stream's chunk of every read, which costs as much as to parse a small
 * request.
 *
 * Node can do so for connections that a program opens (`onread`) and has no documented way for those that a server
 * accepts: their handle is moved to a socket that reads so. Where there is no such handle, and under Windows, which may
 * fill the room of a read later, everything goes the common way.
 */
export class SharedReads {
  private readonly room = Buffer.allocUnsafeSlow(ROOM);
  private readonly ways = new WeakMap<Socket, Way>();

  /** The listeners for new connections of the server are given the moved ones. */
  guard(server: Server): void {
    const emit = server.emit.bind(server) as (event: string, ...values: unknown[]) => boolean;
    server.emit = (event: string, ...values: unknown[]): boolean =>
      event === 'connection' ? emit(event, this.moved(server, values[0] as Socket)) : emit(event, ...values);
  }

  /** From now on all that a connection brings is the taker's. */
  begin(socket: Socket, taker: Taker): void {
    const way = this.ways.get(socket);
    if (way === undefined) socket.on('data', taker);
    else way.taker = taker;
  }

  /** The bytes that come from now on go the common way. */
  end(socket: Socket, taker: Taker): void {
    const way = this.ways.get(socket);
    if (way === undefined) socket.off('data', taker);
    else way.taker = undefined;
  }

  /** The same connection, read into the room; the one that was given when that cannot be. */
  private moved(server: Server, accepted: Accepted): Socket {
    const handle = accepted._handle;
    if (!handle || process.platform === 'win32') return accepted;
    const way: Way = { taker: undefined };
    const { room } = this;
    const onread = { buffer: room, callback: (count: number) => deliver(way, socket, room.subarray(0, count)) };
    const options = { handle, allowHalfOpen: accepted.allowHalfOpen, onread };
    const socket: Accepted = new Socket(options as ConstructorParameters<typeof Socket>[0]);
    accepted._handle = null;
    // By this the server that accepted it knows when the last of its connections has gone.
    socket._server = accepted._server ?? server;
    this.ways.set(socket, way);
    return socket;
  }
}

/** False when no more is to be read for now. */
function deliver({ taker }: Way, socket: Socket, bytes: Buffer): boolean {
  if (taker === undefined) return socket.push(Buffer.from(bytes));
  taker(bytes);
  return true;
}
