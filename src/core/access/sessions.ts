/**
 * Sessions of users: how they open, are used and end, measured in wall time. Tokens are known here by their digests
 * only. The gateway checks passwords and one-time codes; here a used code is refused.
 */

import { assert, must } from '../../base/assert.ts';
import {
  DAY_MS,
  type EpochMs,
  HOUR_MS,
  istDay,
  istTimeOfDay,
  MINUTE_MS,
  type WallMs,
  wallInstant,
  wallOf,
} from '../../base/time.ts';
import type { CloseSession, ExpireSessions, OpenSession, TouchSession } from '../command.ts';
import type { Event } from '../event.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { accountOf, type Session, type State } from '../state.ts';
import { wallPart } from '../wall-stamp.ts';
import type { SessionClosed, SessionOpened, SessionTouched } from './access-events.ts';

/** A session ends when nobody has used it for this time. Source: contract W24. */
export const IDLE_LIMIT_MS = 12 * HOUR_MS;
/** Uses within this time of one that the books have are not in them. */
export const TOUCH_EVERY_MS = 10 * MINUTE_MS;
/** All sessions end at this time of the IST day. Source: contract W24. */
const SESSION_END_OF_DAY_MS = 6 * HOUR_MS;
/** The largest number of live sessions of a user; one more ends the oldest. Source: contract W24. */
export const MAX_SESSIONS = 20;

/**
 * Why a session has expired at `at` for certain, whatever uses of it the books do not have; `undefined` while it may be
 * live. The gateway knows those uses. Source: contract W24.
 */
export function endOf(session: Session, at: WallMs): SessionClosed['reason'] | undefined {
  if (session.openedAt < lastSessionEnd(at)) return 'DayEnd';
  return at - session.lastUsedAt >= IDLE_LIMIT_MS + TOUCH_EVERY_MS ? 'Idle' : undefined;
}

/** The last instant at or before `at` that ended all sessions. */
function lastSessionEnd(at: WallMs): WallMs {
  const today = wallInstant(istDay(at), SESSION_END_OF_DAY_MS);
  return istTimeOfDay(at) >= SESSION_END_OF_DAY_MS ? today : ((today - DAY_MS) as WallMs);
}

/**
 * Opens a session. Refuses a one-time code when its step, or a later one, was used before. Expired sessions make room
 * first, then the oldest live ones. Source: contract W24, reliability §4.
 */
export function decideOpenSession(state: State, stamp: EpochMs, command: OpenSession): Event[] | Refusal {
  const { account: id, tokenDigest, totpStep } = command;
  const at = wallOf(stamp, command.wall);
  const account = accountOf(state, id);
  assert(!state.sessions.has(tokenDigest), 'a token is made once');
  if (totpStep !== undefined && totpStep <= account.lastTotpStep) return { rule: 'OneTimeCodeUsed' };
  const sessions = account.sessions.map((digest) => must(state.sessions.get(digest), 'a listed session is there'));
  const events: Event[] = ended(sessions, at);
  const live = sessions.filter((session) => endOf(session, at) === undefined);
  for (const { tokenDigest: oldest } of live.slice(0, Math.max(0, live.length + 1 - MAX_SESSIONS))) {
    events.push({ type: 'SessionClosed', tokenDigest: oldest, reason: 'TooMany' });
  }
  events.push({
    type: 'SessionOpened',
    account: id,
    tokenDigest,
    ...(totpStep === undefined ? {} : { totpStep }),
    ...wallPart(command),
  });
  return events;
}

/** Sessions that one record ends, at most, when they expire. */
export const EXPIRED_IN_RECORD = 500;

/** Ends the sessions that have expired, the first `EXPIRED_IN_RECORD` of them. */
export function decideExpireSessions(state: State, at: EpochMs, { wall }: ExpireSessions): Event[] {
  return ended(state.sessions.values(), wallOf(at, wall), EXPIRED_IN_RECORD);
}

/** Ends a session that is live; nothing when it is not. */
export function decideCloseSession({ sessions }: State, { tokenDigest }: CloseSession): SessionClosed[] {
  return sessions.has(tokenDigest) ? [{ type: 'SessionClosed', tokenDigest, reason: 'Logout' }] : [];
}

/** Records the use of a live session. An expired session stays expired. */
export function decideTouchSession(state: State, at: EpochMs, command: TouchSession): Event[] {
  const { tokenDigest, wall } = command;
  const session = state.sessions.get(tokenDigest);
  const lives = session !== undefined && endOf(session, wallOf(at, wall)) === undefined;
  return lives ? [{ type: 'SessionTouched', tokenDigest, ...wallPart(command) }] : [];
}

function ended(sessions: Iterable<Session>, at: WallMs, most: number = MAX_SESSIONS): SessionClosed[] {
  const events: SessionClosed[] = [];
  for (const session of sessions) {
    if (events.length === most) break;
    const reason = endOf(session, at);
    if (reason !== undefined) events.push({ type: 'SessionClosed', tokenDigest: session.tokenDigest, reason });
  }
  return events;
}

/** Opens a session at its wall time and notes the code that opened it, which is not taken again. */
export function openSession(state: State, stamp: EpochMs, event: SessionOpened): void {
  const { account: id, tokenDigest, totpStep, wall } = event;
  const account = accountOf(state, id);
  const at = wallOf(stamp, wall);
  state.sessions.set(tokenDigest, { tokenDigest, account: id, openedAt: at, lastUsedAt: at });
  account.sessions = [...account.sessions, tokenDigest];
  if (totpStep !== undefined) account.lastTotpStep = totpStep;
}

/** Notes the last use of a live session. Throws for another one. */
export function touchSession(state: State, at: EpochMs, { tokenDigest, wall }: SessionTouched): void {
  must(state.sessions.get(tokenDigest), 'a touched session is live').lastUsedAt = wallOf(at, wall);
}

/** Ends a live session. Throws for another one. */
export function closeSession(state: State, { tokenDigest }: SessionClosed): void {
  const session = must(state.sessions.get(tokenDigest), 'a closed session was live');
  const account = accountOf(state, session.account);
  state.sessions.delete(tokenDigest);
  account.sessions = account.sessions.filter((digest) => digest !== tokenDigest);
}
