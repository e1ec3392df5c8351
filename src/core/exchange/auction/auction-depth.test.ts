import assert from 'node:assert/strict';
import test from 'node:test';
import type { Price, Quantity } from '../../../base/money.ts';
import { noInterest } from '../../market.ts';
import { Floor } from '../book/floor-fixture.ts';
import { auctionDepth } from './auction-depth.ts';

const level = (price: number, units: number) => ({ price: price as Price, quantity: units as Quantity });

test('the depth of an auction shows limit orders best first, crossing or not, and market orders only in the totals', () => {
  const floor = new Floor();
  floor.interest = {
    ...noInterest(100 as Price),
    bids: [level(99, 5), level(101, 7)],
    asks: [level(100, 3)],
    marketBuys: 11 as Quantity,
    marketSells: 13 as Quantity,
  };
  floor.meet('PreOpen');
  floor.place(1, 'B', 101, 10);
  floor.place(2, 'S', 98, 20);
  floor.place(3, 'B', 1_000_000, 40, { priceType: 'MKT' });
  const shown = auctionDepth(floor.book, floor.interest, 5);
  assert.deepEqual(shown, {
    buys: {
      levels: [
        { price: 101, quantity: 17, orders: 2 },
        { price: 99, quantity: 5, orders: 1 },
      ],
      total: 73,
    },
    sells: {
      levels: [
        { price: 98, quantity: 20, orders: 1 },
        { price: 100, quantity: 3, orders: 1 },
      ],
      total: 36,
    },
  });
  const best = auctionDepth(undefined, floor.interest, 1);
  assert.deepEqual([best.buys.levels, best.buys.total], [[{ price: 101, quantity: 7, orders: 1 }], 23]);
});
