/**
 * The checks of positions and shares in admission: square-off, ban period, delivery on the expiry day, shares to sell,
 * and trade-for-trade. Checks of money are in `margin-checks.ts`.
 */

import type { Refusal } from '../../refusals/refusal.ts';
import { isIntraday, segmentOf } from '../../trading-days.ts';
import { sharesBound } from '../account/delivery-due.ts';
import { eligibleToSell, refuseWithoutShares } from '../account/holdings.ts';
import { isSquaredOff, lastEntryOver } from '../settlement/intraday-ended.ts';
import { buysDeliveredOption } from '../settlement/unfunded-delivery.ts';
import type { Trace } from '../trials/check-trace.ts';
import { isBanned } from './ban.ts';
import type { OrderWish } from './order-wish.ts';
import { CONTRACT_PRODUCTS, positionSpanOf, reduces } from './reduction.ts';

/**
 * After the square-off of its segment, or after the last entry into an expiring contract, an intraday order opens no
 * position. Exits stay possible, beside those of the risk desk as far as these leave something. No order of any product
 * opens a position that is squared off because its delivery is not paid for: it would be closed within the minute.
 * Source: market-rules R2.24, R2.26, R2.27, R7.4.
 */
export function beforeSquareOff(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { state, ports, account, instrument, product, side } = wish;
  const intraday = isIntraday(instrument.kind, product);
  const over = isSquaredOff(state, account, instrument, product);
  if (!intraday && !over) return undefined;
  trace?.note('segment', 'text', intraday ? segmentOf(instrument, state.day) : 'UnfundedDeliveries');
  trace?.note('squared off', 'text', over ? 'yes' : 'no');
  if (!over && !lastEntryOver(state, ports, instrument)) return undefined;
  const span = positionSpanOf(wish, [product]);
  trace?.note('position', 'units', span.net);
  trace?.note('position with all orders of this side', 'units', span.after);
  return reduces(span, side) ? undefined : { rule: 'IntradayAfterSquareOff' };
}

/** Source: market-rules R4.36, R3.5 row 13. */
export function outsideBan(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { state, ports, instrument, side } = wish;
  if (!isBanned(state, ports, instrument.id)) return undefined;
  const span = positionSpanOf(wish, CONTRACT_PRODUCTS);
  trace?.note('position', 'units', span.net);
  trace?.note('position with all orders of this side', 'units', span.after);
  return reduces(span, side) ? undefined : { rule: 'BanPeriod', ...span };
}

/**
 * On the day that an option on a share expires, it is only sold or bought back: options that are held then are
 * delivered. Source: market-rules R7.4.
 */
export function notDeliveredToday(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { state, instrument, side } = wish;
  if (!buysDeliveredOption(instrument, state.day, side)) return undefined;
  const span = positionSpanOf(wish, CONTRACT_PRODUCTS);
  trace?.note('position', 'units', span.net);
  trace?.note('position with all orders of this side', 'units', span.after);
  return reduces(span, side) ? undefined : { rule: 'DeliveredToday' };
}

/**
 * Checks the units that the order sells beyond those that it blocked when it was taken. Shares that contracts will
 * deliver at the day's end are not sold once these no longer trade. Source: market-rules R5.20, R5.24, R7.4.
 */
export function sharesHeld(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { state, ports, account, instrument, product, side, terms, current } = wish;
  if (instrument.kind !== 'equity' || product !== 'C' || side !== 'S') return undefined;
  const more = current === undefined ? terms.quantity : terms.quantity - current.terms.quantity;
  const bound = sharesBound(state, ports, account, instrument.isin);
  trace?.note('to sell', 'units', more);
  trace?.note('eligible to sell', 'units', eligibleToSell(ports.instruments, account, instrument));
  if (bound > 0) trace?.note('bound by a delivery', 'units', bound);
  return refuseWithoutShares(ports.instruments, account, instrument, more, bound);
}

/**
 * An intraday position may still be closed when it was opened before an imported symbol file made the share
 * trade-for-trade. Source: market-rules R1.4, R1.5.
 */
export function intradayAllowed(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { instrument, product, side } = wish;
  if (instrument.kind !== 'equity') return undefined;
  trace?.note('series', 'text', instrument.series);
  trace?.note('product', 'text', product);
  if (!instrument.tradeForTrade || product === 'C') return undefined;
  return reduces(positionSpanOf(wish, [product]), side) ? undefined : { rule: 'IntradayNotAllowed', product };
}

/** The most orders of one account that wait for sessions: nothing is blocked for them, so no money bounds them. */
const MOST_WAITING = 1_000;

/** The account has room for another order that waits. Source: market-rules R2.18. */
export function roomToWait({ state, account, waitsFor, current }: OrderWish, trace?: Trace): Refusal | undefined {
  if (waitsFor === undefined || current !== undefined) return undefined;
  const waiting = state.afterMarket.countOf(account.id);
  trace?.note('orders that wait', 'units', waiting);
  return waiting < MOST_WAITING ? undefined : { rule: 'TooManyWaiting', most: MOST_WAITING };
}
