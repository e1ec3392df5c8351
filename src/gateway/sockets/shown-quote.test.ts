import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, price, type Quantity } from '../../base/money.ts';
import type { FullQuote } from '../../views/quote.ts';
import { ShownQuote } from './shown-quote.ts';

const units = (value: number): Quantity => value as Quantity;

const LEVEL = { price: price(100_05), quantity: units(10), orders: 2 };
const QUOTE: Required<FullQuote> = {
  bids: [LEVEL, { ...LEVEL, price: price(100_00) }],
  asks: [{ ...LEVEL, price: price(100_10) }],
  totalBuyQuantity: units(20),
  totalSellQuantity: units(10),
  last: price(100_10),
  previousClose: price(99_00),
  open: price(99_50),
  high: price(101_00),
  low: price(99_45),
  vwap: price(100_25),
  turnover: 2 ** 40,
  volume: units(7_000),
  openInterest: units(0),
};

/** Quotes that differ from `QUOTE` in one figure each. */
function* others(): Iterable<[string, FullQuote]> {
  for (const [name, value] of Object.entries(QUOTE)) {
    if (typeof value === 'number') yield [name, { ...QUOTE, [name]: value + 1 }];
  }
  for (const name of ['open', 'high', 'low'] as const) {
    const { [name]: _, ...rest } = QUOTE;
    yield [`no ${name}`, rest];
  }
  for (const side of ['bids', 'asks'] as const) {
    const [best = LEVEL, ...behind] = QUOTE[side];
    yield [`${side}: price`, { ...QUOTE, [side]: [{ ...best, price: (best.price - 5) as Price }, ...behind] }];
    yield [`${side}: quantity`, { ...QUOTE, [side]: [{ ...best, quantity: units(11) }, ...behind] }];
    yield [`${side}: orders`, { ...QUOTE, [side]: [{ ...best, orders: 1 }, ...behind] }];
    yield [`${side}: one level less`, { ...QUOTE, [side]: behind }];
    yield [`${side}: one level more`, { ...QUOTE, [side]: [best, ...behind, LEVEL] }];
  }
}

test('a quote is shown as the same only when no figure of it has changed', () => {
  for (const [name, other] of others()) {
    const shown = new ShownQuote();
    assert.equal(shown.take(QUOTE), false, 'nothing was shown before');
    assert.equal(shown.take(structuredClone(QUOTE)), true, 'the same figures in other objects');
    assert.equal(shown.take(other), false, name);
    assert.equal(shown.take(other), true, name);
    assert.equal(shown.take(QUOTE), false, `back from ${name}`);
  }
});
