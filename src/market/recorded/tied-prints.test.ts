import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import { Random } from '../../base/random.ts';
import { tickOf } from '../../base/tick.ts';
import { istInstant, MINUTE_MS } from '../../base/time.ts';
import type { Candle } from '../../core/market.ts';
import { MINUTE_SECONDS } from '../day-tape.ts';
import { civil, FUTURE, NIFTY, SHARE } from '../synthetic/fixture.ts';
import { type CandleRow, candleDay, recordedMarket } from './fixture.ts';

const DAY = civil(2026, 9, 14);
const NEXT = civil(2026, 9, 15);
const OPEN = 555;
const SEED = Number(process.env.TIED_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Candles that a drawer of prints could get wrong: prices in paise on a tick of 10. */
const ODD: readonly (readonly [string, readonly number[], number])[] = [
  ['one price', [1000, 1000, 1000, 1000], 500],
  ['one unit at one price', [1000, 1000, 1000, 1000], 1],
  ['one unit with four prices', [1010, 1050, 990, 1020], 1],
  ['two units with four prices', [1010, 1050, 990, 1020], 2],
  ['no volume at one price', [1000, 1000, 1000, 1000], 0],
  ['no volume with four prices', [1010, 1050, 990, 1020], 0],
  ['open at the high', [1050, 1050, 990, 1020], 700],
  ['open at the low and close at the high', [990, 1050, 990, 1050], 700],
  ['open and close alike, with a high', [1000, 1050, 1000, 1000], 3],
  ['open and close alike, with a low', [1000, 1000, 950, 1000], 3],
  ['open and close alike, with both', [1000, 1050, 950, 1000], 2],
  ['off the tick', [1001, 1057, 983, 1022], 700],
  ['far apart', [1000, 2_000_000, 10, 1_000_000], 3_000_000],
];

function drawnCandle(random: Random, minute: number): CandleRow {
  const low = 10 * random.between(1, 20_000);
  const high = low + 10 * random.between(0, random.below(2) === 0 ? 3 : 500);
  const within = () => low + 10 * random.below((high - low) / 10 + 1);
  const volume = random.below(4) === 0 ? random.below(70) : random.below(1_000_000);
  return [minute, within(), high, low, within(), volume, random.below(1_000_000)];
}

/** The candles that the single prints of each second fold to. */
function foldedPrints(market: ReturnType<typeof recordedMarket>, id: InstrumentId, minute: number): Candle | undefined {
  let candle: { open: number; high: number; low: number; close: number; volume: number } | undefined;
  for (let second = minute * MINUTE_SECONDS; second < (minute + 1) * MINUTE_SECONDS; second += 1) {
    const prints = market.printsAt(id, tickOf(DAY, second));
    assert.deepEqual(prints.at(-1)?.price, market.print(id, tickOf(DAY, second))?.price);
    for (const { price, quantity } of prints) {
      candle ??= { open: price, high: price, low: price, close: price, volume: 0 };
      candle.high = Math.max(candle.high, price);
      candle.low = Math.min(candle.low, price);
      candle.close = price;
      candle.volume += quantity;
    }
  }
  return candle as Candle | undefined;
}

function expectSame(id: InstrumentId, rows: readonly CandleRow[], note: string, lot: number): void {
  const market = recordedMarket(new Map([[id, [candleDay(DAY, rows)]]]), { seed: SEED });
  const until = tickOf(DAY, 86_399) as Tick;
  const candles = market.intraday(id, 1, istInstant(DAY), istInstant(DAY, 86_399_999), until);
  assert.equal(candles.length, rows.length, note);
  let before = 0;
  for (const [place, [minute, open, high, low, close, volume, openInterest = 0]] of rows.entries()) {
    const context = `${note}, seed ${SEED}, row ${place}: ${JSON.stringify(rows[place])}`;
    const start = istInstant(DAY, minute * MINUTE_MS);
    assert.deepEqual(candles[place], { start, open, high, low, close, volume, openInterest }, context);
    const folded = foldedPrints(market, id, minute);
    // Prints fill orders in whole lots, so what is over comes with a later print.
    const after = before + volume;
    const inLots = after - (after % lot) - (before - (before % lot));
    assert.deepEqual(folded, { open, high, low, close, volume: inLots }, context);
    before = after;
  }
}

test('the prints of odd candles fold back to them exactly', () => {
  for (const [name, prices, volume] of ODD) {
    const [open, high, low, close] = prices as [number, number, number, number];
    for (const id of [SHARE, NIFTY, FUTURE]) {
      const row: CandleRow = [OPEN + 3, open, high, low, close, volume, 650];
      expectSame(id, [row], name, id === FUTURE ? 65 : 1);
    }
  }
});

test('the prints of drawn candles fold back to them exactly, also where the volume is not a multiple of the lot', () => {
  const random = new Random(SEED);
  for (const id of [SHARE, NIFTY, FUTURE]) {
    const rows: CandleRow[] = [];
    for (let minute = OPEN - 8; minute < OPEN + 385; minute += 1 + random.below(2) * random.below(4)) {
      rows.push(drawnCandle(random, minute));
    }
    expectSame(id, rows, `drawn candles of ${id}`, id === FUTURE ? 65 : 1);
  }
});

test('longer candles, and the candle of a whole day, fold back to them exactly', () => {
  const random = new Random(SEED);
  for (const id of [SHARE, FUTURE]) {
    for (const span of [5, 15, 60] as const) {
      const rows: CandleRow[] = [];
      for (let minute = OPEN; minute + span <= OPEN + 360; minute += span) rows.push(drawnCandle(random, minute));
      const market = recordedMarket(new Map([[id, [candleDay(DAY, rows, span)]]]), { seed: SEED });
      const until = tickOf(DAY, 86_399) as Tick;
      const candles = market.intraday(id, span, istInstant(DAY), istInstant(DAY, 86_399_999), until);
      const expected = rows.map(([minute, open, high, low, close, volume, openInterest = 0]) => {
        return { start: istInstant(DAY, minute * MINUTE_MS), open, high, low, close, volume, openInterest };
      });
      assert.deepEqual(candles, expected, `span ${span}, seed ${SEED}`);
    }
    for (const [name, prices, volume] of ODD) {
      const [open, high, low, close] = prices as [number, number, number, number];
      const days = [
        candleDay(DAY, [[0, open, high, low, close, volume]], 'day'),
        candleDay(NEXT, [[0, 500, 500, 500, 500, 65]], 'day'),
      ];
      const market = recordedMarket(new Map([[id, days]]));
      const [candle] = market.daily(id, DAY, DAY, tickOf(DAY, 86_399));
      const { start: _, openInterest: __, ...fields } = must(candle, 'a candle');
      assert.deepEqual(fields, { open, high, low, close, volume }, `${name} as a day of ${id}`);
      assert.equal(market.previousClose(id, tickOf(NEXT, 40_000)), close, `the close of ${name}`);
    }
  }
});

test('the last and the first candle of a session trade within it, whatever minutes they span', () => {
  const close = OPEN + 375;
  for (const regime of ['exchange', 'always'] as const) {
    for (const span of [2, 10, 30, 60]) {
      // Counted from the open, the last of them begins within the session and would end after it.
      const last = close - (375 % span);
      const rows: CandleRow[] = [
        [OPEN - 1, 990, 1010, 980, 1000, 60_000],
        [last, 1000, 1050, 950, 1020, 60_000],
      ];
      const market = recordedMarket(new Map([[SHARE, [candleDay(DAY, rows, span)]]]), { regime });
      const figures = (second: number) => must(market.dayFigures(SHARE, tickOf(DAY, second)), 'figures');
      const note = `${span} minutes in ${regime} hours`;
      assert.ok(market.printsAt(SHARE, tickOf(DAY, OPEN * MINUTE_SECONDS)).length > 0, note);
      const { open, last: price, volume } = figures(close * MINUTE_SECONDS - 1);
      assert.deepEqual([open, price, volume], [990, 1020, 120_000], note);
      assert.equal(figures(86_399).volume, 120_000, note);
      assert.notEqual(market.phase(SHARE, tickOf(DAY, close * MINUTE_SECONDS)), 'Continuous', note);
    }
  }
});

test('a candle behind the session ends with the day', () => {
  const market = recordedMarket(new Map([[SHARE, [candleDay(DAY, [[1_430, 1000, 1050, 950, 1020, 60_000]], 60)]]]));
  const { last, volume } = must(market.dayFigures(SHARE, tickOf(DAY, 86_399)), 'figures');
  assert.deepEqual([last, volume], [1020, 60_000]);
});

test('prints are the same in whatever order they are asked for, and of a fresh market', () => {
  const random = new Random(SEED);
  const rows = Array.from({ length: 30 }, (_, i) => drawnCandle(random, OPEN + i));
  const make = () => recordedMarket(new Map([[SHARE, [candleDay(DAY, rows)]]]), { seed: SEED });
  const [forwards, random_] = [make(), make()];
  const ticks = Array.from({ length: 1_800 }, (_, i) => tickOf(DAY, OPEN * 60 + i));
  const answers = new Map(ticks.map((tick) => [tick, forwards.printsAt(SHARE, tick)]));
  const depths = new Map(ticks.map((tick) => [tick, forwards.depth(SHARE, tick)]));
  for (let i = 0; i < 600; i += 1) {
    const tick = ticks[random.below(ticks.length)] as Tick;
    assert.deepEqual(random_.printsAt(SHARE, tick), answers.get(tick), `seed ${SEED}`);
    assert.deepEqual(random_.depth(SHARE, tick), depths.get(tick), `seed ${SEED}`);
  }
});
