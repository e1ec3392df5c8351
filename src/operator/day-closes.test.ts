import assert from 'node:assert/strict';
import test from 'node:test';
import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Price } from '../base/money.ts';
import { firstTickOf } from '../base/tick.ts';
import { type EpochMs, type IstDay, istInstant } from '../base/time.ts';
import { emptyState } from '../core/state.ts';
import { dayCloses } from './day-closes.ts';

test('an operator is told the close before the trading day that has begun, on a date without trading too', () => {
  const monday = 20_500 as IstDay;
  const state = { ...emptyState(), day: monday };
  const asked: number[] = [];
  const market = {
    tickAt: (at: EpochMs) => (at / 1_000) as Tick,
    previousClose: (_: InstrumentId, tick: Tick) => {
      asked.push(tick);
      return 100 as Price;
    },
  };
  let now = istInstant((monday - 2) as IstDay, 36_000_000);
  const closeOf = dayCloses({ glance: (query) => query(state), now: () => now }, market);
  assert.equal(closeOf(1 as InstrumentId), 100);
  now = istInstant(monday, 36_000_000);
  closeOf(1 as InstrumentId);
  assert.deepEqual(asked, [firstTickOf(monday), firstTickOf(monday) + 36_000]);
});
