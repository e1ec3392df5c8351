/**
 * The resting orders of an account that a new order or a modification would end: the modified one, and those that it
 * would trade with. Admission measures the account without them. Matching itself ends them.
 */

import { must } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import { positionKey } from '../../account.ts';
import { reaches } from '../../exchange/matching/market-side.ts';
import { type MetOrder, meetsUsers, ownOrdersMet } from '../../exchange/matching/own-orders-met.ts';
import { firesAtOnce } from '../../exchange/matching/submit.ts';
import { type Order, PRODUCTS, remaining } from '../../order.ts';
import { positionFacts } from '../../position.ts';
import { orderOf } from '../../state.ts';
import { venueOf } from '../../venue-of.ts';
import type { WhatIf } from '../trials/what-if.ts';
import { waits } from './order-checks.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';

const NO_ORDERS: readonly Order[] = [];
const NONE_MET: readonly MetOrder[] = [];

/**
 * The orders of the account that the wish ends: the one that it modifies, and those of a contract that it would trade
 * with. Source: market-rules R3.24.
 */
export function ordersEndedBy(wish: OrderWish): readonly Order[] {
  const { state, current, instrument } = wish;
  const met = instrument.kind === 'equity' ? NONE_MET : ownMet(wish);
  if (met.length === 0) return current === undefined ? NO_ORDERS : [current];
  const ended = met.map(({ number }) => orderOf(state, number));
  return current === undefined ? ended : [current, ...ended];
}

/**
 * The resting orders of one account that new wishes would trade with, one wish after the other: each order goes to the
 * first wish that meets it. Wishes of one side in one instrument meet the same orders in the same sequence, each up to
 * its limit and its units, so one look for the farthest of them is enough. In a share each row is measured by itself
 * and does not offset another, so there these orders count until they have ended. Source: market-rules R3.24.
 */
export function ownOrdersInTurn(wishes: readonly OrderWish[]): ReadonlyMap<OrderWish, readonly Order[]> {
  const met = new Map<OrderWish, readonly Order[]>();
  const groups = Map.groupBy(wishes.filter(meetsOwn), ({ instrument, side }) => `${instrument.id} ${side}`);
  for (const group of groups.values()) {
    const left = ownMet(farthest(group)).values();
    let next = left.next();
    for (const wish of group) {
      const ended: Order[] = [];
      met.set(wish, ended);
      while (next.done !== true && next.value.before < unitsOf(wish)) {
        const order = orderOf(wish.state, next.value.number);
        if (!reaches(wish.side, wish.terms.price, order.terms.price)) break;
        ended.push(order);
        next = left.next();
      }
    }
  }
  return met;
}

/** The first wish with the widest limit and the most units of all. */
function farthest(wishes: readonly OrderWish[]): OrderWish {
  const first = must(wishes[0], 'a group of wishes has one');
  let { price, quantity } = first.terms;
  for (const { side, terms } of wishes) {
    if (reaches(side, terms.price, price)) price = terms.price;
    if (terms.quantity > quantity) quantity = terms.quantity;
  }
  return { ...first, terms: { ...first.terms, price, quantity } };
}

/** Withdraws the orders that would end from an account as it would be. */
export function withdrawEnded(tried: WhatIf, { instrument }: OrderWish, ended: readonly Order[]): void {
  for (const order of ended) {
    tried.withdraw(positionFacts(instrument), order.product, order.side, remaining(order), order.terms.price);
  }
}

/** The orders of the account that the wish would trade with as it comes. */
function ownMet(wish: OrderWish): readonly MetOrder[] {
  if (!meetsOwn(wish)) return NONE_MET;
  const { state, ports, account, instrument, side, product, terms, current } = wish;
  const order = current?.number ?? (0 as OrderNumber);
  const tried = { order, account: account.id, side, product, terms, remaining: unitsOf(wish) };
  return ownOrdersMet(venueOf(state, ports, instrument), tried);
}

/** False when the wish cannot trade with an order of its account as it comes. */
function meetsOwn(wish: OrderWish): boolean {
  if (!meetsUsers(wish.venue, wish) || !hasOpenAgainst(wish)) return false;
  return !waits(wish) || firesAtOnce(wish.venue, wish);
}

/** True when the account has open orders of the other side in the instrument. */
function hasOpenAgainst({ account, instrument, side }: OrderWish): boolean {
  for (const product of PRODUCTS) {
    const row = account.positions.get(positionKey(instrument.id, product));
    if (row !== undefined && (side === 'B' ? row.openSellQuantity : row.openBuyQuantity) > 0) return true;
  }
  return false;
}
