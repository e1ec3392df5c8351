/**
 * The order of placing in which a basket needs the least margin on the way. Each order has filled at its limit before
 * the next one is placed, as in `basket-margin.ts`. The work comes in pieces, since a long basket takes many measures.
 */

import { must } from '../../../base/assert.ts';
import type { Paise } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { DecisionPorts } from '../../ports.ts';
import { BasketWay, type MeasuredOrder } from './basket-margin.ts';

/** Up to this number of orders every way is compared, by the sets of orders that have filled. */
const MOST_COMPARED = 8;

/** A way to place a basket: the places of its orders in the list, and the most margin that it needs, in paise. */
export interface PlacingOrder {
  readonly places: readonly number[];
  readonly peak: Paise;
}

/**
 * The way with the least peak: the given order when no other one needs less. Up to eight orders it is the least of all
 * ways. Of more orders three ways are compared: the given order, purchases before sales, and the order of what each
 * needs alone. Yields after each piece of work.
 */
export function* leastPeakOrder(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
): Generator<undefined, PlacingOrder> {
  const given = orders.map((_, place) => place);
  let best = yield* wayOf(ports, account, orders, given);
  if (orders.length < 2) return best;
  const others =
    orders.length <= MOST_COMPARED
      ? [yield* leastOfAll(ports, account, orders)]
      : [purchasesFirst(orders), yield* cheapestFirst(ports, account, orders)];
  for (const places of others) {
    const other = yield* wayOf(ports, account, orders, places);
    if (other.peak < best.peak) best = other;
  }
  return best;
}

function* wayOf(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
  places: readonly number[],
): Generator<undefined, PlacingOrder> {
  const way = new BasketWay(ports, account);
  for (const place of places) {
    way.take(orderAt(orders, place));
    yield;
  }
  return { places, peak: way.peak };
}

function orderAt(orders: readonly MeasuredOrder[], place: number): MeasuredOrder {
  return must(orders[place], 'a place of the basket has an order');
}

/** The cheapest way to come to a set of filled orders. */
interface Reached {
  readonly way: BasketWay;
  places: readonly number[];
  peak: number;
}

/**
 * The best of all orders of placing. The margin on the way follows from which orders have filled and not from their
 * sequence, so the least peak of each set follows from the sets with one order less.
 */
function* leastOfAll(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
): Generator<undefined, readonly number[]> {
  const reached = new Map<number, Reached>([[0, { way: new BasketWay(ports, account), places: [], peak: 0 }]]);
  const all = 2 ** orders.length - 1;
  for (let set = 0; set < all; set += 1) {
    const before = must(reached.get(set), 'every smaller set was reached');
    for (const [place, order] of orders.entries()) {
      const bit = 2 ** place;
      if ((set & bit) !== 0) continue;
      const way = new BasketWay(ports, account, before.way);
      const peak = Math.max(before.peak, way.take(order));
      note(reached, set | bit, { way, places: [...before.places, place], peak });
      yield;
    }
    reached.delete(set);
  }
  return must(reached.get(all), 'the whole basket was reached').places;
}

function note(reached: Map<number, Reached>, set: number, found: Reached): void {
  const known = reached.get(set);
  if (known === undefined) reached.set(set, found);
  else if (found.peak < known.peak) {
    known.peak = found.peak;
    known.places = found.places;
  }
}

function purchasesFirst(orders: readonly MeasuredOrder[]): readonly number[] {
  const isSale = (place: number): number => (orderAt(orders, place).order.side === 'B' ? 0 : 1);
  return orders.map((_, place) => place).sort((a, b) => isSale(a) - isSale(b));
}

function* cheapestFirst(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
): Generator<undefined, readonly number[]> {
  const needs: number[] = [];
  for (const order of orders) {
    const alone = new BasketWay(ports, account);
    alone.take(order);
    needs.push(alone.marginUsed());
    yield;
  }
  return orders.map((_, place) => place).sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
}
