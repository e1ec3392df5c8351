/**
 * The decisions on a client's orders: place, modify, cancel, and release of an order that waited. Each builds a wish,
 * has admission judge it, and hands an admitted order to the exchange.
 */

import type { EpochMs, IstDay } from '../../../base/time.ts';
import type { CancelOrder, ModifyOrder, PlaceOrder, ReleaseOrder } from '../../command.ts';
import { type Decision, refused } from '../../decision.ts';
import type { Event, OrderReceived } from '../../event.ts';
import { decideCancel } from '../../exchange/matching/cancel.ts';
import { actionRefusal } from '../../exchange/matching/doors.ts';
import { decideReplace } from '../../exchange/matching/replace.ts';
import { type Instrument, settlesGross } from '../../instrument.ts';
import type { Order, OrderTerms, ProtectionE4 } from '../../order.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { Reply } from '../../reply.ts';
import { decideArrival } from '../../scenarios/arrival.ts';
import { decideLateFill } from '../../scenarios/late-fill.ts';
import { accountOf, ownOrder, type PlacementReply, replyKey, type State } from '../../state.ts';
import { venueOf } from '../../venue-of.ts';
import { cancelExits } from '../settlement/closing-orders.ts';
import { admit } from './admission.ts';
import { dayWaitedFor, isDue, type OrderPlace, placeOnDay, warningAtIntake } from './after-market.ts';
import { mayClientChange } from './life-cycle.ts';
import { nextOrderNumber } from './order-number.ts';
import type { OrderWish } from './order-wish.ts';
import { withLimit } from './protection.ts';

/** The facts of a new order. */
export type Placement = Pick<
  PlaceOrder,
  'account' | 'instrument' | 'side' | 'product' | 'terms' | 'protection' | 'squareOff' | 'scenario'
>;

/** The new terms that a modification asks for. */
export type Modification = Pick<ModifyOrder, 'terms' | 'protection'>;

/**
 * Takes an order, numbers it, and rejects it or sends it to the exchange. A placement that repeats an earlier one under
 * the same key gets the earlier answer. Source: interface §placeOrder, contract W6, W25, market-rules R3.5.
 */
export function decidePlaceOrder(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: PlaceOrder,
  isClients = true,
): Decision {
  const again = placedBefore(state, at, command, ({ order, at }) => {
    return { type: 'OrderPlaced', order, at, again: true };
  });
  if (again !== undefined) return again;
  const order = nextOrderNumber(state.lastOrder, at, isClients && command.squareOff === undefined);
  if (order === undefined) return refused({ rule: 'NumbersUsedUp' }, at);
  const wish = placementWish(state, ports, command);
  const { account, instrument, venue, side, product, terms } = wish;
  const admission = admit(wish, order);
  const received: OrderReceived = {
    type: 'OrderReceived',
    order,
    account: account.id,
    instrument: instrument.id,
    kind: instrument.kind,
    group: venue.group,
    isin: instrument.kind === 'equity' ? instrument.isin : '',
    side,
    product,
    terms: admission.refusal === undefined && wish.waitsFor === undefined ? terms : command.terms,
    remarks: command.remarks,
  };
  const events: Event[] = [withMarks(received, instrument, command)];
  if (admission.refusal === undefined && wish.waitsFor !== undefined) {
    const taken = { type: 'AfterMarketTaken', order, day: wish.waitsFor } as const;
    events.push({ ...taken, ...protectionOf(command), ...warningAtIntake(wish) });
  } else if (admission.refusal === undefined) {
    decideArrival(venue, admission.admitted, at, events);
    if (command.squareOff !== undefined) events.push(...cancelExits(state, venue, account, command));
  } else {
    events.push({ type: 'OrderRejected', order, refusal: admission.refusal });
  }
  return { events, reply: { type: 'OrderPlaced', order, at } };
}

/** Adds the fields that few orders have. All other orders are written without them. */
function withMarks(received: OrderReceived, instrument: Instrument, command: PlaceOrder): OrderReceived {
  const { squareOff, tags, scenario, idempotency } = command;
  const gross = settlesGross(instrument);
  if (!gross && (squareOff ?? tags ?? scenario ?? idempotency) === undefined) return received;
  return {
    ...received,
    ...(gross ? { gross: true } : {}),
    ...(squareOff === undefined ? {} : { squareOff }),
    ...(tags === undefined ? {} : { tags }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
}

/** The wish of a placement, a market order with its protected price. */
export function placementWish(state: State, ports: DecisionPorts, command: Placement): OrderWish {
  const instrument = instrumentOf(ports, command.instrument);
  const venue = venueOf(state, ports, instrument);
  const waitsFor = command.squareOff === undefined ? dayWaitedFor(state, ports, instrument, venue.phase) : undefined;
  const here = { ports, instrument, venue };
  const place = waitsFor === undefined ? here : placeOnDay(state, ports, instrument, waitsFor);
  return wishAt(state, place, command, waitsFor);
}

function wishAt(state: State, place: OrderPlace, command: Placement, waitsFor: IstDay | undefined): OrderWish {
  const { ports, instrument, venue } = place;
  const { side, product, terms, protection, squareOff, scenario } = command;
  return {
    state,
    ports,
    venue,
    account: accountOf(state, command.account),
    instrument,
    side,
    product,
    terms: withLimit(venue, instrument, side, terms, protection),
    current: undefined,
    waitsFor,
    squareOff,
    scenario,
  };
}

function protectionOf({ protection }: Pick<PlaceOrder, 'protection'>): { readonly protection?: ProtectionE4 } {
  return protection === undefined ? {} : { protection };
}

/**
 * Sends an order that waited to the exchange, with every check of an order that comes now. Nothing when it no longer
 * waits or its hour has not come. Source: market-rules R2.18, R2.19.
 */
export function decideReleaseOrder(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  { order: number }: ReleaseOrder,
): Event[] {
  const order = state.orders.get(number);
  if (order === undefined || !isDue(state, ports, order)) return [];
  const wish = releaseWish(state, ports, order);
  const admission = admit(wish, number);
  if (admission.refusal !== undefined) {
    const released: Event = { type: 'AfterMarketReleased', order: number, terms: order.terms };
    return [released, { type: 'OrderRejected', order: number, refusal: admission.refusal }];
  }
  const events: Event[] = [{ type: 'AfterMarketReleased', order: number, terms: wish.terms }];
  decideArrival(wish.venue, admission.admitted, at, events);
  return events;
}

/** The wish of a waiting order that goes to the exchange. Nothing was blocked for it before. */
export function releaseWish(state: State, ports: DecisionPorts, order: Order): OrderWish {
  const { account: id, instrument, side, product, terms, afterMarket, scenario } = order;
  return placementWish(state, ports, {
    account: id,
    instrument,
    side,
    product,
    terms,
    ...protectionOf(afterMarket ?? {}),
    ...(scenario && { scenario }),
  });
}

/** The first answer to a placement that is sent again under its key, as `replyOf` puts it. Source: contract W25. */
export function placedBefore(
  state: State,
  at: EpochMs,
  { account, idempotency }: Pick<PlaceOrder, 'account' | 'idempotency'>,
  replyOf: (before: PlacementReply) => Reply,
): Decision | undefined {
  if (idempotency === undefined) return undefined;
  const before = state.replies.get(replyKey(account, idempotency.key));
  if (before === undefined) return undefined;
  if (before.bodyDigest !== idempotency.bodyDigest) return refused({ rule: 'IdempotencyKeyReused' }, at);
  return { events: [], reply: replyOf(before) };
}

/**
 * Gives an order new terms. Every check of a new order is made again, and margin is checked on the difference. A
 * refused modification leaves the order as it is. A client cannot modify an order of the risk desk. A market
 * modification becomes a limit order at the protected price. Source: market-rules R3.9, R3.18 to R3.23.
 */
export function decideModifyOrder(state: State, ports: DecisionPorts, at: EpochMs, command: ModifyOrder): Decision {
  const current = ownOrder(state, command.account, command.order);
  if (current === undefined) return refused({ rule: 'OrderNotFound' }, at);
  if (!mayClientChange(current)) return replaceRefused(current, { rule: 'NotOpenToModify' }, at);
  const wish = modificationWish(state, ports, current, command);
  if (current.afterMarket !== undefined && wish.waitsFor !== current.afterMarket.day) {
    return replaceRefused(current, { rule: 'MarketClosed' }, at);
  }
  const admission = admit(wish, current.number);
  if (admission.refusal !== undefined) return replaceRefused(current, admission.refusal, at);
  if (wish.waitsFor !== undefined) {
    const { terms } = command;
    const replaced = { type: 'AfterMarketReplaced', order: current.number, terms } as const;
    const events: Event[] = [{ ...replaced, ...protectionOf(command), ...warningAtIntake(wish) }];
    return { events, reply: { type: 'OrderModified', order: current.number, at } };
  }
  const events = decideReplace(wish.venue, admission.admitted, current.terms);
  return { events, reply: { type: 'OrderModified', order: current.number, at } };
}

/** The wish of a modification: in continuous trading a market order becomes a limit order at its protected price. */
export function modificationWish(state: State, ports: DecisionPorts, current: Order, command: Modification): OrderWish {
  const { side, product } = current;
  const instrument = instrumentOf(ports, current.instrument);
  const here = { ports, instrument, venue: venueOf(state, ports, instrument) };
  const waits = current.afterMarket !== undefined;
  const waitsFor = waits ? dayWaitedFor(state, ports, instrument, here.venue.phase) : undefined;
  const place = waitsFor === undefined ? here : placeOnDay(state, ports, instrument, waitsFor);
  const limited = withLimit(place.venue, instrument, side, command.terms, command.protection);
  return {
    state,
    ports: place.ports,
    venue: place.venue,
    account: accountOf(state, current.account),
    instrument: place.instrument,
    side,
    product,
    terms: place.venue.phase === 'Continuous' ? asLimit(limited) : limited,
    current,
    waitsFor,
    squareOff: undefined,
    scenario: current.scenario,
  };
}

function replaceRefused({ number }: Order, refusal: Refusal, at: EpochMs): Decision {
  return refused(refusal, at, [{ type: 'ReplaceRejected', order: number, refusal }]);
}

function asLimit(terms: OrderTerms): OrderTerms {
  if (terms.priceType === 'MKT') return { ...terms, priceType: 'LMT' };
  return terms.priceType === 'SL-MKT' ? { ...terms, priceType: 'SL-LMT' } : terms;
}

/**
 * Cancels the open rest of an order, unless the risk desk placed it. Where trading is stopped nothing is matched, so
 * every phase allows it. Source: interface §cancelOrder, market-rules R3.20, R1.49.
 */
export function decideCancelOrder(state: State, ports: DecisionPorts, at: EpochMs, command: CancelOrder): Decision {
  const current = ownOrder(state, command.account, command.order);
  if (current === undefined) return refused({ rule: 'OrderNotFound' }, at);
  if (!mayClientChange(current)) {
    const refusal: Refusal = { rule: 'NotOpenToCancel' };
    return refused(refusal, at, [{ type: 'CancelRejected', order: current.number, refusal }]);
  }
  if (current.status === 'AfterMarket') {
    const cancelled: Event = { type: 'OrderCancelled', order: current.number, reason: 'Client' };
    return { events: [cancelled], reply: { type: 'OrderCancelled', order: current.number, at } };
  }
  const venue = venueOf(state, ports, instrumentOf(ports, current.instrument));
  const shut = venue.stopped ? undefined : actionRefusal(venue.phase, 'cancel');
  if (shut !== undefined) return refused(shut, at, [{ type: 'CancelRejected', order: current.number, refusal: shut }]);
  const late = decideLateFill(state, venue, current, at);
  if (late !== undefined) return late;
  const events = decideCancel(venue, current.number, 'Client');
  return { events, reply: { type: 'OrderCancelled', order: current.number, at } };
}
