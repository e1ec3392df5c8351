import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentId, Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { firstTickOf } from '../../../base/tick.ts';
import { type EpochMs, type IstDay, SECOND_MS } from '../../../base/time.ts';
import type { DecisionPorts } from '../../ports.ts';
import { closeOf } from './closing-prices.ts';

const FRIDAY = 20_780 as IstDay;
const MONDAY = (FRIDAY + 3) as IstDay;

test('the close of a day is the previous close of the next trading day, before corporate actions', () => {
  const market = {
    tickAt: (at: EpochMs) => (at / SECOND_MS) as Tick,
    previousClose: (_: InstrumentId, tick: Tick, asTraded = false) => {
      assert.equal(tick, firstTickOf(MONDAY));
      return (asTraded ? 1_000_00 : 500_00) as Price;
    },
  };
  const days = { isTradingDay: (day: IstDay) => day === FRIDAY || day === MONDAY };
  assert.equal(closeOf({ market, days } as unknown as DecisionPorts, 5 as InstrumentId, FRIDAY), 1_000_00);
});
