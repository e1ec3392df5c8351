import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { Quantity } from '../../../src/base/money.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { lastPrice } from '../../../src/views/quote.ts';
import { ExchangeMonth } from '../month/exchange-month.ts';
import { LivedDay, near } from '../month/lived-day.ts';

/** Quotes around the opening auction of a share, of which one user has an order. */

const month = new ExchangeMonth(20_261_120);
const DATE = '2026-11-20';

test('an order that an opening auction leaves is in quotes until continuous trading, and in it', async () => {
  const day = new LivedDay(month, DATE, '09:00:30');
  await day.open();
  const share = must(month.shares(day.at('09:00:30'))[0], 'a share');
  const close = day.market.previousClose(share.id, day.tickAt('09:00:30'));
  const price = near(close, -30, share);
  const quantity = 777 as Quantity;
  const { number } = await day.place(share, 'B', { price, quantity });
  const gathered = day.quote(share.id);
  assert.ok(gathered.totalBuyQuantity >= quantity);
  for (const clock of ['09:11:00', '09:13:00', '09:14:59']) {
    day.passTo(clock);
    const { bids, asks, totalBuyQuantity, totalSellQuantity } = day.quote(share.id);
    assert.deepEqual({ bids, asks }, { bids: [{ price, quantity, orders: 1 }], asks: [] }, clock);
    assert.deepEqual([totalBuyQuantity, totalSellQuantity], [quantity, 0], clock);
  }
  day.passTo('09:15:01');
  assert.equal(day.order(number).status, 'Open');
  assert.ok(day.quote(share.id).totalBuyQuantity > quantity, 'beside the market');
});

test('the price of an auction in which no user traded is the last price of a quote, as it is of the book', async () => {
  const day = new LivedDay(month, DATE, '09:00:30');
  await day.open();
  const share = must(month.shares(day.at('09:00:30'))[0], 'a share');
  const close = day.market.previousClose(share.id, day.tickAt('09:00:30'));
  await day.place(share, 'B', { price: near(close, -30, share) });
  assert.equal(day.quote(share.id).last, close);
  day.passTo('09:11:00');
  const book = must(day.live.state.books.get(share.id), 'a book');
  const found = must(book.lastTrade, 'the auction found a price').price;
  assert.notEqual(found, close);
  assert.equal(day.quote(share.id).last, found);
  const stored = LIVE.empty().views;
  stored.ownTrades.begin(day.live.state);
  assert.equal(lastPrice(stored, day.market, share.id, day.tickAt('09:11:00')), found, 'as after a restart');
  assert.ok(!('open' in day.quote(share.id)), 'nobody has traded');
  day.passTo('09:20:00');
  assert.equal(day.quote(share.id).last, day.market.lastPrint(share.id, day.tickAt('09:20:00')).price);
});
