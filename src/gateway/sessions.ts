/**
 * Finds the session of a token, and has its use journaled now and then. The books know tokens by their SHA-256 only.
 * Sessions are opened in `credentials/`.
 */

import { hash } from 'node:crypto';
import type { AccountId } from '../base/ids.ts';
import type { WallMs } from '../base/time.ts';
import { endOf, IDLE_LIMIT_MS, TOUCH_EVERY_MS } from '../core/access/sessions.ts';
import type { Session, State } from '../core/state.ts';
import { type EnginePort, SERVICE, Unavailable } from '../engine/port.ts';
import { type Failure, JKEY_INVALID, USER_ID_INVALID, USER_ID_MISSING } from './fields/envelope.ts';

/** Tokens whose digest is remembered. */
const MOST_DIGESTS = 10_000;

export class SessionLookup {
  private readonly engine: EnginePort;
  private readonly onFailure: (error: unknown) => void;
  /** Uses of sessions before this are known by the books alone. */
  private readonly since: WallMs;
  /** The last use of each session. The journal gets one of them in ten minutes. */
  private readonly usedAt = new WeakMap<Session, WallMs>();
  /** When a session's use was last handed to the journal. */
  private readonly touchedAt = new WeakMap<Session, WallMs>();
  /**
   * The digests of tokens that named a live session when they were last used, so that one is worked out for the first
   * request of a session only. Whether the session lives is asked of the books every time; no token that did not is
   * ever kept.
   */
  private readonly digests = new Map<string, string>();
  /** The subject of the running lookup; a query function for each request would be garbage for each request. */
  private digest = '';
  private userId = '';
  private at = 0 as WallMs;

  /** `since`: the present wall time, from which on every use of a session comes here. */
  constructor(engine: EnginePort, onFailure: (error: unknown) => void, since: WallMs) {
    this.engine = engine;
    this.onFailure = onFailure;
    this.since = since;
  }

  /**
   * The session that a client names, by fields as they came. `missing`: the words for a jKey that is not there. Source:
   * contract W3.
   */
  named(
    userId: unknown,
    jKey: unknown,
    at: WallMs,
    missing = 'JKey is required',
  ): Session | Failure | Promise<Failure> {
    if (userId === undefined) return USER_ID_MISSING;
    if (jKey === undefined) return { ...JKEY_INVALID, message: missing };
    if (typeof jKey !== 'string') return JKEY_INVALID;
    return this.find(jKey, typeof userId === 'string' ? userId : '', at);
  }

  /**
   * The live session of `jKey` when `userId` owns it, to be used at once: its token was only given out when it was
   * durable. A failure is a statement about the books and comes when the state that it saw is durable. Source: contract
   * W3, W4, W24.
   */
  find(jKey: string, userId: string, at: WallMs): Session | Failure | Promise<Failure> {
    const known = this.digests.get(jKey);
    this.digest = known ?? hash('sha256', jKey);
    this.userId = userId;
    this.at = at;
    const session = this.engine.glance(this.lookup);
    if (session === undefined) {
      this.digests.delete(jKey);
      return this.engine.read(this.refusal);
    }
    if (known === undefined) this.remember(jKey);
    this.usedAt.set(session, at);
    if (at - session.lastUsedAt >= TOUCH_EVERY_MS) this.touch(session, at);
    return session;
  }

  /** The account that a token names or named; `undefined` for an unknown token. */
  accountOf(jKey: string): AccountId | undefined {
    const digest = this.digests.get(jKey) ?? hash('sha256', jKey);
    return this.engine.glance(({ sessions }) => sessions.get(digest)?.account);
  }

  private readonly lookup = (state: State): Session | undefined => {
    const session = state.sessions.get(this.digest);
    if (session === undefined || !this.isLive(session)) return undefined;
    return state.accounts.at(session.account)?.userId === this.userId ? session : undefined;
  };

  private readonly refusal = (state: State): Failure => {
    const session = state.sessions.get(this.digest);
    const lives = session !== undefined && this.isLive(session);
    return lives ? USER_ID_INVALID : JKEY_INVALID;
  };

  private isLive(session: Session): boolean {
    return endOf(session, this.at) === undefined && this.at - this.lastUseOf(session) < IDLE_LIMIT_MS;
  }

  /** A former process may have known a use that the books do not have. */
  private lastUseOf(session: Session): number {
    const { lastUsedAt } = session;
    const before = lastUsedAt < this.since ? Math.min(lastUsedAt + TOUCH_EVERY_MS, this.since) : lastUsedAt;
    return Math.max(before, this.usedAt.get(session) ?? 0);
  }

  private remember(jKey: string): void {
    if (this.digests.size >= MOST_DIGESTS) this.digests.clear();
    this.digests.set(jKey, this.digest);
  }

  private touch(session: Session, at: WallMs): void {
    if (at - (this.touchedAt.get(session) ?? 0) < TOUCH_EVERY_MS) return;
    this.touchedAt.set(session, at);
    const command = { type: 'TouchSession', tokenDigest: session.tokenDigest } as const;
    this.engine.submit({ command, origin: SERVICE }).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) this.onFailure(error);
    });
  }
}
