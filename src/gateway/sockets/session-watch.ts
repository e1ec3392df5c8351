/** Finds out when the sessions end that sockets were opened with, or a kill switch stops their accounts. */

import type { AccountId } from '../../base/ids.ts';
import { SECOND_MS, type WallMs } from '../../base/time.ts';
import { endOf } from '../../core/access/sessions.ts';
import type { State } from '../../core/state.ts';
import { type Switches, switchKey } from '../../core/switches/switch.ts';
import { type EnginePort, Unavailable } from '../../engine/port.ts';
import type { SocketClock } from './socket-clock.ts';

/** How often sessions are looked at. */
const LOOK_MS = SECOND_MS;

export interface SessionWatchParts {
  readonly engine: EnginePort;
  readonly clock: SocketClock;
  wall(): WallMs;
  onFailure(error: unknown): void;
}

interface WatchedSession {
  readonly account: AccountId;
  readonly tokenDigest: string;
  /** A kill switch was on already when it began. */
  readonly wasKilled: boolean;
  readonly onEnd: () => void;
}

/**
 * Looks at the watched sessions once a second. A session ends when it is closed and when it has expired; an expired one
 * may still be in the books.
 */
export class SessionWatch {
  private readonly parts: SessionWatchParts;
  private readonly watched = new Set<WatchedSession>();
  private stopLooking: (() => void) | undefined;

  constructor(parts: SessionWatchParts) {
    this.parts = parts;
  }

  /**
   * Calls `onEnd` once when the session has ended, or a kill switch stops its account, and that is durable. Returns the
   * way to stop watching.
   */
  watch(account: AccountId, tokenDigest: string, onEnd: () => void): () => void {
    const wasKilled = this.parts.engine.glance(({ switches }) => isKilled(switches, account));
    const session: WatchedSession = { account, tokenDigest, wasKilled, onEnd };
    this.watched.add(session);
    this.stopLooking ??= this.parts.clock.every(LOOK_MS, () => this.look());
    return () => this.forget(session);
  }

  private look(): void {
    const at = this.parts.wall();
    const answer = this.parts.engine.read((state) => this.ended(state, at));
    if (answer instanceof Promise) answer.then((sessions) => this.report(sessions), this.onRefused);
    else this.report(answer);
  }

  /** Too many answers wait for the disk: it looks again in a second. */
  private readonly onRefused = (error: unknown): void => {
    if (!(error instanceof Unavailable)) this.parts.onFailure(error);
  };

  private ended({ sessions, switches }: State, at: WallMs): WatchedSession[] {
    return [...this.watched].filter(({ account, tokenDigest, wasKilled }) => {
      const session = sessions.get(tokenDigest);
      if (session === undefined || endOf(session, at) !== undefined) return true;
      return !wasKilled && isKilled(switches, account);
    });
  }

  private report(sessions: readonly WatchedSession[]): void {
    for (const session of sessions) {
      if (!this.watched.has(session)) continue;
      this.forget(session);
      session.onEnd();
    }
  }

  private forget(session: WatchedSession): void {
    this.watched.delete(session);
    if (this.watched.size > 0) return;
    this.stopLooking?.();
    this.stopLooking = undefined;
  }
}

function isKilled(switches: Switches, account: AccountId): boolean {
  if (switches.size === 0) return false;
  return switches.has(switchKey({ kind: 'FullKill' })) || switches.has(switchKey({ kind: 'AccountKill', account }));
}
