/**
 * The checks of money in admission: cash for premium and deliveries, and the margin that must be available. They also
 * note the figures behind an answer for `sauda why`. The need of an order is measured in `order-need.ts`.
 */

import { type Paise, subtractPaise } from '../../../base/money.ts';
import type { Order } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { cashBound, marginBound } from '../account/delivery-due.ts';
import {
  availableMargin,
  cashFree,
  cashSegmentUsed,
  type Funds,
  marginUsed,
  premiumUsed,
  realisedLoss,
  totalMargin,
} from '../account/funds.ts';
import type { Trace } from '../trials/check-trace.ts';
import { WhatIf } from '../trials/what-if.ts';
import { deliveryNeed, needOf, triedOrder } from './order-need.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';
import { ordersEndedBy, withdrawEnded } from './orders-ended.ts';
import { CONTRACT_PRODUCTS, positionSpanOf, reduces } from './reduction.ts';

/**
 * Cash pays for option premium and deliveries, never collateral. For an account that has pledged nothing, a shortage of
 * cash is one of margin. An option that is bought back is an exit, and always passes. Source: market-rules R3.5 row 16,
 * R4.25.
 */
export function paidFromCash(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { state, ports, account, instrument, product, side } = wish;
  const { collateral } = account.books;
  if (collateral === 0 || side === 'S' || !(product === 'C' || instrument.kind === 'option')) return undefined;
  const order = triedOrder(wish);
  if (product !== 'C' && reduces(positionSpanOf(wish, CONTRACT_PRODUCTS), side)) return undefined;
  const tried = without(wish, ordersEndedBy(wish));
  tried.fill(order.facts, product, side, order.units, order.limit);
  const bound = cashBound(state, ports, account);
  const before = subtractPaise(cashFree(account), bound);
  const after = subtractPaise(cashFree(tried), bound);
  trace?.note('collateral', 'paise', collateral);
  trace?.note('cash that may pay', 'paise', before);
  trace?.note('cash that may pay once it has filled', 'paise', after);
  return after >= 0 || after >= before ? undefined : { rule: 'CollateralNotAllowed', shortfall: -after as Paise };
}

/**
 * The margin that the order adds must be available: the available margin before it less the one after it. A
 * modification adds the difference, and so does an order that ends others of its own account on its way: the positions
 * that these would have closed need their margin again. For both, the resting and the filled order are measured. An
 * order that adds no margin always passes. Source: market-rules R4.27, R4.28, R3.23, R3.24.
 */
export function marginThere(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { account, side, product, terms } = wish;
  const available = availableMargin(account);
  const ended = ordersEndedBy(wish);
  const whole = ended.length > 0 || trace !== undefined;
  if (product === 'C' && !whole) return shortage(wish, deliveryNeed(side, unitsOf(wish), terms.price), available);
  const tried = without(wish, ended);
  const order = triedOrder(wish);
  const before = ended.length > 0 ? tried.availableMargin() : available;
  const need = needOf(tried, order, before, whole);
  const freed = before - available;
  const required = (need.required - freed) as Paise;
  if (trace !== undefined) {
    noteParts(wish, trace);
    trace.note('total margin', 'paise', totalMargin(account));
    trace.note('margin used', 'paise', marginUsed(account));
    trace.note('available', 'paise', available);
    if (need.resting !== undefined) trace.note('added while it rests', 'paise', need.resting - freed);
    if (need.filled !== undefined) trace.note('added once it has filled', 'paise', need.filled - freed);
    trace.note('required', 'paise', required);
  }
  return shortage(wish, required, available, trace);
}

/** The money for deliveries of contracts that no longer trade pays for no order. Source: market-rules R7.4. */
function shortage(
  { state, ports, account }: OrderWish,
  required: Paise,
  margin: Paise,
  trace?: Trace,
): Refusal | undefined {
  if (required <= 0) return undefined;
  const bound = marginBound(state, ports, account);
  if (bound > 0) trace?.note('bound by a delivery', 'paise', bound);
  const available = subtractPaise(margin, bound);
  return required <= available ? undefined : { rule: 'MarginShortfall', required, available };
}

/**
 * Notes the parts of the margin in use that are not 0, now and with the order resting, and the world that sets them.
 */
function noteParts(wish: OrderWish, trace: Trace): void {
  const { account } = wish;
  const order = triedOrder(wish);
  const tried = without(wish, ordersEndedBy(wish));
  tried.rest(order.facts, order.product, order.side, order.units, order.worst);
  trace.note('priced at', 'paise', order.worst);
  for (const [name, partOf] of PARTS) {
    const [now, after] = [partOf(account), partOf(tried)];
    if (now === 0 && after === 0) continue;
    trace.note(`${name} now`, 'paise', now);
    trace.note(`${name} with it`, 'paise', after);
  }
  const deciding = tried.decidingWorld(order.facts);
  if (deciding === undefined) return;
  trace.note('world that needs most', 'text', deciding.world);
  trace.note('worst scenario', 'text', deciding.margin.worst);
}

const PARTS: readonly (readonly [name: string, partOf: (funds: Funds) => Paise])[] = [
  ['span', ({ books }) => books.span],
  ['exposure', ({ books }) => books.exposure],
  ['premium', premiumUsed],
  ['cash segment', cashSegmentUsed],
  ['realised loss', realisedLoss],
];

/** The account as it would be without some of its orders in the instrument. */
function without(wish: OrderWish, ended: readonly Order[]): WhatIf {
  const tried = new WhatIf(wish.ports, wish.account);
  withdrawEnded(tried, wish, ended);
  return tried;
}
