/**
 * The first step of the day's end: cancels open orders, carries or delivers intraday positions that were not squared
 * off, and buys in short sales. The square-off during the day is in `square-off.ts`.
 */

import type { OrderNumber } from '../../../base/ids.ts';
import { type Price, type Quantity, scaleHalfUp } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { Event, PositionConverted } from '../../event.ts';
import { decideCancel } from '../../exchange/matching/cancel.ts';
import type { Equity } from '../../instrument.ts';
import type { Order, Product } from '../../order.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { liveOrdersOf, orderOf, type State } from '../../state.ts';
import { isIntraday, segmentOf } from '../../trading-days.ts';
import { venueOf } from '../../venue-of.ts';
import { isLive } from '../orders/life-cycle.ts';
import { closeOf, closeOutPrice } from './closing-prices.ts';
import { Deliverable } from './deliverable.ts';
import { type OpenPosition, openPositionsOf, settled } from './open-position.ts';

/**
 * Ends the open positions of the day, once no order is open: intraday positions that were not squared off become
 * carried positions (contracts) or deliveries (shares). Shares sold short that the account does not own are bought in.
 * Source: market-rules R2.25, R3.34, R7.5 (1).
 */
export function decideLeftovers(state: State, ports: DecisionPorts, range: AccountRange): Event[] {
  const events: Event[] = [];
  for (const account of accountsWithin(state, range)) events.push(...leftoversOf(state, ports, account));
  return events;
}

/** Orders that the day's end ends in one record, at most: those of one account too. */
const ENDED_IN_RECORD = 250;

/** The ends of a portion's open orders. */
export interface LeftOrders {
  readonly events: readonly Event[];
  /** True when others are still open: the next portion is of the same accounts. */
  readonly isCut: boolean;
}

/** Ends the open orders of a range, oldest first, as many as one record should end. */
export function endLeftOrders(state: State, ports: DecisionPorts, range: AccountRange): LeftOrders {
  const numbers: OrderNumber[] = [];
  for (const account of accountsWithin(state, range)) {
    for (const order of liveOrdersOf(state, account)) if (isLeft(state, order)) numbers.push(order.number);
  }
  numbers.sort((one, other) => one - other);
  const events = endsOf(state, ports, numbers.slice(0, ENDED_IN_RECORD));
  return { events, isCut: numbers.length > ENDED_IN_RECORD };
}

function isLeft(state: State, { status, afterMarket }: Order): boolean {
  return (afterMarket !== undefined && afterMarket.day <= state.day) || status === 'Pending' || isLive(status);
}

function endsOf(state: State, ports: DecisionPorts, numbers: readonly OrderNumber[]): Event[] {
  const events: Event[] = [];
  for (const number of numbers) {
    const { afterMarket, status, instrument } = orderOf(state, number);
    if (afterMarket !== undefined && afterMarket.day <= state.day) {
      events.push({ type: 'OrderCancelled', order: number, reason: 'DayEnd' });
    }
    if (status === 'Pending') {
      events.push({ type: 'OrderRejected', order: number, refusal: { rule: 'MarketClosed' } });
    }
    if (!isLive(status)) continue;
    events.push(...decideCancel(venueOf(state, ports, instrumentOf(ports, instrument)), number, 'DayEnd'));
  }
  return events;
}

function leftoversOf(state: State, ports: DecisionPorts, account: Account): Event[] {
  const events: Event[] = [];
  const deliverable = new Deliverable(ports.instruments, account);
  const short: [Equity, OpenPosition][] = [];
  for (const position of openPositionsOf(account)) {
    const { row, side, units } = position;
    if (!isIntraday(row.kind, row.product)) continue;
    const instrument = instrumentOf(ports, row.instrument);
    if (instrument.kind !== 'equity') events.push(convertedTo('M', position, units));
    else if (side === 'S') short.push([instrument, position]);
    else events.push(convertedTo('C', position, deliverable.book(instrument, 'B', units)));
  }
  for (const [equity, position] of short) events.push(...coverSale(state, ports, equity, position, deliverable));
  return events;
}

function convertedTo(to: Product, { account, row, side }: OpenPosition, quantity: Quantity): PositionConverted {
  const { instrument, kind, group, isin, product } = row;
  const [traded, amount] =
    side === 'B' ? [row.dayBuyQuantity, row.dayBuyAmount] : [row.daySellQuantity, row.daySellAmount];
  return {
    type: 'PositionConverted',
    account: account.id,
    instrument,
    kind,
    group,
    isin,
    from: product,
    to,
    side,
    age: 'day',
    quantity,
    amount: scaleHalfUp(amount, quantity, traded),
  };
}

/** A short sale is delivered as far as the account owns the shares; the rest is bought in. */
function coverSale(
  state: State,
  ports: DecisionPorts,
  equity: Equity,
  position: OpenPosition,
  deliverable: Deliverable,
): Event[] {
  const { account, row, units } = position;
  const owned = deliverable.book(equity, 'S', units);
  const short = (units - owned) as Quantity;
  const events: Event[] = owned > 0 ? [convertedTo('C', position, owned)] : [];
  if (short === 0) return events;
  const { product } = row;
  const price = priceOfCover(state, ports, equity);
  return [...events, settled(account, row, { product, side: 'B', quantity: short, price }, 'CloseOut')];
}

/**
 * The price of the cover. When the service did not run at the cut-off, it is the close, because the account had no
 * chance to be squared off.
 */
function priceOfCover(state: State, ports: DecisionPorts, equity: Equity): Price {
  const { day } = state;
  const tried = state.squaredOff.has(segmentOf(equity, day));
  return tried ? closeOutPrice(ports, equity.id, day) : closeOf(ports, equity.id, day);
}
