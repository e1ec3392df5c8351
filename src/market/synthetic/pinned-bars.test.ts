import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { hashText } from '../../base/random.ts';
import { tickOf } from '../../base/tick.ts';
import { istInstant } from '../../base/time.ts';
import { ALL_IDS, civil, freshMarket } from './fixture.ts';

/** A quiet, a usual and a last day of the fixture's contracts. */
const DAYS = [civil(2026, 8, 24), civil(2026, 9, 18), civil(2026, 10, 27)];

function digest(regime: HoursRegime, seed: number): number {
  const market = freshMarket(regime, seed);
  let hash = 0;
  for (const id of ALL_IDS) {
    for (const day of DAYS) {
      const bars = market.intraday(id, 1, istInstant(day), istInstant(day, 86_399_000), tickOf(day, 86_399));
      const figures = market.dayFigures(id, tickOf(day, 50_000)) ?? 'none';
      hash = hashText(hash, JSON.stringify([bars, figures]));
    }
  }
  return hash;
}

test('every bar of a minute stays what it was, of each instrument, in both hours, for several seeds', () => {
  const found = [1, 6, 77].map((seed) => [digest('always', seed), digest('exchange', seed)]);
  assert.deepEqual(found, [
    [1_465_982_291, 1_295_572_771],
    [4_077_088_519, 1_441_265_044],
    [1_140_269_975, 2_361_555_556],
  ]);
});
