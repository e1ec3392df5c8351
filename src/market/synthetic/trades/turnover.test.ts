import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tick } from '../../../base/ids.ts';
import { tickOf } from '../../../base/tick.ts';
import { printsWithin } from '../../../core/exchange/guards/prints-within.ts';
import { ALL_IDS, civil, freshMarket } from '../fixture.ts';

const DAY = civil(2026, 9, 14);
const OPEN = 33_300;

test('the volume within some seconds is the sum of their prints, and of that day alone', () => {
  for (const regime of ['exchange', 'always'] as const) {
    const market = freshMarket(regime);
    const open = tickOf(DAY, regime === 'always' ? 0 : OPEN);
    for (const id of ALL_IDS) {
      for (const after of [0, 5, 29, 30, 59, 60, 3_599, 10_000, 22_499]) {
        const tick = (open + after) as Tick;
        for (const seconds of [60, 30, 1]) {
          const within = Math.min(seconds, after + 1);
          const { quantity, value } = market.turnover(id, tick, seconds);
          assert.deepEqual({ quantity, value }, printsWithin(market, id, tick, within), `${id} ${after} ${seconds}`);
        }
      }
    }
  }
});
