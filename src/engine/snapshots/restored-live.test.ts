import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import type { Event } from '../../core/event.ts';
import { dueAccounts } from '../../core/portions/portion.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { LIVE, type Live } from '../live.ts';

const AT = 1_795_420_800_000 as EpochMs;
const DAY = 20_780 as IstDay;
const USERS = 40;
const LIMITS = { accounts: 15, work: 1_000_000 };

function fold(live: Live, event: Event): void {
  live.fold({ seq: live.seq + 1, at: AT, command: { type: 'CheckBreaker' }, events: [event] } as JournalRecord);
}

/** A day on which users are registered and paid in, and nothing else. */
function paidIn(): Live {
  const live = LIVE.empty();
  fold(live, { type: 'DayRolled', day: DAY });
  for (let id = 0; id < USERS; id += 1) {
    const account = id as AccountId;
    const names = { userId: `USER${id}`, name: 'A', email: 'a@example.com', sealedCredentials: 'x' };
    fold(live, { type: 'UserRegistered', account, ...names, usesTotp: false, demo: false });
    if (id % 3 !== 0) fold(live, { type: 'CashDeposited', account, amount: 100_00 as Paise, opening: true });
  }
  return live;
}

test('an account that only its ledger of the day concerns has a portion, also after a snapshot', () => {
  const live = paidIn();
  const loaded = LIVE.load(live.lines());
  assert.deepEqual([...loaded.state.active], [...live.state.active]);
  assert.deepEqual(dueAccounts(loaded.state, LIMITS), dueAccounts(live.state, LIMITS));
  assert.equal(dueAccounts(loaded.state, LIMITS).isLast, false);
});

test('an account whose ledger is closed has no portion', () => {
  const live = paidIn();
  fold(live, { type: 'DayRolled', day: (DAY + 1) as IstDay });
  assert.deepEqual([...live.state.active], []);
  assert.deepEqual([...LIVE.load(live.lines()).state.active], []);
});
