/**
 * The resting orders of an account that a new order or a modification would end: the modified one, and those that it
 * would trade with. Admission measures the account without them. Matching itself ends them.
 */

import type { OrderNumber } from '../../../base/ids.ts';
import { positionKey } from '../../account.ts';
import { meetsUsers, ownOrdersMet } from '../../exchange/matching/own-orders-met.ts';
import { firesAtOnce } from '../../exchange/matching/submit.ts';
import { type Order, PRODUCTS, remaining } from '../../order.ts';
import { positionFacts } from '../../position.ts';
import { orderOf } from '../../state.ts';
import { venueOf } from '../../venue-of.ts';
import type { WhatIf } from '../trials/what-if.ts';
import { waits } from './order-checks.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';

const NO_ORDERS: readonly Order[] = [];
const NO_NUMBERS: readonly OrderNumber[] = [];

/**
 * The orders of the account that the wish ends: the one that it modifies, and those of a contract that it would trade
 * with. Source: market-rules R3.24.
 */
export function ordersEndedBy(wish: OrderWish): readonly Order[] {
  const { state, current, instrument } = wish;
  const met = instrument.kind === 'equity' ? NO_NUMBERS : ownMet(wish);
  if (met.length === 0) return current === undefined ? NO_ORDERS : [current];
  const ended = met.map((number) => orderOf(state, number));
  return current === undefined ? ended : [current, ...ended];
}

/**
 * The orders of the account in a share that the wish would trade with. Each row of shares is measured by itself and
 * does not offset another, so these orders count until they have ended. Source: market-rules R3.24.
 */
export function shareOrdersEndedBy(wish: OrderWish): readonly Order[] {
  const { state, instrument } = wish;
  return instrument.kind === 'equity' ? ownMet(wish).map((number) => orderOf(state, number)) : NO_ORDERS;
}

/** Withdraws the orders that would end from an account as it would be. */
export function withdrawEnded(tried: WhatIf, { instrument }: OrderWish, ended: readonly Order[]): void {
  for (const order of ended) {
    tried.withdraw(positionFacts(instrument), order.product, order.side, remaining(order), order.terms.price);
  }
}

/** The orders of the account that the wish would trade with as it comes. */
function ownMet(wish: OrderWish): readonly OrderNumber[] {
  const { state, ports, venue, account, instrument, side, product, terms, current } = wish;
  if (!meetsUsers(venue, wish) || !hasOpenAgainst(wish)) return NO_NUMBERS;
  if (waits(wish) && !firesAtOnce(venue, wish)) return NO_NUMBERS;
  const order = current?.number ?? (0 as OrderNumber);
  const tried = { order, account: account.id, side, product, terms, remaining: unitsOf(wish) };
  return ownOrdersMet(venueOf(state, ports, instrument), tried);
}

/** True when the account has open orders of the other side in the instrument. */
function hasOpenAgainst({ account, instrument, side }: OrderWish): boolean {
  for (const product of PRODUCTS) {
    const row = account.positions.get(positionKey(instrument.id, product));
    if (row !== undefined && (side === 'B' ? row.openSellQuantity : row.openBuyQuantity) > 0) return true;
  }
  return false;
}
