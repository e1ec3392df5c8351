import type { Paise } from '../../base/money.ts';
import { remaining } from '../order.ts';
import { positionFacts } from '../position.ts';
import type { Refusal } from '../refusal.ts';
import type { Trace } from './check-trace.ts';
import { availableMargin, marginUsed, totalMargin } from './funds.ts';
import { needOf, type TriedOrder, worstPrice } from './order-need.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';
import { WhatIf } from './what-if.ts';

/**
 * The margin that the order adds must be available: what is there before it less what is there after it. A modification adds its
 * difference. What adds nothing is always admitted. Source: market-rules R4.27, R4.28, R3.23.
 */
export function marginThere(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { account, current } = wish;
  const available = availableMargin(account);
  const tried = new WhatIf(wish.desk, account);
  const order = triedOrder(wish);
  if (current !== undefined) {
    tried.withdraw(order.facts, order.product, order.side, remaining(current), current.terms.price);
  }
  const before = current === undefined ? available : tried.availableMargin();
  const need = needOf(tried, order, before);
  const freed = before - available;
  const required = (need.required - freed) as Paise;
  if (trace !== undefined) {
    trace.note('total margin', 'paise', totalMargin(account));
    trace.note('margin used', 'paise', marginUsed(account));
    trace.note('available', 'paise', available);
    trace.note('priced at', 'paise', order.worst);
    trace.note('added while it rests', 'paise', need.resting - freed);
    if (need.filled !== undefined) trace.note('added once it has filled', 'paise', need.filled - freed);
    trace.note('required', 'paise', required);
  }
  return required <= 0 || required <= available ? undefined : { rule: 'MarginShortfall', required, available };
}

function triedOrder(wish: OrderWish): TriedOrder {
  const { instrument, product, side, terms, venue } = wish;
  const worst = worstPrice(venue, side, product, terms.price);
  return { facts: positionFacts(instrument), product, side, units: unitsOf(wish), limit: terms.price, worst };
}
