/**
 * The decision to square a segment off, and the cancellation of its open orders. The orders that close its positions
 * are in `counter-orders.ts`.
 */

import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Account } from '../../account.ts';
import type { SquareOff } from '../../command.ts';
import type { Event } from '../../event.ts';
import { decideCancel } from '../../exchange/matching/cancel.ts';
import type { Instrument } from '../../instrument.ts';
import type { Order } from '../../order.ts';
import { EVERYBODY, isDue } from '../../portions/portion.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { accountOf, liveOrdersOf, NOTHING_YET, type State } from '../../state.ts';
import { isIntraday, type SquareOffSegment, segmentOf } from '../../trading-days.ts';
import { venueOf } from '../../venue-of.ts';
import { isLive } from '../orders/life-cycle.ts';
import type { DeliveryUnfunded } from './settlement-events.ts';
import { decideUnfunded, deliversOn } from './unfunded-delivery.ts';

/** Open orders that one record of a square-off cancels, at most. */
const CANCELLED_IN_RECORD = 250;
/** Open orders that one record looks at, at most: some milliseconds. */
const LOOKED_AT_IN_RECORD = 20_000;

/**
 * Squares a segment off: its open orders are cancelled, and from here on no intraday position is opened in it. The
 * orders that close the remaining positions follow as commands of their own. Each further command looks again for
 * deliveries that are not paid for, because prices and cash change. Where more orders are open than one record should
 * look at or cancel, the next portion continues after the last. Source: market-rules R2.23, R2.24, R7.4.
 */
export function decideSquareOff(state: State, ports: DecisionPorts, command: SquareOff): Event[] {
  const { day, segment, portion } = command;
  if (day !== state.day || state.dayEnd !== undefined || !isDue(state, 'SquareOff', portion)) return [];
  if (portion !== undefined) return cancelConcerned(state, ports, segment, portion, concernedBy(state, segment));
  const isOver = state.squaredOff.has(segment);
  const events: Event[] = isOver ? [] : [{ type: 'SegmentSquaredOff', segment }];
  if (segment === 'UnfundedDeliveries') return [...events, ...squareDeliveriesOff(state, ports, command)];
  if (isOver) return [];
  return [...events, ...cancelConcerned(state, ports, segment, 0, concernedBy(state, segment))];
}

type IsConcerned = (order: Order, instrument: Instrument) => boolean;

/** The orders that the square-off of a segment cancels: intraday ones, or those of deliveries that were found. */
function concernedBy(state: State, segment: SquareOffSegment): IsConcerned {
  const { day } = state;
  if (segment !== 'UnfundedDeliveries') {
    return ({ kind, product }, instrument) => isIntraday(kind, product) && segmentOf(instrument, day) === segment;
  }
  return ({ account, group }, instrument) =>
    accountOf(state, account).unfunded.includes(group) && deliversOn(instrument, day);
}

/** The deliveries that are not paid for, and the cancelled open orders in their contracts. */
function squareDeliveriesOff(state: State, ports: DecisionPorts, { from, upTo }: SquareOff): Event[] {
  const unfunded = decideUnfunded(state, ports, { from: from ?? EVERYBODY.from, to: upTo ?? EVERYBODY.to });
  if (unfunded.length === 0) return [];
  const groups = new Set(unfunded.map(({ account, group }) => `${account} ${group}`));
  const isConcerned: IsConcerned = ({ account, group }, instrument) =>
    groups.has(`${account} ${group}`) && deliversOn(instrument, state.day);
  return [
    ...unfunded,
    ...cancelConcerned(state, ports, 'UnfundedDeliveries', 0, isConcerned, ordersOf(state, unfunded)),
  ];
}

/** The live orders of the accounts whose deliveries are not paid for, oldest first. */
function ordersOf(state: State, unfunded: readonly DeliveryUnfunded[]): Order[] {
  const accounts = new Set(unfunded.map(({ account }) => account));
  const orders = Array.from(accounts, (account) => [...liveOrdersOf(state, accountOf(state, account))]).flat();
  return orders.sort((one, other) => one.number - other.number);
}

/** Cancels the orders of a square-off, oldest first, and says when there are more. */
function cancelConcerned(
  state: State,
  ports: DecisionPorts,
  segment: SquareOffSegment,
  number: number,
  isConcerned: IsConcerned,
  orders: Iterable<Order> = state.orders.live(state.portion?.after),
): Event[] {
  const most = ports.portions?.orders ?? LOOKED_AT_IN_RECORD;
  const events: Event[] = [];
  const done = { type: 'PortionDone', of: 'SquareOff', number, segment } as const;
  let looked = 0;
  let after: OrderNumber | undefined;
  const goesOn = () => [...events, { ...done, next: 0 as AccountId, ...(after !== undefined && { after }) }];
  for (const order of orders) {
    if (looked === most) return goesOn();
    events.push(...cancelled(state, ports, order, isConcerned));
    looked += 1;
    after = order.number;
    if (events.length >= CANCELLED_IN_RECORD) return goesOn();
  }
  return number === 0 ? events : [...events, done];
}

/** Cancels the open intraday orders of one account. */
export function cancelIntraday(state: State, ports: DecisionPorts, account: Account): Event[] {
  const isConcerned: IsConcerned = ({ kind, product }) => isIntraday(kind, product);
  return Array.from(liveOrdersOf(state, account), (order) => cancelled(state, ports, order, isConcerned)).flat();
}

/** The cancellation of an order that can still trade and is concerned; nothing for any other. */
function cancelled(state: State, ports: DecisionPorts, order: Order, isConcerned: IsConcerned): readonly Event[] {
  if (!isLive(order.status)) return NOTHING_YET;
  const instrument = instrumentOf(ports, order.instrument);
  if (!isConcerned(order, instrument)) return NOTHING_YET;
  return decideCancel(venueOf(state, ports, instrument), order.number, 'SquareOff');
}
