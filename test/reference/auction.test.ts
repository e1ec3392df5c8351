import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId, OrderNumber } from '../../src/base/ids.ts';
import type { Price, Quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import type { AuctionEntry } from '../../src/core/exchange/auction/auction-book.ts';
import { claimsOf } from '../../src/core/exchange/auction/claims.ts';
import { equilibrium } from '../../src/core/exchange/auction/equilibrium.ts';
import { noInterest } from '../../src/core/market.ts';
import { type NaiveInterest, naiveAuction, naiveShares } from './naive-auction.ts';

/** SAUDA_AUCTION_BOOKS plays fewer or more. */
const BOOKS = Number(process.env.SAUDA_AUCTION_BOOKS ?? 50_000);
const TICK = 5;

interface RandomBook {
  readonly orders: readonly NaiveInterest[];
  readonly reference: number;
  readonly band: { readonly lower: number; readonly upper: number };
}

function randomBook(seed: number): RandomBook {
  const random = new Random(seed);
  const width = random.below(24) + 1;
  const lower = (random.below(10) + 1) * TICK;
  const band = { lower, upper: lower + width * TICK };
  const orders: NaiveInterest[] = [];
  for (let count = random.below(14); count > 0; count -= 1) {
    const price = random.below(8) === 0 ? undefined : lower + random.below(width + 1) * TICK;
    orders.push({ side: random.below(2) === 0 ? 'B' : 'S', price, quantity: random.below(6) + 1 });
  }
  return { orders, reference: lower + random.below(width * TICK + 1), band };
}

/** The units of each order by the queues of both sides. */
function sharesOf(
  orders: readonly NaiveInterest[],
  { price, quantity }: { readonly price: Price; readonly quantity: Quantity },
  band: RandomBook['band'],
  marketFirst: boolean,
): number[] {
  const entries = orders.map(
    (order, at): AuctionEntry => ({
      number: at as OrderNumber,
      account: at as AccountId,
      side: order.side,
      price: (order.price ?? (order.side === 'B' ? band.upper : band.lower)) as Price,
      remaining: order.quantity as Quantity,
      ahead: 0 as Quantity,
      atMarket: order.price === undefined,
    }),
  );
  const interest = { ...noInterest(price), marketFirst };
  const shares = orders.map(() => 0);
  for (const side of ['B', 'S'] as const) {
    let left: number = quantity;
    for (const { units, entry } of claimsOf({ side, price, entries, interest })) {
      const share = Math.min(left, units);
      if (entry !== undefined) shares[entry.number] = share;
      left -= share;
    }
    assert.equal(left, 0, 'each side has what trades');
  }
  return shares;
}

/** Limit orders better than the price that are not full although a worse one of their side has a unit. */
function leftBehind(orders: readonly NaiveInterest[], shares: readonly number[], price: number): number[] {
  const better = (side: 'B' | 'S', a: number, b: number) => (side === 'B' ? a > b : a < b);
  const isLeft = ({ side, price: limit, quantity }: NaiveInterest, at: number): boolean =>
    limit !== undefined &&
    better(side, limit, price) &&
    (shares[at] ?? 0) < quantity &&
    orders.some(
      (other, place) =>
        other.side === side &&
        other.price !== undefined &&
        better(side, limit, other.price) &&
        (shares[place] ?? 0) > 0,
    );
  return Array.from(orders.keys()).filter((at) => isLeft(orders[at] as NaiveInterest, at));
}

describe('An auction and the naive auction', () => {
  it(`agree on price and shares over ${BOOKS} random books, and leave nobody with a better price behind`, () => {
    let traded = 0;
    for (let seed = 0; seed < BOOKS; seed += 1) {
      const { orders, reference, band } = randomBook(seed);
      const levels = (side: 'B' | 'S', market: number) =>
        orders
          .filter((order) => order.side === side)
          .map(({ price, quantity }) => ({ price: (price ?? market) as Price, quantity: quantity as Quantity }));
      const terms = {
        reference: reference as Price,
        tick: TICK as Price,
        band: { lower: band.lower as Price, upper: band.upper as Price },
      };
      const found = equilibrium(levels('B', band.upper), levels('S', band.lower), terms);
      const wanted = naiveAuction(orders, reference, TICK, band);
      assert.deepEqual(found, wanted, `seed ${seed}: ${JSON.stringify({ orders, reference, band })}`);
      if (found === undefined || wanted === undefined) continue;
      traded += 1;
      const marketFirst = seed % 2 === 0;
      const shares = sharesOf(orders, found, band, marketFirst);
      assert.deepEqual(shares, naiveShares(orders, wanted, marketFirst), `seed ${seed}: shares`);
      assert.deepEqual(leftBehind(orders, shares, found.price), [], `seed ${seed}: left behind`);
    }
    assert.ok(traded > BOOKS / 3, `${traded} of ${BOOKS} books trade`);
  });
});
