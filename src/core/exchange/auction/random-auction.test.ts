import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { Random } from '../../../base/random.ts';
import { noInterest } from '../../market.ts';
import type { OrderTerms } from '../../order.ts';
import { Floor } from '../book/floor-fixture.ts';

const MARKET: Partial<OrderTerms> = { priceType: 'MKT' };
/** The edges of a wide band, which are the prices of market orders. */
const HIGHEST = 1_000_000;
const LOWEST = 1;

describe('A random auction', () => {
  it('trades at one price, better and earlier orders first, and as many units as possible', () => {
    for (let seed = 0; seed < 1_500; seed += 1) {
      const random = new Random(seed);
      const level = () => ({ price: random.between(95, 105) as Price, quantity: random.between(1, 30) as Quantity });
      const units = () => random.below(20) as Quantity;
      const floor = new Floor();
      floor.interest = {
        ...noInterest(100 as Price),
        bids: [level()],
        asks: [level()],
        marketBuys: units(),
        marketSells: units(),
        marketFirst: random.chance(50),
      };
      floor.meet('PreOpen');
      const numbers: OrderNumber[] = [];
      const count = random.between(1, 15);
      for (let account = 1; account <= count; account += 1) {
        const side = random.pick(['B', 'S'] as const);
        const limit = random.chance(15) ? MARKET : {};
        const price = 'priceType' in limit ? (side === 'B' ? HIGHEST : LOWEST) : random.between(95, 105);
        numbers.push(floor.place(account, side, price, random.between(1, 20), limit));
      }
      const before = new Map(numbers.map((number) => [number, floor.order(number).terms]));
      floor.meet('PreOpenMatching');
      checkFair(floor, numbers, before, `seed ${seed}`);
      floor.meet('Continuous');
      assert.equal(floor.types().includes('OrderCancelled'), false, `seed ${seed}`);
      checkTime(floor, `seed ${seed}`);
    }
  });
});

/**
 * Orders at one price of one side stand in the order of arrival. None was modified, so this is the order of their
 * numbers.
 */
function checkTime(floor: Floor, seed: string): void {
  let before: OrderNumber | undefined;
  for (const number of floor.book.restingOrders()) {
    const { side, terms } = floor.order(number);
    const last = before === undefined ? undefined : floor.order(before);
    const isNext = last?.side === side && last.terms.price === terms.price;
    if (isNext) assert.ok(number > last.number, `${seed}: order ${number} keeps its time`);
    before = number;
  }
}

/** A limit order trades only when all better orders of its side, and all earlier ones at its price, are full. */
function checkFair(
  floor: Floor,
  numbers: readonly OrderNumber[],
  before: ReadonlyMap<OrderNumber, OrderTerms>,
  seed: string,
): void {
  const prices = new Set(floor.trades().map((trade) => trade.split(' ')[0]));
  assert.ok(prices.size <= 1, `${seed}: one price`);
  const ofLimits = numbers.filter((number) => before.get(number)?.priceType === 'LMT');
  for (const [at, number] of ofLimits.entries()) {
    if (floor.filled(number) === 0) continue;
    const { side, terms } = floor.order(number);
    const price = Number(prices.values().next().value);
    assert.ok(side === 'B' ? terms.price >= price : terms.price <= price, `${seed}: inside its limit`);
    for (const [place, other] of ofLimits.entries()) {
      const { side: otherSide, terms: otherTerms } = floor.order(other);
      if (otherSide !== side || other === number) continue;
      const better = side === 'B' ? otherTerms.price - terms.price : terms.price - otherTerms.price;
      const comesFirst = better > 0 || (better === 0 && place < at);
      if (comesFirst) assert.equal(floor.filled(other), otherTerms.quantity, `${seed}: order ${place} before ${at}`);
    }
  }
}
