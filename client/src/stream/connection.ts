/**
 * One connection to the stream that comes back by itself: it opens a socket, logs in by the first frame, notices
 * silence, and opens another socket when one ends.
 */

import {
  AuthError,
  type FailureFacts,
  InvalidRequest,
  notLoggedIn,
  requestErrorOf,
  TransportError,
} from '../errors.ts';
import { timerMs } from '../exchange.ts';
import type { Places } from '../places.ts';
import type { Session } from '../transport.ts';
import { openSocket, type SocketClass, type StreamSocket } from './socket.ts';

/** A frame of the service. */
export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

export interface ConnectionSettings {
  /** Where the service is. */
  readonly places: Places;
  readonly session: () => Session | undefined;
  readonly WebSocket: SocketClass | undefined;
  /** A connection on which nothing comes for this time is dropped, in milliseconds. */
  readonly silenceMs: number;
}

/** How a connection ended, and when the next one is tried. */
export interface Down {
  readonly code: number;
  readonly reason: string;
  readonly retryMs: number;
}

interface Listener {
  /** A socket is logged in; `seq` is the service's last durable record. */
  up(seq: string): void;
  frame(frame: Frame): void;
  down(down: Down): void;
  /** No other socket will be opened. */
  ended(error: unknown): void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
/** A machine that another one named is asked at once, this often in a row. */
const MOST_HOPS = 2;
/** The same where there are several addresses. */
const LONGEST_SEARCH_MS = 2_000;
/** The state of a socket on which frames can be sent. Source: the WebSocket standard. */
const OPEN = 1;
/** Codes of our own: between 3000 and 4999 they are free for programs. */
const NOT_LOGGED_IN = 4401;
const SILENT = 4000;
const REFUSED = 4001;
/** The close of a machine that follows another one. Source: RFC 6455, registry of close codes. */
const TRY_LATER = 1013;
/** The closes after which another machine may lead: the service ends, nothing was said, the end is gone. */
const ELSEWHERE: ReadonlySet<number> = new Set([1001, 1006, 1012, SILENT]);

export class Connection {
  private readonly settings: ConnectionSettings;
  private readonly listener: Listener;
  private socket: StreamSocket | undefined;
  private isUp = false;
  private isOver = false;
  private failures = 0;
  /** Machines in a row that named another one. */
  private hops = 0;
  /** The address of the socket. */
  private from = '';
  private silence: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(settings: ConnectionSettings, listener: Listener) {
    this.settings = settings;
    this.listener = listener;
  }

  /** Opens the first socket. */
  open(): void {
    this.connect().catch((error: unknown) => this.end(error));
  }

  /**
   * Sends a frame; nothing while no socket is logged in, or while the one that is closes, since all is asked for again
   * on the next one.
   */
  send(frame: Readonly<Record<string, unknown>>): void {
    if (this.isUp && this.socket?.readyState === OPEN) this.socket.send(JSON.stringify(frame));
  }

  close(): void {
    this.isOver = true;
    this.forget();
    this.socket?.close(1000);
  }

  private async connect(): Promise<void> {
    const session = this.settings.session();
    if (session === undefined) throw notLoggedIn();
    this.from = this.settings.places.current;
    const socket = await openSocket(`${this.from.replace(/^http/, 'ws')}/stream`, this.settings.WebSocket);
    // Every error is followed by a close. One comes too when a socket is closed before it is open.
    socket.onerror = () => undefined;
    if (this.isOver) return socket.close(1000);
    this.socket = socket;
    const login = { login: { userId: session.userId, jKey: session.token } };
    socket.onopen = () => socket.send(JSON.stringify(login));
    socket.onmessage = ({ data }: { readonly data: unknown }) => this.taken(socket, String(data));
    socket.onclose = ({ code, reason }: { readonly code: number; readonly reason: string }) => {
      this.closed(socket, code, reason);
    };
    this.listen(socket);
  }

  private taken(socket: StreamSocket, text: string): void {
    if (socket !== this.socket || this.isOver) return;
    this.listen(socket);
    const frame = JSON.parse(text) as Frame;
    if (this.isUp) return this.listener.frame(frame);
    if (frame.type === 'login') {
      this.isUp = true;
      this.failures = 0;
      this.hops = 0;
      this.listener.up((frame.data as { readonly seq: string }).seq);
    } else if (frame.type === 'error') this.refused(socket, failureOf(frame));
  }

  /** A login that was refused. Only one that another try cannot repair ends the stream. */
  private refused(socket: StreamSocket, error: Error): void {
    if (error instanceof AuthError || error instanceof InvalidRequest) return this.end(error);
    this.leave(socket, REFUSED, 'refused', error.message);
  }

  /** Ends a socket, whatever it says of its end itself. `word` goes to the service, `reason` to the program. */
  private leave(socket: StreamSocket, code: number, word: string, reason: string): void {
    socket.onclose = () => undefined;
    socket.close(code, word);
    this.closed(socket, code, reason);
  }

  private closed(socket: StreamSocket, code: number, reason: string): void {
    if (socket !== this.socket || this.isOver) return;
    // Frames that it still brings do not count.
    this.socket = undefined;
    this.forget();
    if (code === NOT_LOGGED_IN) return this.end(notLoggedIn(reason || 'the session ended: call login'));
    const retryMs = this.isNamed(code, reason) ? 0 : this.nextPause();
    this.failures++;
    this.retry = setTimeout(() => this.open(), retryMs);
    this.listener.down({ code, reason, retryMs });
  }

  /** Chooses the address of the next socket. True when the machine that closed this one named the one that leads. */
  private isNamed(code: number, reason: string): boolean {
    const { places } = this.settings;
    if (code === TRY_LATER) {
      const isNamed = places.refused(this.from, /^leader (\S+)$/.exec(reason)?.[1]);
      this.hops++;
      return isNamed && this.hops <= MOST_HOPS;
    }
    if (ELSEWHERE.has(code)) places.lost(this.from);
    return false;
  }

  private nextPause(): number {
    const longest = this.settings.places.areSeveral ? LONGEST_SEARCH_MS : LONGEST_RETRY_MS;
    return Math.round(Math.min(longest, FIRST_RETRY_MS * 2 ** this.failures) * (0.5 + Math.random() / 2));
  }

  /** Waits for the next frame. A connection whose other end is gone without a word is found by its silence. */
  private listen(socket: StreamSocket): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.leave(socket, SILENT, 'silent', 'nothing came for too long');
    }, timerMs(this.settings.silenceMs));
  }

  private forget(): void {
    clearTimeout(this.silence);
    clearTimeout(this.retry);
    this.isUp = false;
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    this.close();
    this.listener.ended(error);
  }
}

/** The error that a frame of the type `error` carries. */
export function failureOf(frame: Frame): Error {
  const { code, name, error } = (frame.data ?? {}) as {
    readonly code?: string;
    readonly name?: string;
    readonly error?: { readonly field: string; readonly message: string };
  };
  if (code === undefined || name === undefined || error === undefined) {
    return new TransportError('not understood', 'the stream sent an error without its facts');
  }
  const facts: FailureFacts = { status: Number(code), code: name, field: error.field, message: error.message };
  return requestErrorOf(facts);
}
