import assert from 'node:assert/strict';
import test from 'node:test';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { portsAtTick, testPorts } from '../../../test/kit/ports.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { firstTickOf } from '../../base/tick.ts';
import type { IstDay } from '../../base/time.ts';
import { emptyState } from '../../core/state.ts';
import { emptyViews } from '../../views/views.ts';
import { dayCloses } from './day-closes.ts';

test('closes of the day before the trading day that has begun are reported, on a date without trading too', () => {
  const monday = 20_500 as IstDay;
  const state = { ...emptyState(), day: monday };
  const asked: number[] = [];
  const market = Object.assign(new StillMarket(), {
    previousClose: (_: InstrumentId, tick: Tick) => {
      asked.push(tick);
      return 100 as Price;
    },
  });
  const ports = testPorts({ market });
  let tick = (firstTickOf((monday - 2) as IstDay) + 36_000) as Tick;
  const closeOf = dayCloses({ glance: (query) => query(state, portsAtTick(ports, tick), emptyViews()) });
  assert.equal(closeOf(1 as InstrumentId), 100);
  tick = (firstTickOf(monday) + 36_000) as Tick;
  closeOf(1 as InstrumentId);
  assert.deepEqual(asked, [firstTickOf(monday), firstTickOf(monday) + 36_000]);
});
