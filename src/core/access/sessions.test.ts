import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, wallOf } from '../../base/time.ts';
import type { Event } from '../event.ts';
import { emptyState, type State } from '../state.ts';
import {
  closeSession,
  decideExpireSessions,
  decideOpenSession,
  decideTouchSession,
  endOf,
  MAX_SESSIONS,
  openSession,
  TOUCH_EVERY_MS,
  touchSession,
} from './sessions.ts';
import { nextAccountId, registerUser } from './users.ts';

const USER = 0 as AccountId;
const DAY = 20_780 as IstDay;
const at = (hours: number) => istInstant(DAY, hours * HOUR_MS);
/** The first instant at which a session has ended whose last use in the books was at `hours`. */
const endAfter = (hours: number) => (at(hours + 12) + TOUCH_EVERY_MS) as EpochMs;
const ENDED = endAfter(7);

function withUser(): State {
  const state = emptyState();
  registerUser(state, at(0), {
    type: 'UserRegistered',
    account: USER,
    userId: 'AB1234',
    name: 'DEMO',
    email: 'demo@example.com',
    sealedCredentials: '',
    usesTotp: true,
    demo: true,
  });
  return state;
}

function take(state: State, when: EpochMs, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type === 'SessionOpened') openSession(state, when, event);
    if (event.type === 'SessionClosed') closeSession(state, event);
  }
}

function login(state: State, when: EpochMs, tokenDigest: string, totpStep?: number): string {
  const command = { type: 'OpenSession', account: USER, tokenDigest } as const;
  const decided = decideOpenSession(state, when, totpStep === undefined ? command : { ...command, totpStep });
  if ('rule' in decided) return decided.rule;
  take(state, when, decided);
  return 'opened';
}

test('a one-time code is accepted once, and no earlier code after it', () => {
  const state = withUser();
  assert.equal(login(state, at(10), 'a', 500), 'opened');
  assert.equal(login(state, at(10), 'b', 500), 'OneTimeCodeUsed');
  assert.equal(login(state, at(10), 'b', 499), 'OneTimeCodeUsed');
  assert.equal(login(state, at(10), 'b', 501), 'opened');
  assert.deepEqual([...state.sessions.keys()], ['a', 'b']);
});

test('a new user is found by the user id, and may use the code of any step', () => {
  const state = withUser();
  assert.equal(state.accountByUser.get('AB1234'), USER);
  assert.equal(nextAccountId(state), 1);
  assert.equal(login(state, at(10), 'a', 1), 'opened');
});

test('one session more than a user may have ends the oldest', () => {
  const state = withUser();
  for (let number = 0; number < MAX_SESSIONS + 2; number += 1) login(state, at(10), `t${number}`);
  assert.equal(state.sessions.size, 20);
  assert.equal(state.sessions.has('t0') || state.sessions.has('t1'), false);
  assert.deepEqual(state.accounts.at(USER)?.sessions[0], 't2');
});

test('an expired session makes room before a live one does', () => {
  const state = withUser();
  for (let number = 0; number < MAX_SESSIONS; number += 1) login(state, at(7), `t${number}`);
  for (let number = 0; number < MAX_SESSIONS - 1; number += 1) {
    touchSession(state, at(18), { type: 'SessionTouched', tokenDigest: `t${number}` });
  }
  const last = `t${MAX_SESSIONS - 1}`;
  const closed = (when: EpochMs) => {
    const decided = decideOpenSession(state, when, { type: 'OpenSession', account: USER, tokenDigest: 'new' });
    return 'rule' in decided ? [] : decided.map((event) => event.type === 'SessionClosed' && event.tokenDigest);
  };
  assert.deepEqual(closed((ENDED - 1) as EpochMs), ['t0', false]);
  assert.deepEqual(closed(ENDED), [last, false]);
  assert.equal(login(state, ENDED, 'new'), 'opened');
  assert.deepEqual(
    [state.sessions.size, state.sessions.has('t0'), state.sessions.has(last)],
    [MAX_SESSIONS, true, false],
  );
});

test('touching an expired session does not revive it', () => {
  const state = withUser();
  login(state, at(7), 'a');
  const touch = { type: 'TouchSession', tokenDigest: 'a' } as const;
  assert.deepEqual(decideTouchSession(state, (ENDED - 1) as EpochMs, touch), [
    { type: 'SessionTouched', tokenDigest: 'a' },
  ]);
  assert.deepEqual(decideTouchSession(state, ENDED, touch), []);
  assert.deepEqual(decideTouchSession(state, at(8), { ...touch, tokenDigest: 'unknown' }), []);
});

test('a session ends when it was idle for twelve hours for certain, and every use starts them again', () => {
  const state = withUser();
  login(state, at(7), 'a');
  login(state, at(7), 'b');
  touchSession(state, at(9), { type: 'SessionTouched', tokenDigest: 'b' });
  const expire = (when: EpochMs) =>
    decideExpireSessions(state, when, { type: 'ExpireSessions' }).map(
      (event) => event.type === 'SessionClosed' && [event.tokenDigest, event.reason],
    );
  assert.deepEqual(expire((ENDED - 1) as EpochMs), []);
  assert.deepEqual(expire(ENDED), [['a', 'Idle']]);
  assert.deepEqual(expire(endAfter(9)), [
    ['a', 'Idle'],
    ['b', 'Idle'],
  ]);
});

test('a session is measured by wall time where the market has a clock of its own', () => {
  const state = withUser();
  const wallAt = (hours: number) => ({ wall: wallOf(at(hours)) });
  const market = at(-700);
  const open = { type: 'OpenSession', account: USER, tokenDigest: 'a', ...wallAt(7) } as const;
  const opened = decideOpenSession(state, market, open);
  assert.ok(!('rule' in opened));
  take(state, market, opened);
  assert.deepEqual(opened, [{ type: 'SessionOpened', account: USER, tokenDigest: 'a', ...wallAt(7) }]);
  const expire = (stamp: EpochMs, wall: EpochMs) =>
    decideExpireSessions(state, stamp, { type: 'ExpireSessions', wall: wallOf(wall) }).length;
  assert.equal(expire(at(48), (ENDED - 1) as EpochMs), 0, 'two days of the market on');
  assert.equal(expire(market, ENDED), 1, 'twelve hours of the wall on');
  const touch = { type: 'TouchSession', tokenDigest: 'a', ...wallAt(18) } as const;
  const touched = { type: 'SessionTouched', tokenDigest: 'a', ...wallAt(18) } as const;
  assert.deepEqual(decideTouchSession(state, at(48), touch), [touched]);
  touchSession(state, at(48), touched);
  assert.equal(expire(at(48), at(29.9)), 0);
  assert.equal(expire(at(48), at(30)), 1, 'the day of the wall ended');
  assert.deepEqual(state.sessions.get('a')?.lastUsedAt, at(18));
});

test('every session ends at six in the morning; one that begins then goes on', () => {
  const state = withUser();
  login(state, at(5), 'early');
  const early = state.sessions.get('early');
  login(state, at(6), 'sharp');
  const sharp = state.sessions.get('sharp');
  assert.ok(early && sharp);
  assert.equal(endOf(early, wallOf((at(6) - 1) as EpochMs)), undefined);
  assert.equal(endOf(early, wallOf(at(6))), 'DayEnd');
  assert.equal(endOf(early, wallOf(at(29))), 'DayEnd', 'the next day too, before its own end of sessions');
  assert.equal(endOf(sharp, wallOf(at(6))), undefined);
  assert.equal(endOf(sharp, wallOf(at(17.9))), undefined);
  assert.equal(endOf(sharp, wallOf(at(30))), 'DayEnd');
});
