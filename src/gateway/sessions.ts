import { hash } from 'node:crypto';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../base/time.ts';
import type { Session, State } from '../core/state.ts';
import { type EnginePort, Unavailable } from '../engine/port.ts';
import { type Failure, JKEY_INVALID, USER_ID_INVALID } from './envelope.ts';
import { istMidnight } from './times.ts';

/** Source: contract W24. */
export const IDLE_LIMIT_MS = 12 * HOUR_MS;
/** Every session ends at this time of the day, IST. Source: contract W24. */
export const DAILY_END_MS = 6 * HOUR_MS;
/** How often at most the use of a session is journaled. */
export const TOUCH_EVERY_MS = 10 * MINUTE_MS;

/** True when the session has ended at `at`, whether or not its end is already in the books. */
export function hasEnded(session: Session, lastUsedAt: EpochMs, at: EpochMs): boolean {
  if (at - lastUsedAt >= IDLE_LIMIT_MS) return true;
  const midnight = istMidnight(at);
  const lastEnd = at - midnight >= DAILY_END_MS ? midnight + DAILY_END_MS : midnight + DAILY_END_MS - DAY_MS;
  return session.openedAt < lastEnd;
}

/**
 * Finds the session of a token. Tokens are known by their SHA-256 only. The use of a session is noted in memory at once and
 * journaled rarely, so that it costs no commit and an idle time outlives a restart.
 */
export class SessionDesk {
  private readonly engine: EnginePort;
  private readonly onFailure: (error: unknown) => void;
  private readonly usedAt = new WeakMap<Session, EpochMs>();
  private readonly touchedAt = new WeakMap<Session, EpochMs>();
  /** What the running lookup is about; a query function for each request would be garbage for each request. */
  private digest = '';
  private userId = '';
  private at = 0 as EpochMs;
  private found: Session | undefined;

  constructor(engine: EnginePort, onFailure: (error: unknown) => void) {
    this.engine = engine;
    this.onFailure = onFailure;
  }

  /**
   * The live session of `jKey` when `userId` owns it, to be used at once: its token was only given out when it was durable.
   * A failure is a statement about the books and comes when what it saw is durable. Source: contract W3, W4, W24.
   */
  find(jKey: string, userId: string, at: EpochMs): Session | Failure | Promise<Failure> {
    this.digest = hash('sha256', jKey);
    this.userId = userId;
    this.at = at;
    const failure = this.engine.read(this.lookup);
    const session = this.found;
    if (!session) return failure;
    this.note(session, at);
    return session;
  }

  private readonly lookup = (state: State): Failure => {
    const session = state.sessions.get(this.digest);
    const live = session !== undefined && !hasEnded(session, this.lastUse(session), this.at);
    const owned = live && state.accounts[session.account]?.userId === this.userId;
    this.found = owned ? session : undefined;
    return live ? USER_ID_INVALID : JKEY_INVALID;
  };

  private lastUse(session: Session): EpochMs {
    return Math.max(session.lastUsedAt, this.usedAt.get(session) ?? 0) as EpochMs;
  }

  private note(session: Session, at: EpochMs): void {
    this.usedAt.set(session, at);
    const journaled = Math.max(session.lastUsedAt, this.touchedAt.get(session) ?? 0);
    if (at - journaled < TOUCH_EVERY_MS) return;
    this.touchedAt.set(session, at);
    this.engine.submit({ type: 'TouchSession', tokenDigest: session.tokenDigest }).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) this.onFailure(error);
    });
  }
}
