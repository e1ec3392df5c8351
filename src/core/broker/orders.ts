import type { EpochMs } from '../../base/time.ts';
import type { CancelOrder, ModifyOrder, PlaceOrder } from '../command.ts';
import type { Decision } from '../decision.ts';
import type { Event, OrderReceived } from '../event.ts';
import { decideCancel } from '../exchange/cancel.ts';
import { decideReplace } from '../exchange/replace.ts';
import { decideSubmission } from '../exchange/submit.ts';
import type { Instrument } from '../instrument.ts';
import type { Order, OrderTerms } from '../order.ts';
import { type Desk, instrumentOf } from '../ports.ts';
import type { Refusal } from '../refusal.ts';
import { accountOf, ownOrder, replyKey, type State } from '../state.ts';
import { venueOf } from '../venue-of.ts';
import { admit, withLimit } from './admission.ts';
import { isLive } from './life-cycle.ts';
import { nextOrderNumber } from './order-number.ts';
import type { OrderWish } from './order-wish.ts';

/** What an order is made of when it is placed. */
export type Placement = Pick<
  PlaceOrder,
  'account' | 'instrument' | 'side' | 'product' | 'terms' | 'protection' | 'squareOff'
>;

/** What a modification asks for. */
export type Modification = Pick<ModifyOrder, 'terms' | 'protection'>;

/**
 * Takes an order in, numbers it, and has it rejected or sends it to the exchange. A placement that was made before under the same
 * key is answered as it was then. Source: interface §placeOrder, contract W6, W25, market-rules R3.5.
 */
export function decidePlaceOrder(state: State, desk: Desk, at: EpochMs, command: PlaceOrder): Decision {
  const again = placedBefore(state, at, command);
  if (again !== undefined) return again;
  const wish = placementWish(state, desk, command);
  const { account, instrument, venue, side, product, terms } = wish;
  const order = nextOrderNumber(state.lastOrder, at);
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
    terms: admission.refusal === undefined ? terms : command.terms,
    remarks: command.remarks,
    ...(instrument.kind === 'equity' && instrument.tradeForTrade ? { gross: true } : {}),
    ...(command.squareOff === undefined ? {} : { squareOff: command.squareOff }),
  };
  const { idempotency } = command;
  const events: Event[] = [idempotency === undefined ? received : { ...received, idempotency }];
  if (admission.refusal === undefined) {
    for (const event of decideSubmission(venue, admission.admitted)) events.push(event);
  } else {
    events.push({ type: 'OrderRejected', order, refusal: admission.refusal });
  }
  return { events, reply: { type: 'OrderPlaced', order, at } };
}

/** The order that a placement wishes for, a market order with its protected price. */
export function placementWish(state: State, desk: Desk, command: Placement): OrderWish {
  const { side, product } = command;
  const account = accountOf(state, command.account);
  const instrument = instrumentOf(desk, command.instrument);
  const venue = venueOf(state, desk, instrument);
  const terms = withLimit(venue, instrument, side, command.terms, command.protection);
  const wish = { state, desk, venue, account, instrument, side, product, terms };
  return command.squareOff === undefined ? wish : { ...wish, squareOff: command.squareOff };
}

function placedBefore(state: State, at: EpochMs, { account, idempotency }: PlaceOrder): Decision | undefined {
  if (idempotency === undefined) return undefined;
  const before = state.replies.get(replyKey(account, idempotency.key));
  if (before === undefined) return undefined;
  if (before.bodyDigest !== idempotency.bodyDigest) return refused({ rule: 'IdempotencyKeyReused' }, at);
  return { events: [], reply: { type: 'OrderPlaced', order: before.order, at: before.at } };
}

/**
 * Gives an order new terms; every check of a new order is made again, margin on the difference. A refused modification leaves the
 * order as it is. A market modification becomes a limit order at the protected price. Source: market-rules R3.9, R3.18 to R3.23.
 */
export function decideModifyOrder(state: State, desk: Desk, at: EpochMs, command: ModifyOrder): Decision {
  const current = ownOrder(state, command.account, command.order);
  if (current === undefined) return refused({ rule: 'OrderNotFound' }, at);
  if (!isLive(current.status)) return replaceRefused(current, { rule: 'NotOpenToModify' }, at);
  const wish = modificationWish(state, desk, current, command);
  const admission = admit(wish, current.number);
  if (admission.refusal !== undefined) return replaceRefused(current, admission.refusal, at);
  const events = decideReplace(wish.venue, admission.admitted, current.terms);
  return { events, reply: { type: 'OrderModified', order: current.number, at } };
}

/** The order that a modification wishes for: a market order becomes a limit order at its protected price. */
export function modificationWish(state: State, desk: Desk, current: Order, command: Modification): OrderWish {
  const { side, product } = current;
  const account = accountOf(state, current.account);
  const instrument = instrumentOf(desk, current.instrument);
  const venue = venueOf(state, desk, instrument);
  const terms = asLimit(withLimit(venue, instrument, side, command.terms, command.protection));
  return { state, desk, venue, account, instrument, side, product, terms, current };
}

function replaceRefused({ number }: Order, refusal: Refusal, at: EpochMs): Decision {
  return refused(refusal, at, [{ type: 'ReplaceRejected', order: number, refusal }]);
}

function asLimit(terms: OrderTerms): OrderTerms {
  if (terms.priceType === 'MKT') return { ...terms, priceType: 'LMT' };
  return terms.priceType === 'SL-MKT' ? { ...terms, priceType: 'SL-LMT' } : terms;
}

/** Takes what is left of an order out of the market. Source: interface §cancelOrder, market-rules R3.20. */
export function decideCancelOrder(state: State, desk: Desk, at: EpochMs, command: CancelOrder): Decision {
  const current = ownOrder(state, command.account, command.order);
  if (current === undefined) return refused({ rule: 'OrderNotFound' }, at);
  if (!isLive(current.status)) {
    const refusal: Refusal = { rule: 'NotOpenToCancel' };
    return refused(refusal, at, [{ type: 'CancelRejected', order: current.number, refusal }]);
  }
  const instrument: Instrument = instrumentOf(desk, current.instrument);
  const events = decideCancel(venueOf(state, desk, instrument), current.number, 'Client');
  return { events, reply: { type: 'OrderCancelled', order: current.number, at } };
}

export function refused(refusal: Refusal, at: EpochMs, events: Decision['events'] = []): Decision {
  return { events, reply: { type: 'Refused', refusal, at } };
}
