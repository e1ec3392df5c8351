import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentId } from '../../base/ids.ts';
import { tickOf } from '../../base/tick.ts';
import type { DayTape, MinuteFold } from '../day-tape.ts';
import type { TradedDay } from '../listing.ts';
import { civil, FUTURE, freshMarket, IDLE_SHARE, NIFTY, OPTIONS, SHARE } from '../synthetic/fixture.ts';
import { DaySums } from './day-figures.ts';
import { DayFolds } from './day-folds.ts';
import type { Listed } from './listed.ts';

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

/** A day with a print of one lot at one price in each second. `count.folds`: the minutes that were folded. */
function busyDay(count: { folds: number }): TradedDay {
  const tape = {
    day: DAY,
    tick: 5,
    begin: 0,
    close: 86_400,
    end: 86_400,
    lastPrint: (second: number) => second,
    printPrice: () => ({ price: 500, aggressor: 'B' }),
    lotsUpTo: (second: number) => second + 1,
    fold: (minute: number, until: number, _: boolean, out: MinuteFold) => {
      count.folds += 1;
      const prints = Math.min(until - minute * 60, 59) + 1;
      Object.assign(out, { prints, open: 100, high: 100, low: 100, close: 100, turnover: 100 * prints });
    },
  } as unknown as DayTape;
  return { tape } as TradedDay;
}

test('the figures of 20,000 instruments in turn are carried on, and nobody folds their day again', () => {
  const count = { folds: 0 };
  const traded = busyDay(count);
  const sums = new DaySums(new DayFolds());
  const all = Array.from({ length: 20_000 }, (_, number) => ({ id: number as InstrumentId, number }) as Listed);
  const minutes = 3;
  for (let second = 60 * minutes; second < 60 * minutes + 4; second += 1) {
    for (const listed of all) {
      const { prints, turnover } = sums.fold(listed, traded, second);
      assert.deepEqual([prints, turnover], [second + 1, 100 * (second + 1)], `${listed.number} at ${second}`);
    }
    assert.equal(count.folds, all.length * (minutes + 1), `minutes folded up to second ${second}`);
  }
});
