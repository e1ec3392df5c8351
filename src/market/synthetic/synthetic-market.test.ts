import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import type { Price } from '../../base/money.ts';
import { hashText, Random } from '../../base/random.ts';
import { instantOf, tickOf } from '../../base/tick.ts';
import { type IstDay, istDay } from '../../base/time.ts';
import type { Depth, Print } from '../../core/market.ts';
import {
  ALL_IDS,
  BSE_SHARE,
  civil,
  EXPIRY,
  FUTURE,
  freshMarket,
  HOLIDAY,
  IDLE_SHARE,
  LISTED_ON,
  NIFTY,
  OPTIONS,
  REFERENCE_DAY,
  SHARE,
  SHARE_IDS,
  STOCK_FUTURE,
  VIX,
} from './fixture.ts';
import type { SyntheticMarket } from './synthetic-market.ts';

const DAY = civil(2026, 9, 14);
const NOON = 12 * 3_600;
const CASH_OPEN = 9 * 3_600 + 15 * 60;
const CASH_CLOSE = 15 * 3_600 + 30 * 60;
const REGIMES: readonly HoursRegime[] = ['always', 'exchange'];

type Question = (market: SyntheticMarket) => unknown;

/** The levels alone: the digest is of them, not of their sums. */
function sidesOf({ bids, asks }: Depth): Depth {
  return { bids, asks };
}

/** Questions of every kind, about any instrument, on days around DAY and far before it. */
function randomQuestions(seed: number, count: number): Question[] {
  const random = new Random(seed);
  const questions: Question[] = [];
  for (let i = 0; i < count; i += 1) {
    const id = random.pick(ALL_IDS);
    const day = random.chance(30) ? DAY - random.below(2_000) : DAY + random.below(30);
    const tick = tickOf(day as IstDay, random.between(CASH_OPEN - 600, CASH_CLOSE + 900));
    const price = (1_000 * random.between(1, 2_000)) as Price;
    const minutes = random.pick([1, 3, 15, 60]);
    const from = instantOf((tick - 3_600) as Tick);
    questions.push(
      random.pick<Question>([
        (market) => market.isOpen(id, tick),
        (market) => sidesOf(market.depth(id, tick)),
        (market) => market.quantityAt(id, tick, 'B', price),
        (market) => market.print(id, tick),
        (market) => market.lastPrint(id, tick),
        (market) => market.previousClose(id, tick),
        (market) => market.band(id, tick),
        (market) => {
          const { reprice, delta, ...figures } = market.risk(id, tick);
          return [figures, reprice(0.03, -0.02), delta(0.03)];
        },
        (market) => market.dayFigures(id, tick),
        (market) => market.intraday(id, minutes, from, instantOf(tick), tick),
        (market) => market.daily(id, (istDay(from) - 5) as IstDay, istDay(from), tick),
      ]),
    );
  }
  return questions;
}

test('neither the order of questions, nor earlier ones, nor a fresh start changes an answer', () => {
  for (const regime of REGIMES) {
    const questions = randomQuestions(41, 400);
    const first = freshMarket(regime);
    const answers = questions.map((question) => question(first));
    const second = freshMarket(regime);
    const backwards = questions.toReversed().map((question) => question(second));
    assert.deepEqual(backwards.toReversed(), answers, regime);
    assert.deepEqual(
      questions.map((question) => question(first)),
      answers,
      `${regime} again`,
    );
  }
});

test('the answers are the same on every machine', () => {
  const digest = (regime: HoursRegime) => {
    const market = freshMarket(regime);
    return hashText(0, JSON.stringify(randomQuestions(43, 500).map((question) => question(market))));
  };
  assert.deepEqual([digest('always'), digest('exchange')], [2_725_805_504, 262_747_420]);
});

test('another seed is another market', () => {
  const tick = tickOf(DAY, NOON);
  assert.notEqual(
    freshMarket('always', 1).lastPrint(SHARE, tick).price,
    freshMarket('always', 2).lastPrint(SHARE, tick).price,
  );
});

test('the holiday table moves no price: only the gap shows', () => {
  const market = freshMarket('exchange');
  assert.equal(market.isOpen(SHARE, tickOf(HOLIDAY, NOON)), false);
  assert.equal(market.tradingDay(instantOf(tickOf(HOLIDAY, NOON))), HOLIDAY - 1);
  assert.deepEqual(
    market.intraday(SHARE, 1, instantOf(tickOf(HOLIDAY, 0)), instantOf(tickOf(HOLIDAY, 86_399)), tickOf(DAY, 0)),
    [],
  );
});

test('at the reference close a share and an index stand at the reference', () => {
  const market = freshMarket('exchange');
  const close = (id: InstrumentId) => market.lastPrint(id, tickOf(REFERENCE_DAY, CASH_CLOSE)).price;
  assert.ok(Math.abs(close(SHARE) - 126_000) <= 200, `${close(SHARE)}`);
  assert.ok(Math.abs(close(NIFTY) - 2_425_200) <= 2_000, `${close(NIFTY)}`);
});

test('in exchange hours cash trades 09:15 to 15:30 and contracts to 15:40; in always hours every second does', () => {
  const market = freshMarket('exchange');
  const open = (id: InstrumentId, second: number) => market.isOpen(id, tickOf(DAY, second));
  assert.deepEqual(
    [CASH_OPEN - 1, CASH_OPEN, CASH_CLOSE - 1, CASH_CLOSE].map((second) => open(SHARE, second)),
    [false, true, true, false],
  );
  assert.equal(open(FUTURE, CASH_CLOSE + 599), true);
  assert.equal(open(FUTURE, CASH_CLOSE + 600), false);
  assert.equal(open(NIFTY, NOON), false);
  const always = freshMarket('always');
  for (const day of [DAY, HOLIDAY, civil(2026, 9, 13)]) {
    for (const second of [0, 3, NOON, 86_399]) assert.equal(always.isOpen(SHARE, tickOf(day, second)), true);
  }
});

test('the market is closed and its book empty outside hours, and the last trade stays', () => {
  const market = freshMarket('exchange');
  const evening = tickOf(DAY, 20 * 3_600);
  assert.deepEqual(market.depth(SHARE, evening), { bids: [], asks: [] });
  assert.equal(market.quantityAt(SHARE, evening, 'B', 100_000 as Price), 0);
  assert.equal(market.print(SHARE, evening), undefined);
  assert.deepEqual(market.lastPrint(SHARE, evening), market.lastPrint(SHARE, tickOf(DAY, CASH_CLOSE - 1)));
});

test('a day without trading yet shows the previous close as a price of quantity 0', () => {
  const market = freshMarket('exchange');
  const morning = tickOf(DAY, 8 * 3_600);
  for (const id of [SHARE, IDLE_SHARE]) {
    const last = market.lastPrint(id, morning);
    assert.equal(last.quantity, 0);
    assert.equal(last.price, market.previousClose(id, morning));
    assert.ok(last.tick < tickOf(DAY, 0));
    assert.equal(market.dayFigures(id, morning), undefined);
  }
});

test('the previous close is that of the trading day before, over weekends and holidays', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of [SHARE, NIFTY, FUTURE, BSE_SHARE, must(OPTIONS[3], 'an option')]) {
      for (const day of [DAY, (HOLIDAY + 3) as IstDay]) {
        const before = regime === 'always' ? day - 1 : day === DAY ? day - 3 : day - 4;
        const last = market.lastPrint(id, tickOf(before as IstDay, 86_399)).price;
        const close = market.previousClose(id, tickOf(day, NOON));
        assert.ok(Math.abs(close / last - 1) < 0.02, `${close} after ${last}`);
        assert.equal(market.closeOn(id, (day - 1) as IstDay), last);
      }
    }
  }
});

test('a quote late on a Sunday is that of Friday', () => {
  const market = freshMarket('exchange');
  const friday = civil(2026, 9, 11);
  const sunday = tickOf(civil(2026, 9, 13), NOON);
  assert.deepEqual(market.dayFigures(SHARE, sunday), market.dayFigures(SHARE, tickOf(friday, CASH_CLOSE)));
  assert.equal(market.previousClose(SHARE, sunday), market.previousClose(SHARE, tickOf(friday, NOON)));
  assert.equal(market.tradingDay(instantOf(sunday)), friday);
});

test('an index is the weighted sum of its members at every minute', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const references = SHARE_IDS.map((id) => market.closeOn(id, REFERENCE_DAY));
    const middle = (id: InstrumentId, tick: Tick) => {
      const { bids, asks } = market.depth(id, tick);
      return (must(bids[0], 'a bid').price + must(asks[0], 'an ask').price) / 2;
    };
    for (let minute = 600; minute < 900; minute += 37) {
      const tick = tickOf(DAY, minute * 60);
      let sum = 0;
      SHARE_IDS.forEach((id, i) => {
        sum += middle(id, tick) / must(references[i], 'a reference') / SHARE_IDS.length;
      });
      const level = market.lastPrint(NIFTY, tick).price;
      const expected = regime === 'exchange' ? 2_425_200 * sum : level;
      assert.ok(Math.abs(level / expected - 1) < 3e-4, `${regime} ${minute}: ${level} for ${expected}`);
    }
  }
});

test('calls, puts and the future of one expiry keep parity within their spreads', () => {
  const market = freshMarket('always');
  for (let second = 30_000; second < 80_000; second += 997) {
    const tick = tickOf(DAY, second);
    const touch = (id: InstrumentId) => {
      const { bids, asks } = market.depth(id, tick);
      return { bid: bids[0]?.price ?? 0, ask: must(asks[0], 'an ask').price };
    };
    const future = touch(FUTURE);
    for (let i = 0; i < OPTIONS.length; i += 2) {
      const call = touch(must(OPTIONS[i], 'a call'));
      const put = touch(must(OPTIONS[i + 1], 'a put'));
      const strike = (23_000 + 250 * i) * 100;
      const discounted = (price: number) => (price - strike) / 1.0085;
      assert.ok(call.bid - put.ask <= discounted(future.ask) + 400, `${second}: dear calls at ${strike}`);
      assert.ok(call.ask - put.bid >= discounted(future.bid) - 400, `${second}: cheap calls at ${strike}`);
    }
  }
});

test('a future stands above its underlying by carry', () => {
  const market = freshMarket('always');
  const tick = tickOf(DAY, NOON);
  const days = EXPIRY - DAY + (940 * 60 - NOON) / 86_400;
  for (const [future, spot] of [
    [FUTURE, NIFTY],
    [STOCK_FUTURE, SHARE],
  ] as const) {
    const { bids, asks } = market.depth(future, tick);
    const middle = (must(bids[0], 'a bid').price + must(asks[0], 'an ask').price) / 2;
    const basis = Math.log(middle / market.lastPrint(spot, tick).price);
    assert.ok(Math.abs(basis - (0.064 * days) / 365) < 0.0045, `${basis}`);
  }
});

test('the listing on BSE follows that on NSE within two ticks', () => {
  const market = freshMarket('exchange');
  for (let second = CASH_OPEN + 60; second < CASH_CLOSE; second += 611) {
    const tick = tickOf(DAY, second);
    const bid = (id: InstrumentId) => must(market.depth(id, tick).bids[0], 'a bid').price;
    assert.ok(Math.abs(bid(SHARE) - bid(BSE_SHARE)) <= 20);
  }
});

test('the volatility index is in the range of its index and rises when the market falls', () => {
  const market = freshMarket('exchange');
  let together = 0;
  let days = 0;
  const closes = market.daily(NIFTY, civil(2025, 1, 1), DAY, tickOf(DAY, 0));
  const levels = market.daily(VIX, civil(2025, 1, 1), DAY, tickOf(DAY, 0));
  for (let i = 1; i < closes.length; i += 1) {
    const move = must(closes[i], 'a close').close - must(closes[i - 1], 'a close').close;
    const fear = must(levels[i], 'a level').close - must(levels[i - 1], 'a level').close;
    if (move * fear < 0) together += 1;
    days += 1;
    assert.ok(must(levels[i], 'a level').close > 400 && must(levels[i], 'a level').close < 6_000);
  }
  assert.ok(together > 0.6 * days, `${together} of ${days}`);
});

test('the last print at every tick is the latest print at or before it', () => {
  const market = freshMarket('exchange');
  for (const id of [SHARE, NIFTY, FUTURE, IDLE_SHARE, must(OPTIONS[8], 'an option')]) {
    let last: Print | undefined;
    for (let second = CASH_OPEN; second < CASH_OPEN + 4_000; second += 1) {
      const tick = tickOf(DAY, second);
      last = market.print(id, tick) ?? last;
      if (last !== undefined) assert.deepEqual(market.lastPrint(id, tick), last);
    }
    assert.ok(last !== undefined);
  }
});

test('a print is at the touch of its second, on the side that its aggressor crossed to', () => {
  const market = freshMarket('exchange');
  for (const id of [SHARE, FUTURE, IDLE_SHARE, must(OPTIONS[3], 'an option')]) {
    let found = 0;
    for (let second = CASH_OPEN; second < CASH_OPEN + 9_000 && found < 200; second += 1) {
      const tick = tickOf(DAY, second);
      const print = market.print(id, tick);
      if (print === undefined) continue;
      found += 1;
      const { bids, asks } = market.depth(id, tick);
      assert.equal(print.price, (print.aggressor === 'B' ? asks[0] : bids[0])?.price);
    }
    assert.ok(found > 0);
  }
});

test('a contract has no history before its listing and none after its expiry', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const until = tickOf(civil(2026, 12, 1), 0);
    const candles = market.daily(FUTURE, civil(2026, 1, 1), civil(2026, 12, 1), until);
    assert.equal(istDay(must(candles[0], 'a candle').start), LISTED_ON);
    assert.equal(istDay(must(candles.at(-1), 'a candle').start), EXPIRY);
    assert.equal(market.isOpen(FUTURE, tickOf(EXPIRY, 940 * 60 - 1)), true);
    assert.equal(market.isOpen(FUTURE, tickOf(EXPIRY, 940 * 60)), false);
    const settled = market.lastPrint(FUTURE, tickOf(civil(2026, 11, 10), NOON));
    assert.equal(settled.price, market.lastPrint(FUTURE, tickOf(EXPIRY, 86_399)).price);
    assert.ok(market.previousClose(FUTURE, tickOf(LISTED_ON, NOON)) > 0);
  }
});
