/** Finds out when the sessions end that sockets were opened with, whatever ended them. */

import type { AccountId } from '../../base/ids.ts';
import { SECOND_MS, type WallMs } from '../../base/time.ts';
import { endOf } from '../../core/access/sessions.ts';
import type { State } from '../../core/state.ts';
import type { EnginePort } from '../../engine/port.ts';
import type { SocketClock } from './socket-clock.ts';

/** How often sessions are looked at. */
const LOOK_MS = SECOND_MS;

export interface SessionWatchParts {
  readonly engine: EnginePort;
  readonly clock: SocketClock;
  wall(): WallMs;
  onFailure(error: unknown): void;
}

/**
 * Looks at the watched sessions once a second. A session ends when it is closed and when it has expired; an expired one
 * may still be in the books.
 */
export class SessionWatch {
  private readonly parts: SessionWatchParts;
  /** By the digest of the token. A set is never empty. */
  private readonly watched = new Map<string, Set<() => void>>();
  private stopLooking: (() => void) | undefined;

  constructor(parts: SessionWatchParts) {
    this.parts = parts;
  }

  /** Calls `onEnd` once when the session has ended and that is durable. Returns the way to stop watching. */
  watch(_account: AccountId, tokenDigest: string, onEnd: () => void): () => void {
    const listeners = this.watched.get(tokenDigest) ?? new Set();
    // A function of its own: the same one may be given for several sockets.
    const listener = (): void => onEnd();
    listeners.add(listener);
    this.watched.set(tokenDigest, listeners);
    this.stopLooking ??= this.parts.clock.every(LOOK_MS, () => this.look());
    return () => this.forget(tokenDigest, listener);
  }

  private look(): void {
    const at = this.parts.wall();
    const answer = this.parts.engine.read((state) => this.ended(state, at));
    if (answer instanceof Promise) answer.then((digests) => this.report(digests), this.parts.onFailure);
    else this.report(answer);
  }

  private ended({ sessions }: State, at: WallMs): string[] {
    return [...this.watched.keys()].filter((digest) => {
      const session = sessions.get(digest);
      return session === undefined || endOf(session, at) !== undefined;
    });
  }

  private report(digests: readonly string[]): void {
    for (const digest of digests) {
      for (const listener of this.watched.get(digest) ?? []) {
        this.forget(digest, listener);
        listener();
      }
    }
  }

  private forget(tokenDigest: string, listener: () => void): void {
    const listeners = this.watched.get(tokenDigest);
    if (listeners === undefined) return;
    listeners.delete(listener);
    if (listeners.size === 0) this.watched.delete(tokenDigest);
    if (this.watched.size > 0) return;
    this.stopLooking?.();
    this.stopLooking = undefined;
  }
}
