import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EQUITIES } from '../../test/kit/journal/small-market.ts';
import { OPEN_MS, SessionMarket } from '../../test/reference/session-market.ts';
import type { AccountId, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import { type Price, price, type Quantity, quantity } from '../base/money.ts';
import { type EpochMs, type IstDay, istInstant, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import type { Traded } from '../core/event.ts';
import { Book } from '../core/exchange/book/book.ts';
import type { Side } from '../core/order.ts';
import { emptyState } from '../core/state.ts';
import { dailyCandles, fullQuote, intradayCandles, lastPrice } from './quote.ts';
import { applyToViews, emptyViews, type Views } from './views.ts';

const DAY = 20_500 as IstDay;
const SHARE = EQUITIES[0] as (typeof EQUITIES)[number];
const OPEN = (istInstant(DAY, OPEN_MS) / SECOND_MS) as Tick;
const CLOSE = 100_00;
/** Prints so rarely that none comes. */
const SILENT = new SessionMarket(2 ** 31);

function tradeAt(tick: number, at: number, aggressor: Side, user: Side): Traded {
  const side = { order: 7 as OrderNumber, account: 0 as AccountId, product: 'I' } as const;
  return {
    type: 'Traded',
    trade: 1 as TradeId,
    instrument: SHARE.id,
    kind: 'equity',
    group: SHARE.id,
    tick: tick as Tick,
    price: price(at),
    quantity: quantity(10),
    aggressor,
    ...(user === 'B' ? { buy: side } : { sell: side }),
  };
}

/** Views after an order that traded as given. */
function viewsAfter(...trades: readonly Traded[]): Views {
  const views = emptyViews();
  const state = emptyState();
  const terms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(1_000),
    price: price(CLOSE),
    trigger: price(0),
  } as const;
  const words = { instrument: SHARE.id, kind: 'equity', group: SHARE.id, isin: SHARE.isin, remarks: '' } as const;
  const order = 7 as OrderNumber;
  const account = 0 as AccountId;
  const received = { ...words, type: 'OrderReceived', order, account, side: 'B', product: 'I', terms } as const;
  applyToViews(views, state, 0 as EpochMs, [received, ...trades]);
  return views;
}

/** A market without prints whose open interest goes up with the ticks. */
class Contracts extends SessionMarket {
  constructor() {
    super(2 ** 31);
  }

  override openInterest(_id: InstrumentId, tick: Tick): Quantity {
    return quantity(tick - OPEN + 50_000);
  }
}

function quoteOf(views: Views, tick: number, id: InstrumentId = SHARE.id) {
  return fullQuote(emptyState(), views, SILENT, id, tick as Tick);
}

describe('a full quote', () => {
  it('has the previous close and no prices of the day before the first trade', () => {
    const quote = quoteOf(emptyViews(), OPEN + 10);
    assert.equal(quote.last, CLOSE);
    assert.equal(quote.previousClose, CLOSE);
    assert.deepEqual([quote.vwap, quote.volume, quote.openInterest], [0, 0, 0]);
    assert.ok(!('open' in quote) && !('high' in quote) && !('low' in quote));
  });

  it('has the prices of the users alone when only they have traded', () => {
    const quote = quoteOf(viewsAfter(tradeAt(OPEN, 100_10, 'B', 'B'), tradeAt(OPEN + 90, 99_95, 'S', 'S')), OPEN + 100);
    const { open, high, low, last, volume, vwap } = quote;
    assert.deepEqual([open, high, low, last, volume, vwap], [100_10, 100_10, 99_95, 99_95, 20, 100_03]);
  });

  it('holds the fill of a resting order in high and low, not in the last price; a print has counted its units', () => {
    const market = new SessionMarket(1);
    const before = fullQuote(emptyState(), emptyViews(), market, SHARE.id, OPEN);
    const views = viewsAfter(tradeAt(OPEN, before.last + 50, 'S', 'B'));
    const { open, high, low, last, volume, vwap } = fullQuote(emptyState(), views, market, SHARE.id, OPEN);
    assert.deepEqual(
      [open, high, low, last, volume, vwap],
      [before.last, before.last + 50, before.last, before.last, before.volume, before.vwap],
    );
  });

  it('counts the units of depth that came to a resting order, which is not a last price even alone', () => {
    const crossed = { ...tradeAt(OPEN, 99_00, 'S', 'B'), taken: { price: price(98_90), generation: 1 } };
    const alone = quoteOf(viewsAfter(crossed), OPEN + 1);
    assert.deepEqual([alone.open, alone.high, alone.low, alone.last], [99_00, 99_00, 99_00, CLOSE]);
    assert.deepEqual([alone.volume, alone.vwap], [10, 99_00]);
    const after = quoteOf(viewsAfter(tradeAt(OPEN - 100, 99_50, 'B', 'B'), crossed), OPEN + 1);
    assert.deepEqual([after.open, after.high, after.low, after.last], [99_50, 99_50, 99_00, 99_50]);
    const later = quoteOf(viewsAfter(crossed, tradeAt(OPEN + 90, 99_20, 'B', 'B')), OPEN + 90);
    assert.deepEqual([later.open, later.high, later.low, later.last], [99_00, 99_20, 99_00, 99_20]);
  });

  it('shows five levels a side, those of users among them, and the units of all', () => {
    const state = emptyState();
    const book = new Book();
    const { bids } = SILENT.depth(SHARE.id, OPEN);
    const best = bids[0]?.price as Price;
    const resting = { number: 1 as OrderNumber, account: 0 as AccountId, side: 'B', remaining: quantity(33) } as const;
    book.rest({ ...resting, price: (best + 5) as Price }, quantity(0));
    state.books.set(SHARE.id, book);
    const quote = fullQuote(state, emptyViews(), SILENT, SHARE.id, OPEN);
    assert.equal(quote.bids.length, 5);
    assert.deepEqual(quote.bids[0], { price: best + 5, quantity: 33, orders: 1 });
    assert.deepEqual(
      quote.bids.slice(1).map((level) => level.price),
      bids.slice(0, 4).map((level) => level.price),
    );
    assert.equal(quote.totalBuyQuantity, 33 + bids.reduce((units, level) => units + level.quantity, 0));
  });

  it('has the open interest of its second, also before the first trade and when only users have traded', () => {
    const contracts = new Contracts();
    const openInterest = (views: Views, tick: number) =>
      fullQuote(emptyState(), views, contracts, SHARE.id, tick as Tick).openInterest;
    assert.equal(openInterest(emptyViews(), OPEN - 5_000), 45_000);
    assert.equal(openInterest(viewsAfter(tradeAt(OPEN, 100_10, 'B', 'B')), OPEN + 100), 50_100);
  });

  it('is empty when the market is closed', () => {
    const quote = quoteOf(emptyViews(), istInstant(DAY) / SECOND_MS);
    assert.deepEqual([quote.bids, quote.asks, quote.totalBuyQuantity, quote.totalSellQuantity], [[], [], 0, 0]);
  });
});

describe('the last price', () => {
  const market = new SessionMarket(3);
  const print = (() => {
    for (let tick = OPEN as number; ; tick += 1) {
      const found = market.print(SHARE.id, tick as Tick);
      if (found !== undefined) return found;
    }
  })();
  const lastAfter = (tick: number) =>
    lastPrice(viewsAfter(tradeAt(tick, 123_45, 'B', 'B')), market, SHARE.id, print.tick);

  it('is the users own in the tick of a print, and the print when it is newer', () => {
    assert.equal(lastAfter(print.tick), 123_45);
    assert.equal(lastAfter(print.tick - 1), print.price);
  });

  it('is not a trade of the day before, even when nobody has traded since', () => {
    const views = viewsAfter(tradeAt(OPEN + 100, 123_45, 'B', 'B'));
    assert.equal(lastPrice(views, SILENT, SHARE.id, (OPEN + 101) as Tick), 123_45);
    assert.equal(lastPrice(views, SILENT, SHARE.id, (OPEN + 86_400) as Tick), CLOSE);
  });
});

describe('the first candle of a day', () => {
  it('has the trades of the opening auction in every range that contains its start', () => {
    const market = new SessionMarket(20);
    const views = viewsAfter(tradeAt(OPEN - 300, 98_00, 'B', 'B'), tradeAt(OPEN + 20, 99_50, 'B', 'B'));
    const at = (minute: number) => istInstant(DAY, OPEN_MS + minute * MINUTE_MS);
    const first = (minutes: number, from: number, to: number) =>
      intradayCandles(views, market, SHARE.id, minutes, at(from), at(to), (OPEN + 20_000) as Tick)[0];
    for (const minutes of [1, 5, 60]) {
      const whole = first(minutes, -555, 600);
      assert.deepEqual([whole?.start, whole?.open, whole?.low], [at(0), 98_00, 98_00]);
      for (const [from, to] of [
        [-4, 10],
        [-1, 0],
        [0, 0],
        [0, 600],
      ] as const) {
        assert.deepEqual(first(minutes, from, to), whole, `${minutes} minutes, from ${from} to ${to}`);
      }
      assert.notEqual(first(minutes, 1, 600)?.start, at(0));
    }
    const before = intradayCandles(views, market, SHARE.id, 1, at(-20), at(-1), (OPEN + 20_000) as Tick);
    assert.deepEqual(before, []);
  });
});

describe('a candle in which only users traded', () => {
  it('has the open interest with which it ends, whatever range it is asked in', () => {
    const contracts = new Contracts();
    const views = viewsAfter(tradeAt(OPEN + 610, 100_10, 'B', 'B'), tradeAt(OPEN + 1_300, 100_20, 'B', 'B'));
    const at = (minute: number) => istInstant(DAY, OPEN_MS + minute * MINUTE_MS);
    const openInterest = (minutes: number, from: number, to: number, until = OPEN + 20_000) =>
      intradayCandles(views, contracts, SHARE.id, minutes, at(from), at(to), until as Tick).map(
        (candle) => candle.openInterest,
      );
    assert.deepEqual(openInterest(1, 0, 100), [50_659, 51_319]);
    assert.deepEqual(openInterest(1, 10, 10), [50_659]);
    assert.deepEqual(openInterest(1, 11, 100), [51_319]);
    assert.deepEqual(openInterest(5, 0, 100), [50_899, 51_499]);
    assert.deepEqual(openInterest(1, 0, 100, OPEN + 1_310), [50_659, 51_310]);
    const [day] = dailyCandles(views, contracts, SHARE.id, DAY, DAY, (OPEN + 20_000) as Tick);
    assert.equal(day?.openInterest, 70_000);
  });
});
