import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tickOf } from '../../base/tick.ts';
import { civil, FUTURE, freshMarket, IDLE_SHARE, NIFTY, OPTIONS, SHARE } from '../synthetic/fixture.ts';

const DAY = civil(2026, 9, 18);
const IDS = [SHARE, NIFTY, FUTURE, IDLE_SHARE, OPTIONS[4] ?? assert.fail('an option')];
/** Seconds of the open, of noon and of the end of continuous trading, most of them one after another. */
const SECONDS = [33_290, 43_200, 54_860].flatMap((from) =>
  Array.from({ length: 170 }, (_, i) => from + i + (i > 100 ? 4 : 0) + (i > 140 ? 30 : 0)),
);

test('figures that are asked for second by second are those of one question', () => {
  for (const regime of ['always', 'exchange'] as const) {
    const [onwards, back] = [freshMarket(regime), freshMarket(regime)];
    for (const id of IDS) {
      const asked = SECONDS.map((second) => onwards.dayFigures(id, tickOf(DAY, second)));
      // A question about a second before the one asked last has nothing to carry on.
      const once = SECONDS.toReversed().map((second) => back.dayFigures(id, tickOf(DAY, second)));
      assert.deepEqual(asked, once.reverse());
      if (id !== SHARE) continue;
      const seen = new Set(asked.map((figures) => figures?.turnover));
      assert.ok(seen.size > SECONDS.length / 2, `the share trades in most seconds: ${seen.size}`);
    }
  }
});
