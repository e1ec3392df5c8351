import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { tickOf } from '../../../base/tick.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Instrument } from '../../../core/instrument.ts';
import {
  ALL_IDS,
  BSE_SHARE,
  CALENDAR,
  civil,
  FACTS,
  FUTURE,
  fixtureInstruments,
  freshMarket,
  freshRoster,
  IDLE_SHARE,
  NIFTY,
  OPTIONS,
  SHARE,
  SHARE_IDS,
  STOCK_FUTURE,
} from '../../synthetic/fixture.ts';
import { SyntheticMarket } from '../../synthetic/synthetic-market.ts';
import { bandAround, bandAt, optionBand } from './band.ts';

const DAY = civil(2026, 9, 14);
const NOON = 43_200;

test('the bands of R1.40 are rounded inwards to the tick', () => {
  const edges = (percent?: number) => {
    const { lower, upper } = bandAround(42_540 as Price, 'equity', 5 as Price, percent).edges;
    return [lower, upper];
  };
  assert.deepEqual(edges(2), [41_690, 43_390]);
  assert.deepEqual(edges(5), [40_415, 44_665]);
  assert.deepEqual(edges(10), [38_290, 46_790]);
  assert.deepEqual(edges(20), [34_035, 51_045]);
  assert.deepEqual(edges(), edges(20), 'the usual one');
});

test('a narrow band gives way in steps that are as narrow', () => {
  const flexOf = (percent: number) => bandAround(10_000 as Price, 'equity', 5 as Price, percent).flex;
  assert.deepEqual([flexOf(2), flexOf(5), flexOf(20)], [200, 500, 500]);
});

test('a future has 10 % on each side', () => {
  const { lower, upper } = bandAround(2_400_050 as Price, 'future', 10 as Price).edges;
  assert.deepEqual([lower, upper], [2_160_050, 2_640_050]);
});

test('the smallest prices keep a band of at least a tick', () => {
  assert.deepEqual(bandAround(1 as Price, 'equity', 1 as Price), { edges: { lower: 1, upper: 1 }, flex: 0.05 });
});

test('an option has the most of a fifth of the spot by its delta, two fifths of its value, and 20 rupees', () => {
  const range = (value: number, delta: number) => {
    const { lower, upper } = optionBand(value, delta, 2_400_000, 5 as Price).edges;
    return [lower, upper];
  };
  assert.deepEqual(range(20_000, 0.5), [5, 260_000]);
  assert.deepEqual(range(20_000, -0.01), [12_000, 28_000]);
  assert.deepEqual(range(3_000, 0.001), [1_000, 5_000]);
  assert.deepEqual(range(3, 0), [5, 2_000]);
});

test('every price of the market is inside the band of its second, also on wild days', () => {
  const market = freshMarket('exchange');
  for (const id of ALL_IDS) {
    for (let back = 0; back < 30; back += 1) {
      const tick = tickOf((DAY - back) as IstDay, NOON);
      const { price, quantity } = market.lastPrint(id, tick);
      const { lower, upper } = market.band(id, tick);
      assert.ok(quantity === 0 || (price >= lower && price <= upper), `${id} ${back} days before`);
    }
  }
});

test('the band stands around the previous close for the whole day', () => {
  const market = freshMarket('exchange');
  for (const id of [SHARE, FUTURE, NIFTY, must(OPTIONS[4], 'an option')]) {
    const morning = market.band(id, tickOf(DAY, 33_300));
    assert.deepEqual(market.band(id, tickOf(DAY, 55_000)), morning);
    const close = market.previousClose(id, tickOf(DAY, NOON));
    assert.ok(morning.lower < close && close < morning.upper);
  }
});

test('an edge that the market stands at gives way in whole steps, and the other stays', () => {
  const roster = freshRoster('exchange', 1);
  const { tape } = must(roster.get(SHARE).traded(DAY), 'a trading day');
  const price = tape.printPrice(tape.lastPrint(NOON)).price;
  const tick = 10 as Price;
  for (const factor of [0.5, 0.79, 1, 1.3, 1.9]) {
    const band = bandAround((Math.round(price * factor * 0.1) * 10) as Price, 'equity', tick);
    const { edges, flex } = band;
    const { lower, upper } = bandAt(band, tape, NOON);
    assert.ok(lower <= price && price <= upper);
    assert.ok(lower === edges.lower || upper === edges.upper);
    const steps = Math.max(upper - edges.upper, edges.lower - lower) / flex;
    assert.ok(Math.abs(steps - Math.round(steps)) * flex < tick, `${steps} steps`);
    assert.equal(steps > 0, price > edges.upper || price < edges.lower);
  }
});

test('a band stands while the fair values of the minute leave room for every print within it, and no longer', () => {
  const roster = freshRoster('exchange', 1);
  const { tape } = must(roster.get(SHARE).traded(DAY), 'a trading day');
  const { tick } = tape;
  let loose = 0;
  for (let minute = tape.open / 60; minute < tape.close / 60; minute += 1) {
    const near = tape.nearBounds(minute);
    const [lower, upper] = [Math.floor(near.low) * tick, Math.ceil(near.high) * tick] as [Price, Price];
    const flex = 50 * tick;
    assert.deepEqual(bandAt({ edges: { lower, upper }, flex }, tape, minute * 60), { lower, upper });
    const narrower = bandAt({ edges: { lower, upper: (upper - tick) as Price }, flex }, tape, minute * 60);
    assert.equal(narrower.upper, upper - tick + flex);
    if (Math.ceil(tape.highBound(minute)) * tick > upper) loose += 1;
  }
  assert.ok(loose > 100, `only ${loose} minutes whose bounds by quarters are wider`);
});

test('the band of a share with contracts slides on a wild day, for good, and asked in any order', () => {
  const wild = 20_186 as IstDay;
  const share = must(SHARE_IDS[4], 'a share');
  const market = freshMarket('exchange', 1);
  const afternoon = market.band(share, tickOf(wild, 54_000));
  const close = market.previousClose(share, tickOf(wild, 54_000));
  const morning = market.band(share, tickOf(wild, 33_300));
  const share10 = (of: number) => Math.round((of / close) * 100);
  assert.deepEqual([share10(morning.lower), share10(morning.upper)], [90, 110]);
  assert.deepEqual([share10(afternoon.lower), share10(afternoon.upper)], [85, 105]);
  let slid = 0;
  for (let second = 33_300; second < 54_900; second += 60) {
    const { lower, upper } = freshEdges(market.band(share, tickOf(wild, second)), close);
    assert.equal(Math.round(upper - lower), 20, 'it slides, and does not widen');
    if (Math.round(upper) !== 110) slid += 1;
    assert.ok(slid === 0 || Math.round(upper) === 105, 'it does not come back');
    const { price } = market.lastPrint(share, tickOf(wild, second));
    assert.ok((price / close) * 100 <= upper && (price / close) * 100 >= lower);
  }
  assert.ok(slid > 0);
});

function freshEdges({ lower, upper }: { lower: number; upper: number }, close: number) {
  return { lower: (lower / close) * 100, upper: (upper / close) * 100 };
}

test('a share, its other listing and its future slide together', () => {
  for (let back = 0; back < 40; back += 1) {
    const market = freshMarket('exchange');
    const tick = tickOf((DAY - back) as IstDay, 54_000);
    const slid = [SHARE, BSE_SHARE, STOCK_FUTURE].map((id) => {
      const { lower, upper } = market.band(id, tick);
      return Math.round(((lower + upper) / 2 / market.previousClose(id, tick) - 1) * 100);
    });
    assert.ok(
      slid.every((one) => one === slid[0]),
      `${back} days before: ${slid}`,
    );
  }
});

test('a fund has 10 %, a share without contracts 20 %, and one with them 10 %', () => {
  const widths = (change: object) => {
    const get = (id: InstrumentId) => {
      const instrument = fixtureInstruments.get(id);
      return id === IDLE_SHARE && instrument !== undefined ? ({ ...instrument, ...change } as Instrument) : instrument;
    };
    const market = freshMarket('exchange', 1, undefined, { get });
    const tick = tickOf(DAY, 33_300);
    const { lower, upper } = market.band(IDLE_SHARE, tick);
    const close = market.previousClose(IDLE_SHARE, tick);
    return [Math.round((lower / close - 1) * 100), Math.round((upper / close - 1) * 100)];
  };
  assert.deepEqual(widths({ hasDerivatives: true }), [-10, 10]);
  assert.deepEqual(widths({ hasDerivatives: false }), [-20, 20]);
  assert.deepEqual(widths({ hasDerivatives: false, isin: 'INF204KB14I2' }), [-10, 10]);
});

test('a stock future has 3 % around its last price once its share is in the closing auction', () => {
  const closing = [
    { phase: 'Continuous', start: 33_300_000, randomFrom: 54_900_000, end: 54_900_000 },
    { phase: 'ClosingReference', start: 54_900_000, randomFrom: 55_200_000, end: 55_200_000 },
  ] as const;
  const ofContracts = [{ phase: 'Continuous', start: 33_300_000, randomFrom: 56_400_000, end: 56_400_000 }] as const;
  const market = new SyntheticMarket({
    seed: 3,
    regime: 'exchange',
    instruments: fixtureInstruments,
    facts: FACTS,
    calendar: { ...CALENDAR, phases: ({ id }) => (id === SHARE ? closing : ofContracts) },
  });
  const before = tickOf(DAY, 54_899);
  const { price } = market.lastPrint(STOCK_FUTURE, before);
  const shares = (second: number) => {
    const { lower, upper } = market.band(STOCK_FUTURE, tickOf(DAY, second));
    return [Math.round((lower / price - 1) * 100), Math.round((upper / price - 1) * 100)];
  };
  assert.deepEqual(shares(54_900), [-3, 3]);
  assert.deepEqual(shares(56_399), [-3, 3]);
  const [lower = 0, upper = 0] = shares(54_899);
  assert.ok(upper - lower >= 18, 'before that it is wide');
});
