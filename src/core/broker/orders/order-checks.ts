/**
 * The checks of an order's own terms in admission: product, instrument, phase, trigger, lot, tick, band and value.
 * Checks of positions and shares are in `risk-checks.ts`, those of money in `margin-checks.ts`.
 */

import type { Paise, Price } from '../../../base/money.ts';
import { dayOf } from '../../../base/tick.ts';
import { formatIsoDay } from '../../../base/time.ts';
import { actionRefusal, termsRefusal } from '../../exchange/matching/doors.ts';
import { triggerRefusal } from '../../exchange/matching/submit.ts';
import { lastTradedPrice } from '../../exchange/reference.ts';
import { isDerivative, marginGroup } from '../../instrument.ts';
import type { RecordedSpan } from '../../market.ts';
import { isStop } from '../../order.ts';
import { isHaltedNow } from '../../phase-of.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { circuitRule, haltingRule, type RuleInForce } from '../../scenarios/rules/rules-in-force.ts';
import { isRiskReduced, killOf, stopOf } from '../../switches/switches-that-stop.ts';
import { refuseNotEnabled, riskGroupOf } from '../account/risk-group.ts';
import type { Trace } from '../trials/check-trace.ts';
import { MOST_COUNTED } from './exact-sum-limits.ts';
import type { OrderWish } from './order-wish.ts';
import { onlyCloses, unitsMore } from './reduction.ts';

/** Deliveries are of shares alone. Source: market-rules R3.3. */
export function productEnabled(
  { product, instrument }: Pick<OrderWish, 'product' | 'instrument'>,
  trace?: Trace,
): Refusal | undefined {
  trace?.note('product', 'text', product);
  trace?.note('exchange', 'text', instrument.exchange);
  if (product !== 'C' || !isDerivative(instrument)) return undefined;
  return { rule: 'ProductNotEnabled', product, exchange: instrument.exchange };
}

/**
 * An order may not open a position in a product or an exchange that is not enabled. It may close one, as in a ban and
 * after a square-off: nobody else would close a carried position. Source: market-rules R3.5 (row 5), R0.9.
 */
export function enabledForClient(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { account, product, instrument, side } = wish;
  const { products, exchanges } = riskGroupOf(account);
  trace?.note('enabled products', 'text', products.join(' '));
  trace?.note('enabled exchanges', 'text', exchanges.join(' '));
  const refusal = refuseNotEnabled(account, product, instrument.exchange);
  if (refusal === undefined) return undefined;
  const closes = onlyCloses(account, { instrument: instrument.id, product, side, units: unitsMore(wish) });
  trace?.note('only closes', 'text', closes ? 'yes' : 'no');
  return closes ? undefined : refusal;
}

/** Source: market-rules R1.2. */
export function tradable({ instrument }: OrderWish, trace?: Trace): Refusal | undefined {
  trace?.note('kind', 'text', instrument.kind);
  return instrument.kind === 'index' ? { rule: 'NotTradable' } : undefined;
}

/** The phase takes the action, and orders of this type. Source: market-rules R2.5. */
export function phaseTakesIt({ venue, instrument, terms, current }: OrderWish, trace?: Trace): Refusal | undefined {
  const { phase } = venue;
  trace?.note('phase', 'text', phase);
  trace?.note('price type', 'text', terms.priceType);
  trace?.note('retention', 'text', terms.retention);
  const refusal = actionRefusal(phase, current === undefined ? 'place' : 'modify');
  return refusal ?? termsRefusal(phase, terms, instrument.exchange);
}

/** A kill switch of an operator stops clients' orders; the risk desk's own exits go on. Source: market-rules R9.6. */
export function notKilled({ state, account, venue }: OrderWish, trace?: Trace): Refusal | undefined {
  const kill = killOf(state.switches, account.id, venue);
  trace?.note('kill switch', 'text', kill ?? 'none');
  return kill === undefined ? undefined : { rule: 'TradingBlocked' };
}

/** Source: market-rules R1.49, R3.27. */
export function notStopped({ state, ports, venue }: OrderWish, trace?: Trace): Refusal | undefined {
  const stop = stopOf(state.switches, venue) ?? (isHaltedNow(state, ports, venue.instrument) ? 'Breaker' : undefined);
  const rule = haltingRule(state.scenarioRules, venue, ports.tick);
  const band = circuitRule(state.scenarioRules, venue.instrument, ports.tick);
  trace?.note('stopped by', 'text', stop ?? (rule === undefined ? 'nothing' : ruleText(rule)));
  if (band !== undefined) trace?.note('held at its band by', 'text', ruleText(band));
  if (stop === undefined && rule === undefined) return undefined;
  return { rule: stop === undefined || stop === 'Suspension' ? 'InstrumentSuspended' : 'MarketHalted' };
}

function ruleText({ id, effect }: RuleInForce): string {
  return `scenario rule ${id} (${effect})`;
}

/**
 * Recorded instruments trade on their recorded days alone: nothing is known of others. An order that waits is judged
 * for the day that it waits for. Source: market-rules R3.27, docs/tapes.md.
 */
export function dayRecorded({ ports, instrument, waitsFor }: OrderWish, trace?: Trace): Refusal | undefined {
  const day = waitsFor ?? dayOf(ports.tick);
  const outside = ports.market.outsideRecord?.(instrument.id, day);
  if (outside === undefined) return undefined;
  trace?.note('recorded days', 'text', spanText(outside));
  return outside === 'none' ? { rule: 'NoTape' } : { rule: 'NotRecorded', from: outside.from, to: outside.to };
}

function spanText(span: RecordedSpan | 'none'): string {
  return span === 'none' ? span : `${formatIsoDay(span.from)} to ${formatIsoDay(span.to)}`;
}

/** Source: market-rules R9.6, R3.27. */
export function immediateInRiskReduction({ state, venue, terms }: OrderWish, trace?: Trace): Refusal | undefined {
  const reduced = isRiskReduced(state.switches, venue);
  trace?.note('risk reduction mode', 'text', reduced ? 'on' : 'off');
  trace?.note('retention', 'text', terms.retention);
  return reduced && terms.retention !== 'IOC' ? { rule: 'OnlyImmediateOrders' } : undefined;
}

/** The quantity of a modification is the total of the order. Source: market-rules R3.19. */
export function aboveFilled({ terms, current }: OrderWish, trace?: Trace): Refusal | undefined {
  if (current === undefined) return undefined;
  trace?.note('quantity', 'units', terms.quantity);
  trace?.note('filled', 'units', current.filled);
  if (terms.quantity > current.filled) return undefined;
  return { rule: 'QuantityNotAboveFilled', quantity: terms.quantity, filled: current.filled };
}

/** True when the wish waits for a trigger: a stop that has fired is a limit order. */
export function waits({ terms, current }: OrderWish): boolean {
  return isStop(terms) && !(current !== undefined && current.status === 'Open' && isStop(current.terms));
}

/** Source: market-rules R3.13. */
export function limitAgainstTrigger(wish: OrderWish, trace?: Trace): Refusal | undefined {
  if (!waits(wish)) return undefined;
  const { terms, side } = wish;
  trace?.note('trigger', 'paise', terms.trigger);
  trace?.note('limit', 'paise', terms.price);
  const worse = side === 'B' ? terms.price < terms.trigger : terms.price > terms.trigger;
  return worse ? { rule: 'LimitWorseThanTrigger', trigger: terms.trigger, limit: terms.price } : undefined;
}

/** The exchange decides what a crossed trigger does. Source: market-rules R3.12. */
export function triggerNotCrossed(wish: OrderWish, trace?: Trace): Refusal | undefined {
  if (!waits(wish)) return undefined;
  trace?.note('trigger', 'paise', wish.terms.trigger);
  trace?.note('last price', 'paise', lastTradedPrice(wish.venue));
  return triggerRefusal(wish.venue, wish);
}

/** Source: market-rules R1.22. */
export function lotMultiple({ terms, instrument }: OrderWish, trace?: Trace): Refusal | undefined {
  trace?.note('quantity', 'units', terms.quantity);
  trace?.note('lot', 'units', instrument.lot);
  if (terms.quantity % instrument.lot === 0) return undefined;
  return { rule: 'NotALotMultiple', quantity: terms.quantity, lot: instrument.lot };
}

/** Source: market-rules R1.28. */
export function withinFreeze({ terms, instrument }: OrderWish, trace?: Trace): Refusal | undefined {
  if (instrument.freeze === 0) return undefined;
  trace?.note('quantity', 'units', terms.quantity);
  trace?.note('freeze quantity', 'units', instrument.freeze);
  if (terms.quantity <= instrument.freeze) return undefined;
  return { rule: 'AboveFreezeQuantity', freeze: instrument.freeze, quantity: terms.quantity };
}

/** Source: market-rules R1.19. */
export function priceOnTick({ terms, instrument }: OrderWish, trace?: Trace): Refusal | undefined {
  trace?.note('price', 'paise', terms.price);
  trace?.note('tick', 'paise', instrument.tick);
  if (terms.price % instrument.tick === 0) return undefined;
  return { rule: 'PriceOffTick', price: terms.price, tick: instrument.tick };
}

/** Source: market-rules R1.19. */
export function triggerOnTick(wish: OrderWish, trace?: Trace): Refusal | undefined {
  if (!waits(wish)) return undefined;
  const { terms, instrument } = wish;
  trace?.note('trigger', 'paise', terms.trigger);
  trace?.note('tick', 'paise', instrument.tick);
  if (terms.trigger % instrument.tick === 0) return undefined;
  return { rule: 'TriggerOffTick', trigger: terms.trigger, tick: instrument.tick };
}

/** Source: market-rules R3.7, R3.10. */
export function referenceKnown({ terms }: OrderWish, trace?: Trace): Refusal | undefined {
  trace?.note('limit', 'paise', terms.price);
  return terms.price > 0 ? undefined : { rule: 'NoMarketReference' };
}

/** Source: market-rules R1.41. */
export function insideBand(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { venue, instrument, terms } = wish;
  const { lower, upper } = venue.band();
  trace?.note('price', 'paise', terms.price);
  trace?.note('lower circuit', 'paise', lower);
  trace?.note('upper circuit', 'paise', upper);
  const price = firstOutside(wish, lower, upper);
  if (price === undefined) return undefined;
  return { rule: 'OutsidePriceBand', price, lower, upper, name: `${instrument.exchange}.${instrument.tradingSymbol}` };
}

/**
 * The price of the order that is outside a band. Of a stop that waits that is the trigger, which its client gave,
 * before the limit.
 */
function firstOutside(wish: OrderWish, lower: Price, upper: Price): Price | undefined {
  const { price, trigger } = wish.terms;
  if (waits(wish) && (trigger < lower || trigger > upper)) return trigger;
  return price < lower || price > upper ? price : undefined;
}

/** Source: market-rules R3.5 of section 3.1. */
export function belowValueCap(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { account, instrument, terms } = wish;
  if (instrument.kind !== 'equity') return countable(wish);
  const cap = riskGroupOf(account).orderValueCap;
  const value = terms.price * terms.quantity;
  trace?.note('value', 'paise', value);
  trace?.note('cap', 'paise', cap);
  if (value <= cap) return undefined;
  return { rule: 'AboveOrderValueCap', value: value as Paise, cap };
}

/**
 * Orders in contracts have no cap of their own, but their value has to be counted exactly. An order that is taken for a
 * session has met no band yet, and an imported file may give any freeze quantity or none.
 */
function countable({ ports, instrument, terms }: OrderWish): Refusal | undefined {
  const dearest = Math.max(terms.price, ports.market.previousClose(marginGroup(instrument), ports.tick));
  const value = dearest * terms.quantity;
  return value <= MOST_COUNTED ? undefined : { rule: 'AboveOrderValueCap', value: value as Paise, cap: MOST_COUNTED };
}
