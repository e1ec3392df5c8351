/**
 * Decides whose work is done next, so that a client that asks for much waits for itself and not the others for it.
 * Which requests are refused when too many wait is decided in `overload.ts`.
 */

import type { AccountId } from '../base/ids.ts';

/** The party that is served in turn with others: the account of a session, or the address of a caller without one. */
export type Client = AccountId | string;

/** How long the work of one turn of the event loop may take, not counting its last piece. In milliseconds. */
const TURN_MS = 3;
/** How much of it one client gets before the next one is served, not counting its last piece of work. */
const SHARE_MS = 1;

/** The client of long work has closed its connection, so the rest of the work is left. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The connection that long work is done for. */
export interface Listener {
  /** The client has closed its side of it, so that it may have gone. Never so when absent. */
  readonly isGone?: boolean;
}

/**
 * A piece of work. It takes a few milliseconds at most, and never throws. `waited`: how long it waited for its turn, in
 * milliseconds; `isLast`: nothing else of its client waits.
 */
type Work = (waited: number, isLast: boolean) => void;

interface Waiting {
  readonly work: Work;
  readonly since: number;
}

export interface TurnsParts {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Does work when the present turn of the event loop is over. */
  readonly afterTurn: (work: () => void) => void;
}

/**
 * Decides whose work is done next. While there is time, work is done as it comes. When there is more work than a turn
 * of the event loop has time for, the rest waits, and the waiting clients are served one after the other, for about the
 * same time each: a client that asks for much waits for itself, however many connections it has. Between two turns the
 * loop takes in the bytes that others send. Each connection has one piece of work here at most, so there are never more
 * waiting pieces than connections. Source: reliability P10, F35.
 */
export class Turns {
  private readonly parts: TurnsParts;
  /** By client, in the order in which they are served. A line is never empty. */
  private readonly lines = new Map<Client, Waiting[]>();
  private count = 0;
  private began: number | undefined;

  constructor(parts: TurnsParts = { elapsed: () => performance.now(), afterTurn: setImmediate }) {
    this.parts = parts;
  }

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.count;
  }

  /** Does the work now, when no client waits and the turn has time; otherwise in a turn of the client. */
  take(client: Client, work: Work): void {
    const now = this.parts.elapsed();
    if (this.began === undefined) {
      this.began = now;
      this.parts.afterTurn(this.nextTurn);
    }
    if (this.count === 0 && now - this.began < TURN_MS) {
      work(0, true);
      return;
    }
    const line = this.lines.get(client);
    if (line === undefined) this.lines.set(client, [{ work, since: now }]);
    else line.push({ work, since: now });
    this.count += 1;
  }

  /** As `take`; resolves with the value of the work and rejects with the error that it throws. */
  run<T>(client: Client, work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.take(client, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** As `run`, for one piece of long work; rejects with `ClientGone` when the listener has gone by its turn. */
  runFor<T>(client: Client, listener: Listener, work: () => T | Promise<T>): Promise<T> {
    return this.run(client, () => {
      if (listener.isGone === true) throw new ClientGone();
      return work();
    });
  }

  /**
   * Does work that comes in pieces, in as many turns of the client as it takes; resolves with its result, and rejects
   * with `ClientGone` when the listener has gone before.
   */
  async runPieces<T>(client: Client, work: Iterator<undefined, T>, listener: Listener = {}): Promise<T> {
    for (;;) {
      const piece = await this.runFor(client, listener, () => this.share(work));
      if (piece.done === true) return piece.value;
    }
  }

  private share<T>(work: Iterator<undefined, T>): IteratorResult<undefined, T> {
    const until = this.parts.elapsed() + SHARE_MS;
    for (;;) {
      const piece = work.next();
      if (piece.done === true || this.parts.elapsed() >= until) return piece;
    }
  }

  private readonly nextTurn = (): void => {
    this.began = undefined;
    if (this.count === 0) return;
    const began = this.parts.elapsed();
    this.began = began;
    this.parts.afterTurn(this.nextTurn);
    let now = began;
    for (const client of this.lines.keys()) {
      if (now - began >= TURN_MS) return;
      now = this.serve(client, now);
    }
  };

  /** Does work of a client for his share of time; he stands behind the others afterwards. Returns when that is. */
  private serve(client: Client, from: number): number {
    const line = this.lines.get(client) ?? [];
    let now = from;
    while (now - from < SHARE_MS) {
      const next = line.shift();
      if (next === undefined) break;
      this.count -= 1;
      next.work(now - next.since, line.length === 0);
      now = this.parts.elapsed();
    }
    this.lines.delete(client);
    if (line.length > 0) this.lines.set(client, line);
    return now;
  }
}
