import assert from 'node:assert/strict';
import test from 'node:test';
import type { Price, Quantity } from '../../../base/money.ts';
import { noInterest } from '../../market.ts';
import type { AuctionEntry } from './auction-book.ts';
import { claimsOf } from './claims.ts';

test('the units of the market stand between the orders of a price by the time of their arrival, each once', () => {
  const entries = [
    [10, 5],
    [10, 6],
    [25, 7],
    [90, 8],
  ].map(([ahead, remaining], number) => {
    return { number, side: 'B', price: 101, remaining, ahead } as unknown as AuctionEntry;
  });
  const bids = [{ price: 101 as Price, quantity: 40 as Quantity }];
  const interest = { ...noInterest(100 as Price), bids, marketBuys: 3 as Quantity };
  const claims = claimsOf({ side: 'B', price: 100 as Price, entries, interest });
  const told = claims.map(({ units, entry }) => (entry === undefined ? units : `order ${entry.number}: ${units}`));
  assert.deepEqual(told, [10, 'order 0: 5', 'order 1: 6', 15, 'order 2: 7', 15, 'order 3: 8', 3]);
  const last = claims.at(-1);
  assert.equal(last?.price, undefined, 'the market at the market comes last');
});
