/**
 * Orders that come while their instrument is closed: the session that they wait for, the warning that they get, and the
 * time at which they go to the exchange. `orders.ts` takes them and releases them.
 */

import { exchangeOf, type InstrumentId, type OrderNumber } from '../../../base/ids.ts';
import { firstTickOf, instantOf } from '../../../base/tick.ts';
import { type EpochMs, type IstDay, istDay, istInstant, istTimeOfDay } from '../../../base/time.ts';
import { actionRefusal, termsRefusal } from '../../exchange/matching/doors.ts';
import type { Phase } from '../../exchange/phase.ts';
import type { Venue } from '../../exchange/venue.ts';
import { type Instrument, isDerivative, marginGroup } from '../../instrument.ts';
import type { Order } from '../../order.ts';
import { phaseOf } from '../../phase-of.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { orderOf, type State } from '../../state.ts';
import { type AfterMarketHours, nextTradingDay } from '../../trading-days.ts';
import { venueOf } from '../../venue-of.ts';
import { inGroupOf } from '../account/risk-group.ts';
import type { CorporateAction } from '../corporate-actions/corporate-action.ts';
import { marginThere, paidFromCash } from './margin-checks.ts';
import type { OrderWish } from './order-wish.ts';
import { oldestFirst, type WaitingBatch, type WaitingTerms } from './waiting-orders.ts';

/**
 * The trading day that an order which comes now has to wait for. It is the next session of a closed instrument while
 * orders are taken for it, or today's continuous trading between the opening auction and its start. Nothing when the
 * order does not wait. Source: market-rules 2.1, R2.18.
 */
export function dayWaitedFor(
  state: State,
  ports: DecisionPorts,
  instrument: Instrument,
  phase: Phase,
): IstDay | undefined {
  if (phase === 'Buffer') return state.day;
  if (phase !== 'Closed' || instrument.kind === 'index') return undefined;
  const day = intakeDay(ports, instrument);
  return day !== undefined && tradesOn(instrument, day) ? day : undefined;
}

/**
 * The warning that the account lacks the money, as it is now, for an order that is to wait. It is only a warning:
 * nothing is blocked before the order goes to the exchange, and then it is checked again. There is none before an
 * ex-date that changes the terms of positions and shares. Source: market-rules R2.19.
 */
export function warningAtIntake(waiting: OrderWish): { readonly warning?: Refusal } {
  const wish = { ...waiting, current: undefined };
  const { state, instrument, waitsFor } = wish;
  if (waitsFor !== undefined && termsChangeBy(state, instrument, waitsFor)) return {};
  const warning = paidFromCash(wish) ?? marginThere(wish);
  return warning === undefined ? {} : { warning: inGroupOf(wish.account, warning) };
}

/** The trading day that orders are taken for now; nothing while none are. */
function intakeDay(ports: DecisionPorts, instrument: Instrument): IstDay | undefined {
  const days = ports.days;
  const at = instantOf(ports.tick);
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
  return !isDerivative(instrument) || day <= instrument.expiryDay;
}

/** Where an order is checked: its instrument, and the exchange as it stands there. */
export interface OrderPlace {
  readonly ports: DecisionPorts;
  readonly instrument: Instrument;
  readonly venue: Venue;
}

/**
 * Where an order stands that waits for a trading day. When a corporate action comes into effect with that day, the
 * order stands at the beginning of the day, in the contract that has then replaced the one it named. Source:
 * market-rules R7.6, R7.7, docs/corporate-actions.md.
 */
export function placeOnDay(state: State, ports: DecisionPorts, named: Instrument, day: IstDay): OrderPlace {
  const instrument = contractOn(ports, named, day);
  const then = termsChangeBy(state, instrument, day) ? { ...ports, tick: firstTickOf(day) } : ports;
  return { ports: then, instrument, venue: venueOf(state, then, instrument) };
}

function contractOn(ports: DecisionPorts, named: Instrument, day: IstDay): Instrument {
  let instrument = named;
  while (isDerivative(instrument) && instrument.replacedBy !== undefined && instrument.replacedBy.from <= day)
    instrument = instrumentOf(ports, instrument.replacedBy.id);
  return instrument;
}

/**
 * True when an ex-date of a share, or of the share that a contract is written on, lies after the trading day that has
 * begun and not after `day`.
 */
function termsChangeBy({ corporateActions, day: begun }: State, instrument: Instrument, day: IstDay): boolean {
  const share = marginGroup(instrument);
  return corporateActions.some(({ listings, exDay }) => exDay > begun && exDay <= day && listings.includes(share));
}

/**
 * The orders in a share, or in contracts that an action adjusts, that wait for the action's ex-date or a later day.
 * When the action is announced or withdrawn, their terms are no longer those of that day. Source:
 * docs/corporate-actions.md.
 */
export function ordersInOtherTerms(state: State, action: CorporateAction): OrderNumber[] {
  return state.afterMarket.numbers((number) => {
    const { group, kind, afterMarket } = orderOf(state, number);
    if (afterMarket === undefined || afterMarket.day < action.exDay || !action.listings.includes(group)) return false;
    return kind === 'equity' || action.adjustsContracts;
  });
}

/**
 * The waiting orders that go to the exchange now, oldest first, with nothing in the place of each order that stays and
 * of each instrument that was asked before. Time may pass between two of them, and the ports have to follow it. Source:
 * market-rules R2.18.
 */
export function* ordersToRelease(state: State, ports: DecisionPorts): Iterable<OrderNumber | undefined> {
  const due: OrderNumber[] = [];
  for (const batch of state.afterMarket.batches()) {
    if (!hasHourCome(state, ports, batch)) continue;
    for (const [instrument, numbers] of batch.instruments) {
      if (isTaken(state, ports, instrument, batch.terms)) for (const number of numbers) due.push(number);
      yield;
    }
  }
  for (const number of oldestFirst(due)) yield isDue(state, ports, orderOf(state, number)) ? number : undefined;
}

/** True when the hour of a waiting order has come and the exchange takes it. Source: market-rules R2.18. */
export function isDue(state: State, ports: DecisionPorts, { afterMarket, instrument, terms }: Order): boolean {
  if (afterMarket === undefined) return false;
  const hour = { exchange: exchangeOf(instrument), day: afterMarket.day, terms };
  return hasHourCome(state, ports, hour) && isTaken(state, ports, instrument, terms);
}

type Hour = Pick<WaitingBatch, 'exchange' | 'day' | 'terms'>;

function hasHourCome({ day: begun }: State, { days, tick }: DecisionPorts, { exchange, day, terms }: Hour): boolean {
  if (day > begun) return false;
  const hours = days.afterMarket?.({ exchange }, day);
  return hours === undefined || instantOf(tick) >= releaseOf(hours, terms, day);
}

/**
 * True when the phase of an instrument takes orders with these terms. An order that is too late for the opening auction
 * waits for continuous trading. While an operator stops its instrument, it waits on. Source: market-rules R2.18.
 */
function isTaken(state: State, ports: DecisionPorts, id: InstrumentId, terms: WaitingTerms): boolean {
  const phase = phaseOf(state, ports, id);
  if (actionRefusal(phase, 'place') !== undefined) return false;
  if (termsRefusal(phase, terms, exchangeOf(id)) !== undefined) return false;
  return phase !== 'PostClose' && !venueOf(state, ports, instrumentOf(ports, id)).stopped;
}

function releaseOf(hours: AfterMarketHours, { priceType, retention }: WaitingTerms, day: IstDay): EpochMs {
  const isPlain = (priceType === 'LMT' || priceType === 'MKT') && retention === 'DAY';
  return istInstant(day, isPlain ? hours.release : hours.releaseOthers);
}
