import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { tickOf } from '../../../base/tick.ts';
import { type IstDay, istInstant } from '../../../base/time.ts';
import type { Candle } from '../../../core/market.ts';
import { civil, freshMarket, freshRoster, IDLE_SHARE, SHARE, SHARE_IDS, STOCK_FUTURE } from '../fixture.ts';

/** The ranges of real volumes, as wide as one seed may stray. Sources: docs/market.md. */

const FIRST = civil(2025, 6, 1);
const LAST = civil(2026, 8, 21);
const EVENING = 86_399;
const SEEDS = [1, 2, 3];
const REGIMES = ['exchange', 'always'] as const;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  return mean(a.map((value, i) => (value - meanA) * ((b[i] ?? 0) - meanB))) / (deviation(a) * deviation(b));
}

function within(value: number, least: number, most: number, about: string): void {
  assert.ok(value >= least && value <= most, `${about}: ${value.toFixed(3)}, wanted ${least} to ${most}`);
}

for (const regime of REGIMES) {
  test(`in ${regime} hours the volume of a day remembers, follows the range, and is shared by shares`, () => {
    for (const seed of SEEDS) {
      const market = freshMarket(regime, seed);
      const candlesOf = (id: InstrumentId): Candle[] => market.daily(id, FIRST, LAST, tickOf(LAST, EVENING));
      const shares = SHARE_IDS.slice(0, 4).map(candlesOf);
      const volumes = shares.map((candles) => candles.map(({ volume }) => Math.log(volume)));
      const memory = volumes.map((values) => correlation(values.slice(1), values.slice(0, -1)));
      const ranges = shares.map((candles, share) => {
        const moves = candles.map(({ high, low }) => Math.log(high / low - 1 + 1e-6));
        return correlation(must(volumes[share], 'volumes'), moves);
      });
      const shared = volumes.slice(1).map((values, share) => correlation(values, must(volumes[share], 'volumes')));
      within(mean(memory), 0.4, 0.65, `memory of seed ${seed}`);
      within(mean(ranges), 0.4, 0.7, `range of seed ${seed}`);
      within(mean(volumes.map(deviation)), 0.48, 0.7, `deviation of seed ${seed}`);
      within(mean(shared), 0.15, 0.58, `shares of seed ${seed}`);
    }
  });
}

test('the volume of a minute follows how much the minute moves', () => {
  const day = civil(2026, 9, 1);
  for (const seed of SEEDS) {
    const market = freshMarket('exchange', seed);
    const last = (day + 60) as IstDay;
    const candles = market.intraday(SHARE, 1, istInstant(day), istInstant(last), tickOf(last, 0));
    const byMinute = (of: (candle: Candle) => number): number[] => {
      const minuteOf = ({ start }: Candle) => (start / 60_000) % 1_440;
      const sums = new Map<number, number[]>();
      for (const candle of candles) sums.set(minuteOf(candle), [...(sums.get(minuteOf(candle)) ?? []), of(candle)]);
      return candles.map((candle) => of(candle) - mean(must(sums.get(minuteOf(candle)), 'a minute')));
    };
    const volume = byMinute((candle) => Math.log(candle.volume));
    const move = byMinute(({ open, close }) => Math.abs(Math.log(close / open)));
    within(correlation(volume, move), 0.2, 0.6, `seed ${seed}`);
  }
});

test('prints of a stock future come in clusters', () => {
  for (const seed of SEEDS) {
    const day = civil(2026, 9, 14);
    const { tape } = must(freshRoster('exchange', seed).get(STOCK_FUTURE).traded(day), 'a trading day');
    const seconds: number[] = [];
    for (let last = tape.lastPrint(tape.end); last >= 0; last = tape.lastPrint(last - 1)) seconds.unshift(last);
    const gaps = seconds.slice(1).map((second, i) => second - must(seconds[i], 'a print'));
    within(deviation(gaps) / mean(gaps), 1.05, 2.2, `gaps of seed ${seed}`);
  }
});

test('a share that hardly trades has few prints, and its close and last price are those of the last one', () => {
  const market = freshMarket('exchange', 3);
  const day = civil(2026, 9, 15);
  for (const second of [33_299, 33_300, 40_000, 55_799, 60_000]) {
    const tick = tickOf(day, second);
    const { price, tick: printed } = market.lastPrint(IDLE_SHARE, tick);
    assert.ok(printed <= tick);
    if (second >= 33_300) assert.equal(market.print(IDLE_SHARE, printed)?.price, price);
    else assert.equal(printed < tickOf(day, 0), true);
  }
});
