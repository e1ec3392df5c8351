import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import { tickOf } from '../../base/tick.ts';
import { type IstDay, istInstant, MINUTE_MS } from '../../base/time.ts';
import {
  ALL_IDS,
  BSE_SHARE,
  civil,
  FUTURE,
  freshMarket,
  IDLE_SHARE,
  NIFTY,
  OPTIONS,
  SHARE,
  SHARE_IDS,
  STOCK_FUTURE,
} from '../synthetic/fixture.ts';
import { type CandleRow, candleDay, recordedMarket, tickDay } from './fixture.ts';
import type { RecordedDay } from './recorded-days.ts';

/** Monday to Friday, and the Monday after. */
const WEEK = [14, 15, 16, 17, 18].map((day) => civil(2026, 9, day));
const [MONDAY, TUESDAY] = [must(WEEK[0], 'a day'), must(WEEK[1], 'a day')];
const FRIDAY = must(WEEK[4], 'a day');
const BEFORE = civil(2026, 9, 11);
const AFTER = civil(2026, 9, 21);
const MORNING = 36_000;
const OPEN = 555;

/** The candles of a day of another market, as a tape has them. */
function recordedFrom(id: InstrumentId, day: IstDay, seed: number): RecordedDay {
  const market = freshMarket('exchange', seed);
  const candles = market.intraday(id, 1, istInstant(day), istInstant(day, 86_399_999), tickOf(day, 86_399));
  const rows = candles.map(({ start, open, high, low, close, volume, openInterest }): CandleRow => {
    return [(start - istInstant(day)) / MINUTE_MS, open, high, low, close, volume, openInterest];
  });
  return candleDay(day, rows);
}

const weeks = new Map<InstrumentId, RecordedDay[]>();

function weekOf(...ids: readonly InstrumentId[]): Map<InstrumentId, RecordedDay[]> {
  for (const id of ids) {
    if (!weeks.has(id))
      weeks.set(
        id,
        WEEK.map((day) => recordedFrom(id, day, 99)),
      );
  }
  return new Map(ids.map((id) => [id, must(weeks.get(id), 'a week')]));
}

test('a week of one-minute candles comes back exactly, with its open interest, as a whole and as days', () => {
  const recorded = recordedMarket(weekOf(SHARE, NIFTY, STOCK_FUTURE), { seed: 1 });
  const source = freshMarket('exchange', 99);
  const range = [istInstant(MONDAY), istInstant(FRIDAY, 86_399_999), tickOf(FRIDAY, 86_399)] as const;
  for (const id of [SHARE, NIFTY, STOCK_FUTURE]) {
    for (const minutes of [1, 15]) {
      const [expected, found] = [source.intraday(id, minutes, ...range), recorded.intraday(id, minutes, ...range)];
      assert.ok(expected.length > 0);
      assert.deepEqual(found, expected, `${minutes} minutes of ${id}`);
    }
    const days = [MONDAY, FRIDAY, tickOf(FRIDAY, 86_399)] as const;
    assert.deepEqual(recorded.daily(id, ...days), source.daily(id, ...days));
  }
});

test('an instrument trades on the days of its tape alone, and says which they are', () => {
  const market = recordedMarket(weekOf(SHARE));
  for (const day of WEEK) {
    assert.equal(market.phase(SHARE, tickOf(day, MORNING)), 'Continuous');
    assert.equal(market.outsideRecord(SHARE, day), undefined);
  }
  const span = { from: MONDAY, to: FRIDAY };
  for (const day of [BEFORE, AFTER]) {
    const tick = tickOf(day, MORNING);
    for (const id of [SHARE, BSE_SHARE, STOCK_FUTURE]) {
      assert.equal(market.phase(id, tick), 'Closed', `${id} on ${day}`);
      assert.deepEqual(market.depth(id, tick), { bids: [], asks: [] });
      assert.equal(market.print(id, tick), undefined);
      assert.deepEqual(market.outsideRecord(id, day), span);
      assert.ok(market.lastPrint(id, tick).price > 0);
    }
    const other = must(SHARE_IDS[0], 'a share');
    assert.equal(market.phase(other, tick), 'Continuous', 'the rest is drawn');
    assert.equal(market.outsideRecord(other, day), undefined);
  }
  const saturday = civil(2026, 9, 12 + 7);
  assert.deepEqual(market.outsideRecord(SHARE, saturday), span);
});

test('the close before the first day is its first open, and after the last day the last close stays', () => {
  const market = recordedMarket(weekOf(SHARE));
  const [first] = market.daily(SHARE, MONDAY, FRIDAY, tickOf(FRIDAY, 86_399));
  assert.equal(market.previousClose(SHARE, tickOf(MONDAY, MORNING)), first?.open);
  const last = market.lastPrint(SHARE, tickOf(FRIDAY, 86_000)).price;
  assert.equal(market.lastPrint(SHARE, tickOf(AFTER, MORNING)).price, last);
  assert.equal(market.settlementPrice(SHARE, tickOf(AFTER, MORNING)), last);
});

test('a published close counts, before the first day and after each', () => {
  const official = { close: 125_550, previousClose: 124_440, settlement: 0 };
  const days = WEEK.map((day) => ({ ...recordedFrom(SHARE, day, 99), official }));
  const market = recordedMarket(new Map([[SHARE, days]]));
  assert.equal(market.previousClose(SHARE, tickOf(MONDAY, MORNING)), 124_440);
  assert.equal(market.previousClose(SHARE, tickOf(TUESDAY, MORNING)), 125_550);
});

test('a minute without a candle has no print, and a day without one is closed', () => {
  const rows: CandleRow[] = [
    [OPEN, 126_000, 126_100, 125_900, 126_050, 5_000],
    [OPEN + 7, 126_300, 126_300, 126_300, 126_300, 40],
  ];
  const market = recordedMarket(
    new Map([
      [
        SHARE,
        [
          candleDay(MONDAY, rows),
          candleDay(
            FRIDAY,
            rows.map((row) => row),
          ),
        ],
      ],
    ]),
  );
  for (let second = (OPEN + 1) * 60; second < (OPEN + 7) * 60; second += 1) {
    assert.equal(market.print(SHARE, tickOf(MONDAY, second)), undefined);
    const { bids, asks } = market.depth(SHARE, tickOf(MONDAY, second));
    assert.ok(must(bids[0], 'a bid').price <= 126_050 && must(asks[0], 'an ask').price >= 126_050);
  }
  assert.equal(market.phase(SHARE, tickOf(TUESDAY, MORNING)), 'Closed');
  assert.deepEqual(market.outsideRecord(SHARE, TUESDAY), { from: MONDAY, to: FRIDAY });
});

test('contracts and the twin of a taped share follow it, and the contracts of a taped index', () => {
  const market = recordedMarket(weekOf(SHARE, NIFTY));
  for (const day of WEEK) {
    for (let second = OPEN * 60 + 600; second < 920 * 60; second += 1_777) {
      const tick = tickOf(day, second);
      const share = market.lastPrint(SHARE, tick).price;
      assert.ok(Math.abs(market.lastPrint(BSE_SHARE, tick).price / share - 1) < 0.002, `the twin at ${tick}`);
      assert.ok(Math.abs(market.risk(STOCK_FUTURE, tick).price / share - 1) < 0.015, `the future at ${tick}`);
      const index = market.lastPrint(NIFTY, tick).price;
      const { bids, asks } = market.depth(FUTURE, tick);
      const middle = (must(bids[0], 'a bid').price + must(asks[0], 'an ask').price) / 2;
      assert.ok(Math.abs(middle / index - 1) < 0.015, `the future of the index at ${tick}`);
    }
  }
});

test('options of a taped index keep parity with its future', () => {
  const market = recordedMarket(weekOf(NIFTY));
  const [call, put] = [must(OPTIONS[4], 'a call'), must(OPTIONS[5], 'a put')];
  const tick = tickOf(TUESDAY, MORNING);
  const forward = market.risk(FUTURE, tick).price;
  const gap = market.risk(call, tick).value - market.risk(put, tick).value - (forward - 2_400_000);
  assert.ok(Math.abs(gap) < 0.004 * forward, `${gap}`);
});

test('where tapes alone are played nothing else trades', () => {
  const market = recordedMarket(weekOf(SHARE), { drawsTheRest: false });
  const tick = tickOf(TUESDAY, MORNING);
  const playing = ALL_IDS.filter((id) => market.phase(id, tick) !== 'Closed');
  assert.deepEqual(playing.toSorted(), [SHARE, BSE_SHARE, STOCK_FUTURE].toSorted());
  assert.equal(market.outsideRecord(IDLE_SHARE, TUESDAY), 'none');
  assert.equal(market.outsideRecord(NIFTY, TUESDAY), 'none');
  const price = market.lastPrint(IDLE_SHARE, tick).price;
  assert.equal(market.lastPrint(IDLE_SHARE, tickOf(FRIDAY, MORNING)).price, price, 'its price stands still');
});

test('an index without a tape stays on its own paths, whichever of its members follow one', () => {
  const [mixed, drawn] = [recordedMarket(weekOf(SHARE), { seed: 5 }), freshMarket('exchange', 5)];
  for (const day of WEEK) {
    for (const second of [MORNING, 50_000, 86_000]) {
      assert.deepEqual(mixed.lastPrint(NIFTY, tickOf(day, second)), drawn.lastPrint(NIFTY, tickOf(day, second)));
    }
    // In its close a member with a tape counts by the last value of its path, not by the average of its trades.
    const [close, own] = [mixed, drawn].map((market) => market.previousClose(NIFTY, tickOf(day, MORNING)));
    assert.ok(Math.abs(must(close, 'a close') / must(own, 'a close') - 1) < 0.001);
  }
});

test('several ticks of a second all count: in the fills, the volume, the range and the turnover', () => {
  const start = OPEN * 60;
  const day = tickDay(MONDAY, [
    [start, 126_000, 10, 125_990, 70, 126_000, 300],
    [start + 5, 126_100, 4, 126_050, 10, 126_100, 20],
    [start + 5, 125_800, 6, 125_800, 25, 125_900, 30],
    [start + 5, 126_000, 2, 125_950, 40, 126_000, 50],
    [start + 9, 126_000, 0, 125_990, 11, 126_010, 12],
  ]);
  const market = recordedMarket(new Map([[SHARE, [day]]]));
  const tick = tickOf(MONDAY, start + 5);
  const prints = market.printsAt(SHARE, tick).map(({ price, quantity, aggressor }) => [price, quantity, aggressor]);
  assert.deepEqual(prints, [
    [126_100, 4, 'B'],
    [125_800, 6, 'S'],
    [126_000, 2, 'B'],
  ]);
  assert.deepEqual(market.print(SHARE, tick), { tick, price: 126_000, quantity: 12, aggressor: 'B' });
  const { high, low, last, volume, turnover } = must(market.dayFigures(SHARE, tick), 'figures');
  assert.deepEqual([high, low, last, volume], [126_100, 125_800, 126_000, 22]);
  assert.equal(turnover, 10 * 126_000 + 4 * 126_100 + 6 * 125_800 + 2 * 126_000);
  const { bids, asks } = market.depth(SHARE, tick);
  assert.deepEqual([bids[0]?.price, bids[0]?.quantity], [125_950, 40], 'the recorded touch, with its quantity');
  assert.deepEqual([asks[0]?.price, asks[0]?.quantity], [126_000, 50]);
  assert.equal(market.quantityAt(SHARE, tick, 'B', must(bids[0], 'a bid').price), 40);
  const quoted = market.depth(SHARE, tickOf(MONDAY, start + 9) as Tick);
  assert.deepEqual([quoted.bids[0]?.quantity, quoted.asks[0]?.price], [11, 126_010], 'a quote without a print');
  assert.equal(market.print(SHARE, tickOf(MONDAY, start + 9)), undefined);
  assert.notEqual(quoted.bids[0]?.generation, bids[0]?.generation);
});

test('the market never trades outside its band, and neither leaves its reach nor slides its band in it', () => {
  const rows: CandleRow[] = [];
  for (let minute = OPEN; minute < 930; minute += 1) {
    const price = 126_000 + 60 * (minute - OPEN);
    rows.push([minute, price, price + 300, price - 200, price + 100, 7_000]);
  }
  const option = must(OPTIONS[4], 'an option');
  for (const id of [IDLE_SHARE, option]) {
    const market = recordedMarket(new Map([[id, [candleDay(MONDAY, rows)]]]));
    let slides = 0;
    for (let second = OPEN * 60; second < 930 * 60; second += 7) {
      const tick = tickOf(MONDAY, second);
      const band = market.band(id, tick);
      for (const { price } of market.printsAt(id, tick)) assert.ok(price >= band.lower && price <= band.upper);
      const reach = market.reach(id, tick);
      if (reach === undefined) {
        slides += 1;
        continue;
      }
      const { bids, asks } = market.depth(id, tick);
      assert.ok(must(bids[0], 'a bid').price <= reach.highest && must(asks[0], 'an ask').price >= reach.lowest);
      for (let later = tick; later <= reach.until; later = (later + 11) as Tick) {
        const { price } = market.lastPrint(id, later);
        assert.ok(price >= reach.lowest && price <= reach.highest);
        assert.deepEqual(market.band(id, later), band);
      }
    }
    // Of a contract no band slides; that of the share does, in some minutes of a day that rises by a sixth.
    if (id === option) assert.equal(slides, 0);
    else assert.ok(slides > 0 && slides < 900, `${slides} of 3,000 seconds without a reach`);
  }
});

test('where every hour trades a taped instrument trades in the hours of its tape', () => {
  const market = recordedMarket(weekOf(SHARE), { regime: 'always' });
  assert.equal(market.phase(SHARE, tickOf(MONDAY, 20_000)), 'Closed');
  assert.equal(market.phase(SHARE, tickOf(MONDAY, OPEN * 60)), 'Continuous');
  assert.equal(market.phase(STOCK_FUTURE, tickOf(MONDAY, 20_000)), 'Closed');
  assert.equal(market.phase(STOCK_FUTURE, tickOf(MONDAY, OPEN * 60 + 60)), 'Continuous');
  assert.equal(market.phase(IDLE_SHARE, tickOf(MONDAY, 20_000)), 'Continuous');
});
