import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { World } from '../../../test/kit/money/world.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { reloaded } from '../../../test/kit/stored-state.ts';
import type { AccountId } from '../../base/ids.ts';
import { DAY_MS, type EpochMs } from '../../base/time.ts';
import { applyRecord } from '../apply.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { refusalText } from '../refusals/refusal-text.ts';
import { stateHash } from '../snapshot/hash.ts';
import { emptyState } from '../state.ts';
import type { OrderRate } from './access-terms.ts';

class Accounts {
  readonly world = new World(testPorts(), FIRST_DAY);
  readonly asha: AccountId = this.world.user('ASHA', 0);

  /** The refusal, or the number of events. */
  fix(...addresses: string[]): Refusal | number {
    return this.answerTo({ type: 'SetAddresses', account: this.asha, addresses, by: 'desk', why: 'asked' });
  }

  rate(rate: OrderRate | undefined): Refusal | number {
    return this.answerTo({ type: 'SetOrderRate', account: this.asha, ...(rate && { rate }), by: 'desk', why: 'asked' });
  }

  later(ms: number): void {
    this.world.at = (this.world.at + ms) as EpochMs;
  }

  access() {
    return this.world.account(this.asha).access;
  }

  private answerTo(command: Parameters<World['submit']>[0]): Refusal | number {
    const { reply, events } = this.world.submit(command);
    return reply.type === 'Refused' ? reply.refusal : events.length;
  }
}

test('addresses are fixed, changed once a week at most, and lifted at any time', () => {
  const accounts = new Accounts();
  assert.equal(accounts.access(), undefined);
  assert.equal(accounts.fix('203.0.113.1'), 1);
  const { at } = accounts.world;
  assert.deepEqual(accounts.access(), { fixed: true, registered: { addresses: ['203.0.113.1'], since: at } });
  assert.equal(accounts.fix('203.0.113.1'), 0, 'they are so already');
  accounts.later(7 * DAY_MS - 1);
  const until = (at + 7 * DAY_MS) as EpochMs;
  assert.deepEqual(accounts.fix('203.0.113.1', '2001:db8::1'), { rule: 'AddressesChangedLately', until });
  accounts.later(1);
  assert.equal(accounts.fix('203.0.113.1', '2001:db8::1'), 1);
  assert.equal(accounts.fix(), 1);
  assert.equal(accounts.access()?.fixed, false);
  assert.equal(accounts.fix(), 0);
});

test('lifting the addresses does not shorten the week, and the same ones can be fixed again at once', () => {
  const accounts = new Accounts();
  accounts.fix('203.0.113.1');
  accounts.fix();
  const refusal = accounts.fix('203.0.113.2');
  assert.ok(typeof refusal !== 'number' && refusal.rule === 'AddressesChangedLately');
  assert.match(refusalText(refusal, { userId: 'ASHA' }), /once a week: .* on \d{4}-\d\d-\d\d$/);
  const { since } = accounts.access()?.registered ?? {};
  accounts.later(DAY_MS);
  assert.equal(accounts.fix('203.0.113.1'), 1);
  assert.equal(accounts.access()?.registered?.since, since);
});

test('an order rate above the threshold needs a registered algorithm', () => {
  const accounts = new Accounts();
  assert.equal(accounts.rate({ perSecond: 10 }), 1);
  assert.equal(accounts.rate({ perSecond: 10 }), 0);
  const refusal = accounts.rate({ perSecond: 11 });
  assert.deepEqual(refusal, { rule: 'AlgorithmNotRegistered', perSecond: 11, threshold: 10 });
  assert.match(refusalText(refusal as Refusal, { userId: 'ASHA' }), /11 orders a second.*registered algorithm/);
  assert.equal(accounts.rate({ perSecond: 50, algoId: '123456789012' }), 1);
  assert.deepEqual(accounts.access(), { fixed: false, orderRate: { perSecond: 50, algoId: '123456789012' } });
  assert.equal(accounts.rate(undefined), 1);
  assert.deepEqual(accounts.access(), { fixed: false });
  assert.equal(accounts.rate(undefined), 0);
});

test('addresses and rates that were set are in the snapshot and in the replay', () => {
  const accounts = new Accounts();
  accounts.fix('203.0.113.1', '2001:db8::1');
  accounts.rate({ perSecond: 5 });
  const { state, records } = accounts.world;
  const replayed = emptyState();
  for (const record of records) applyRecord(replayed, record);
  assert.equal(stateHash(replayed), stateHash(state));
  const loaded = reloaded(state);
  assert.equal(stateHash(loaded), stateHash(state));
  assert.deepEqual(loaded.accounts.at(accounts.asha)?.access, accounts.access());
});
