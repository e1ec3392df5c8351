import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { instantOf, tickOf } from '../../base/tick.ts';
import { type IstDay, istInstant, MINUTE_MS } from '../../base/time.ts';
import type { Candle } from '../../core/market.ts';
import { civil, FUTURE, freshMarket, HOLIDAY, IDLE_SHARE, NIFTY, OPTIONS, SHARE } from '../synthetic/fixture.ts';
import type { SyntheticMarket } from '../synthetic/synthetic-market.ts';

const DAY = civil(2026, 9, 14);
const LATER = tickOf(civil(2026, 10, 20), 0);
const IDS = [SHARE, IDLE_SHARE, NIFTY, FUTURE, must(OPTIONS[4], 'an option')];
const REGIMES: readonly HoursRegime[] = ['always', 'exchange'];

function ofDay(market: SyntheticMarket, id: InstrumentId, minutes: number, until: Tick = LATER, day = DAY): Candle[] {
  return market.intraday(id, minutes, istInstant(day), istInstant(day, 86_399_000), until);
}

test('candles of minutes that are known are those of a market that was asked nothing before', () => {
  const asked = new Map(REGIMES.map((regime) => [regime, freshMarket(regime)]));
  const questions = fc.record({
    regime: fc.constantFrom(...REGIMES),
    id: fc.constantFrom(...IDS),
    minutes: fc.constantFrom(1, 2, 5, 7, 60),
    from: fc.integer({ min: -1_500, max: 1_500 }),
    length: fc.integer({ min: 1, max: 1_500 }),
    until: fc.integer({ min: 0, max: 2 * 86_400 }),
  });
  fc.assert(
    fc.property(questions, ({ regime, id, minutes, from, length, until }) => {
      const start = (istInstant(DAY) + from * MINUTE_MS) as Candle['start'];
      const end = (start + length * MINUTE_MS) as Candle['start'];
      const ask = (market: SyntheticMarket) => market.intraday(id, minutes, start, end, tickOf(DAY, until));
      assert.deepEqual(ask(must(asked.get(regime), 'a market')), ask(freshMarket(regime)));
    }),
    { numRuns: 80 },
  );
});

function foldOf(candles: readonly Candle[], start: Candle['start']): Candle {
  const first = must(candles[0], 'a candle');
  const last = must(candles.at(-1), 'a candle');
  return {
    start,
    open: first.open,
    high: Math.max(...candles.map(({ high }) => high)) as Candle['high'],
    low: Math.min(...candles.map(({ low }) => low)) as Candle['low'],
    close: last.close,
    volume: candles.reduce((sum, { volume }) => sum + volume, 0),
    openInterest: last.openInterest,
  };
}

test('a candle of a minute is the fold of the prints of its seconds', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of IDS) {
      for (const candle of ofDay(market, id, 1).slice(100, 140)) {
        const tick = market.tickAt(candle.start);
        const prints = Array.from({ length: 60 }, (_, s) => market.print(id, (tick + s) as Tick)).filter(
          (p) => p !== undefined,
        );
        const prices = prints.map(({ price }) => price);
        assert.deepEqual(
          [candle.open, candle.high, candle.low, candle.close, candle.volume],
          [
            prices[0],
            Math.max(...prices),
            Math.min(...prices),
            prices.at(-1),
            prints.reduce((sum, { quantity }) => sum + quantity, 0),
          ],
        );
      }
    }
  }
});

test('longer candles are folds of the minutes that they hold, counted from the open', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of IDS) {
      const minutes = ofDay(market, id, 1);
      for (const length of [2, 3, 5, 10, 15, 20, 30, 60, 120, 240]) {
        const open = istInstant(DAY, (regime === 'always' ? 0 : 555) * MINUTE_MS);
        const groups = Map.groupBy(minutes, ({ start }) => Math.floor((start - open) / (length * MINUTE_MS)));
        const expected = [...groups].map(([number, group]) =>
          foldOf(group, (open + number * length * MINUTE_MS) as Candle['start']),
        );
        assert.deepEqual(ofDay(market, id, length), expected, `${length} minutes of ${id}`);
      }
    }
  }
});

test('a daily candle is the fold of the minutes of its day', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of IDS) {
      assert.deepEqual(market.daily(id, DAY, DAY, LATER), [foldOf(ofDay(market, id, 1), istInstant(DAY))]);
    }
  }
});

test('bars are asked for by their start, both ends included', () => {
  const market = freshMarket('exchange');
  const at = (minute: number) => istInstant(DAY, minute * MINUTE_MS);
  const starts = (from: number, to: number) =>
    market.intraday(SHARE, 5, at(from), at(to), LATER).map(({ start }) => start);
  assert.deepEqual(starts(600, 610), [at(600), at(605), at(610)]);
  assert.deepEqual(starts(601, 609), [at(605)]);
  assert.deepEqual(starts(601, 604), []);
  assert.deepEqual(starts(0, 560), [at(555), at(560)]);
  assert.equal(starts(0, 1_439).length, 75);
});

test('daily candles are asked for by date and leave out days without trading', () => {
  const market = freshMarket('exchange');
  const days = market.daily(SHARE, (HOLIDAY - 1) as IstDay, (HOLIDAY + 4) as IstDay, LATER);
  assert.deepEqual(
    days.map(({ start }) => start),
    [HOLIDAY - 1, HOLIDAY + 3, HOLIDAY + 4].map((day) => istInstant(day as IstDay)),
  );
  assert.deepEqual(market.daily(SHARE, DAY, (DAY - 1) as IstDay, LATER), []);
});

test('nothing of the future is in a candle, and its past does not change as time goes', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of IDS) {
      const whole = ofDay(market, id, 1);
      for (const second of [33_300, 40_017, 40_019, 40_020, 51_003]) {
        const until = tickOf(DAY, second);
        const known = ofDay(market, id, 1, until);
        const finished = known.filter(({ start }) => market.tickAt(start) + 59 <= until);
        assert.deepEqual(finished, whole.slice(0, finished.length));
        for (const running of known.slice(finished.length)) {
          const all = must(
            whole.find(({ start }) => start === running.start),
            'the same bar later',
          );
          assert.equal(running.open, all.open);
          assert.ok(running.high <= all.high && running.low >= all.low && running.volume <= all.volume);
          assert.equal(running.close, market.lastPrint(id, until).price);
        }
        assert.ok(known.length - finished.length <= 1);
      }
    }
  }
});

test('the figures of the day agree with its candles and with every print, whenever they are asked for', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of IDS) {
      let turnover = 0;
      let second = regime === 'always' ? 0 : 33_300;
      for (const stop of [33_900, 34_017, 40_000, 39_990, 45_296]) {
        const until = tickOf(DAY, stop);
        const figures = market.dayFigures(id, until);
        const minutes = ofDay(market, id, 1, until);
        if (minutes.length === 0) {
          assert.equal(figures, undefined);
          continue;
        }
        const fold = foldOf(minutes, istInstant(DAY));
        const { open, high, low, last, volume, openInterest } = must(figures, 'figures');
        assert.deepEqual({ open, high, low, close: last, volume, openInterest, start: fold.start }, fold);
        assert.deepEqual(market.daily(id, DAY, DAY, until), [fold]);
        if (stop === 39_990) continue;
        for (; second <= stop; second += 1) {
          const print = market.print(id, tickOf(DAY, second));
          if (print !== undefined) turnover += print.price * print.quantity;
        }
        assert.equal(figures?.turnover, turnover, `turnover of ${id} at ${stop}`);
      }
    }
  }
});

test('volume never falls and open interest never moves by more than was traded', () => {
  const market = freshMarket('exchange');
  for (const id of [FUTURE, must(OPTIONS[4], 'an option')]) {
    let before = market.dayFigures(id, tickOf(DAY, 33_900));
    for (let second = 33_901; second < 38_000; second += 13) {
      const figures = market.dayFigures(id, tickOf(DAY, second));
      if (before !== undefined && figures !== undefined) {
        const traded = figures.volume - before.volume;
        assert.ok(traded >= 0);
        assert.ok(Math.abs(figures.openInterest - before.openInterest) <= traded);
      }
      before = figures;
    }
  }
});

test('open interest of a day begins where the day before ended, and is the same until the first print', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of [FUTURE, must(OPTIONS[4], 'an option')]) {
      const before = must(
        market.daily(id, (DAY - 3) as IstDay, (DAY - 1) as IstDay, LATER).at(-1),
        'a day',
      ).openInterest;
      assert.ok(before > 0);
      const midnight = tickOf(DAY, 0);
      let tick = midnight;
      for (; market.dayFigures(id, tick) === undefined; tick = (tick + 1) as Tick)
        if (tick % 97 === 0)
          assert.equal(market.openInterest(id, tick), before, `${regime}: second ${tick - midnight}`);
      for (const second of [tick - midnight, 40_017, 86_399]) {
        const at = tickOf(DAY, second);
        assert.equal(market.openInterest(id, at), market.dayFigures(id, at)?.openInterest);
      }
    }
    for (const id of [SHARE, IDLE_SHARE, NIFTY]) assert.equal(market.openInterest(id, tickOf(DAY, 40_000)), 0);
  }
});

test('open interest of a day without trading is that with which the trading day before ended', () => {
  const market = freshMarket('exchange');
  const ended = market.openInterest(FUTURE, tickOf((HOLIDAY - 1) as IstDay, 86_399));
  assert.ok(ended > 0);
  assert.equal(market.openInterest(FUTURE, tickOf(HOLIDAY, 40_000)), ended);
});

test('history goes back to the first days of 2020, not further', () => {
  const market = freshMarket('always');
  const candles = market.daily(SHARE, civil(2019, 12, 1), civil(2020, 1, 10), LATER);
  assert.equal(must(candles[0], 'a candle').start, istInstant(civil(2020, 1, 1)));
  assert.equal(candles.length, 10);
  assert.deepEqual(market.intraday(SHARE, 1, instantOf(0 as Tick), istInstant(civil(2019, 12, 31)), LATER), []);
});
