import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Price, Quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import { equilibrium } from '../../src/core/exchange/auction/equilibrium.ts';
import { type NaiveInterest, naiveAuction } from './naive-auction.ts';

const BOOKS = 50_000;
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

describe('The equilibrium of an auction and the naive auction', () => {
  it(`agree over ${BOOKS} random books`, () => {
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
      if (found !== undefined) traded += 1;
    }
    assert.ok(traded > BOOKS / 3, `${traded} of ${BOOKS} books trade`);
  });
});
