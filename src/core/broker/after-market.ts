import type { OrderNumber } from '../../base/ids.ts';
import { instantOf } from '../../base/tick.ts';
import { type EpochMs, type IstDay, istDay, istInstant, istTimeOfDay } from '../../base/time.ts';
import { actionRefusal, termsRefusal } from '../exchange/doors.ts';
import type { Phase } from '../exchange/phase.ts';
import { type Instrument, isDerivative } from '../instrument.ts';
import type { Order, OrderTerms } from '../order.ts';
import { phaseOf } from '../phase-of.ts';
import { type Desk, daysOf, instrumentOf } from '../ports.ts';
import type { Refusal } from '../refusal.ts';
import { orderOf, type State } from '../state.ts';
import { type AfterMarketHours, nextTradingDay } from '../trading-days.ts';
import { venueOf } from '../venue-of.ts';
import { marginThere, paidFromCash } from './margin-checks.ts';
import type { OrderWish } from './order-wish.ts';
import { inGroupOf } from './risk-group.ts';

/**
 * The trading day that an order which comes now has to wait for: the next session of a closed instrument while orders are taken for it, or
 * today's continuous trading between the opening auction and it. Nothing when the order does not wait. Source: market-rules 2.1, R2.18.
 */
export function dayWaitedFor(state: State, desk: Desk, instrument: Instrument, phase: Phase): IstDay | undefined {
  if (phase === 'Buffer') return state.day;
  if (phase !== 'Closed' || instrument.kind === 'index') return undefined;
  const day = intakeDay(desk, instrument);
  return day !== undefined && tradesOn(instrument, day) ? day : undefined;
}

/**
 * What the money of the account lacks for an order that is to wait, as it is now: a warning, since nothing is blocked before the order goes to the
 * exchange and is asked again. Source: market-rules R2.19.
 */
export function warningAtIntake({ current: _, ...wish }: OrderWish): { readonly warning?: Refusal } {
  const warning = paidFromCash(wish) ?? marginThere(wish);
  return warning === undefined ? {} : { warning: inGroupOf(wish.account, warning) };
}

/** The trading day that orders are taken for now; nothing while none are. */
function intakeDay(desk: Desk, instrument: Instrument): IstDay | undefined {
  const days = daysOf(desk);
  const at = instantOf(desk.tick);
  const today = istDay(at);
  if (!days.isTradingDay(today)) {
    const next = nextTradingDay(days, today);
    return days.afterMarket?.(instrument, next) === undefined ? undefined : next;
  }
  const hours = days.afterMarket?.(instrument, today);
  if (hours === undefined) return undefined;
  const time = istTimeOfDay(at);
  if (time < hours.closes) return today;
  return time >= hours.opens ? nextTradingDay(days, today) : undefined;
}

function tradesOn(instrument: Instrument, day: IstDay): boolean {
  if (!isDerivative(instrument)) return true;
  const { expiryDay, replacedBy } = instrument;
  return day <= expiryDay && (replacedBy === undefined || day < replacedBy.from);
}

/** The orders that wait and are to go to the exchange now, oldest first. Source: market-rules R2.18. */
export function ordersToRelease(state: State, desk: Desk): OrderNumber[] {
  return [...state.afterMarket].filter((number) => isDue(state, desk, orderOf(state, number)));
}

/**
 * True when the hour of a waiting order has come and the phase of its instrument takes it: one that came too late for the opening auction waits for
 * continuous trading, and while an operator holds its instrument up it waits on. Source: market-rules R2.18.
 */
export function isDue(state: State, desk: Desk, order: Order): boolean {
  const { afterMarket, terms } = order;
  if (afterMarket === undefined || afterMarket.day > state.day) return false;
  const instrument = instrumentOf(desk, order.instrument);
  const hours = daysOf(desk).afterMarket?.(instrument, afterMarket.day);
  if (hours !== undefined && instantOf(desk.tick) < releaseOf(hours, terms, afterMarket.day)) return false;
  const phase = phaseOf(state, desk, order.instrument);
  if (actionRefusal(phase, 'place') !== undefined) return false;
  if (termsRefusal(phase, terms, instrument.exchange) !== undefined) return false;
  return phase !== 'PostClose' && !venueOf(state, desk, instrument).stopped;
}

function releaseOf(hours: AfterMarketHours, { priceType, retention }: OrderTerms, day: IstDay): EpochMs {
  const isPlain = (priceType === 'LMT' || priceType === 'MKT') && retention === 'DAY';
  return istInstant(day, isPlain ? hours.release : hours.releaseOthers);
}
