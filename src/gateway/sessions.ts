import { hash } from 'node:crypto';
import { type EpochMs, MINUTE_MS } from '../base/time.ts';
import { endOf } from '../core/sessions/sessions.ts';
import type { Session, State } from '../core/state.ts';
import { type EnginePort, Unavailable } from '../engine/port.ts';
import { type Failure, JKEY_INVALID, USER_ID_INVALID } from './envelope.ts';

/** How often at most the use of a session is journaled; idle time is known as exactly as this. */
export const TOUCH_EVERY_MS = 10 * MINUTE_MS;

/** Finds the session of a token. Tokens are known by their SHA-256 only. */
export class SessionDesk {
  private readonly engine: EnginePort;
  private readonly onFailure: (error: unknown) => void;
  /** When a session's use was last handed to the journal. */
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
    this.prepare(hash('sha256', jKey), userId, at);
    const failure = this.engine.read(this.lookup);
    const session = this.found;
    if (!session) return failure;
    if (at - session.lastUsedAt >= TOUCH_EVERY_MS) this.touch(session, at);
    return session;
  }

  /** A read that is refused never runs the lookup: nobody may then be taken for the one who was found before. */
  private prepare(digest: string, userId: string, at: EpochMs): void {
    this.digest = digest;
    this.userId = userId;
    this.at = at;
    this.found = undefined;
  }

  private readonly lookup = (state: State): Failure => {
    const session = state.sessions.get(this.digest);
    const live = session !== undefined && endOf(session, this.at) === undefined;
    const owned = live && state.accounts[session.account]?.userId === this.userId;
    this.found = owned ? session : undefined;
    return live ? USER_ID_INVALID : JKEY_INVALID;
  };

  private touch(session: Session, at: EpochMs): void {
    if (at - (this.touchedAt.get(session) ?? 0) < TOUCH_EVERY_MS) return;
    this.touchedAt.set(session, at);
    this.engine.submit({ type: 'TouchSession', tokenDigest: session.tokenDigest }).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) this.onFailure(error);
    });
  }
}
