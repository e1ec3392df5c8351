/**
 * The order of placing in which a basket needs the least margin on the way. Each order has filled at its limit before
 * the next one is placed, as in `basket-margin.ts`. The work comes in pieces, since a long basket takes many measures.
 */

import { must } from '../../../base/assert.ts';
import { type Paise, ZERO_PAISE } from '../../../base/money.ts';
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

/** A way that was gone to its end. */
export interface TriedWay extends PlacingOrder {
  /** The margin that the whole basket adds to the margin in use, in paise. */
  readonly blocked: Paise;
}

/** The way of the given order, and the one with the least peak. Yields after each piece of work. */
export function* placingOrders(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
): Generator<undefined, { readonly given: TriedWay; readonly best: PlacingOrder }> {
  const asGiven = orders.map((_, place) => place);
  const given = yield* wayOf(ports, account, orders, asGiven);
  return { given, best: yield* leastPeakOrder(ports, account, orders, given) };
}

/**
 * The way with the least peak: the given order when no other one needs less. Three ways are tried: the given order,
 * purchases before sales, and the order of what each needs alone. When the best of them needs more than the whole
 * basket blocks in the end, which no way can go below, up to eight orders are compared in all sequences.
 */
function* leastPeakOrder(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
  given: TriedWay,
): Generator<undefined, PlacingOrder> {
  let best = given;
  if (best.peak <= best.blocked) return best;
  for (const places of [purchasesFirst(orders), yield* cheapestFirst(ports, account, orders)]) {
    const other = yield* wayOf(ports, account, orders, places);
    if (other.peak < best.peak) best = other;
  }
  if (best.peak <= best.blocked || orders.length > MOST_COMPARED) return best;
  return (yield* leastOfAll(ports, account, orders, best.peak)) ?? best;
}

function* wayOf(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
  places: readonly number[],
): Generator<undefined, TriedWay> {
  const way = new BasketWay(ports, account);
  const before = way.marginUsed();
  for (const place of places) {
    way.take(orderAt(orders, place));
    yield;
  }
  return { places, peak: way.peak, blocked: (way.marginUsed() - before) as Paise };
}

function orderAt(orders: readonly MeasuredOrder[], place: number): MeasuredOrder {
  return must(orders[place], 'a place of the basket has an order');
}

/** The cheapest way to come to a set of filled orders. */
interface Reached {
  readonly way: BasketWay;
  places: readonly number[];
  peak: Paise;
}

/**
 * The best of all orders of placing, if it needs less than `bound`. The margin on the way follows from which orders
 * have filled and not from their sequence, so the least peak of each set follows from the sets with one order less.
 */
function* leastOfAll(
  ports: DecisionPorts,
  account: Account,
  orders: readonly MeasuredOrder[],
  bound: Paise,
): Generator<undefined, PlacingOrder | undefined> {
  const reached = new Map<number, Reached>([[0, { way: new BasketWay(ports, account), places: [], peak: ZERO_PAISE }]]);
  const all = 2 ** orders.length - 1;
  for (let set = 0; set < all; set += 1) {
    const before = reached.get(set);
    if (before === undefined) continue;
    for (const [place, order] of orders.entries()) {
      const bit = 2 ** place;
      if ((set & bit) !== 0) continue;
      const way = new BasketWay(ports, account, before.way);
      const peak = Math.max(before.peak, way.take(order)) as Paise;
      if (peak < bound) note(reached, set | bit, { way, places: [...before.places, place], peak });
      yield;
    }
    reached.delete(set);
  }
  return reached.get(all);
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
