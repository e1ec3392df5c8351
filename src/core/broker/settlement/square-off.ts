import type { AccountId } from '../../../base/ids.ts';
import type { SquareOff } from '../../command.ts';
import type { Event } from '../../event.ts';
import { decideCancel } from '../../exchange/matching/cancel.ts';
import type { Instrument } from '../../instrument.ts';
import type { Order } from '../../order.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { State } from '../../state.ts';
import { isIntraday, segmentOf } from '../../trading-days.ts';
import { venueOf } from '../../venue-of.ts';
import { isLive } from '../orders/life-cycle.ts';
import { decideUnfunded, deliversOn } from './unfunded-delivery.ts';

/**
 * Squares a segment off: its open orders are cancelled, and from here on no intraday position is opened in it. The
 * orders that close the remaining positions follow as commands of their own. Each further command looks again for
 * deliveries that are not paid for, because prices and cash change. Source: market-rules R2.23, R2.24, R7.4.
 */
export function decideSquareOff(state: State, ports: DecisionPorts, { day, segment }: SquareOff): Event[] {
  if (day !== state.day || state.dayEnd !== undefined) return [];
  const isOver = state.squaredOff.has(segment);
  const events: Event[] = isOver ? [] : [{ type: 'SegmentSquaredOff', segment }];
  if (segment === 'UnfundedDeliveries') return [...events, ...squareDeliveriesOff(state, ports)];
  if (isOver) return [];
  const isConcerned = ({ kind, product }: Order, instrument: Instrument): boolean =>
    isIntraday(kind, product) && segmentOf(instrument, day) === segment;
  return [...events, ...cancelled(state, ports, isConcerned)];
}

/** The deliveries that are not paid for, and the cancelled open orders in their contracts. */
function squareDeliveriesOff(state: State, ports: DecisionPorts): Event[] {
  const unfunded = decideUnfunded(state, ports);
  if (unfunded.length === 0) return [];
  const groups = new Set(unfunded.map(({ account, group }) => `${account} ${group}`));
  const isConcerned = ({ account, group }: Order, instrument: Instrument): boolean =>
    groups.has(`${account} ${group}`) && deliversOn(instrument, state.day);
  return [...unfunded, ...cancelled(state, ports, isConcerned)];
}

/** Cancels the open intraday orders of one account. */
export function cancelIntraday(state: State, ports: DecisionPorts, id: AccountId): Event[] {
  return cancelled(state, ports, ({ account, kind, product }) => account === id && isIntraday(kind, product));
}

function cancelled(
  state: State,
  ports: DecisionPorts,
  isConcerned: (order: Order, instrument: Instrument) => boolean,
): Event[] {
  const events: Event[] = [];
  for (const order of state.orders.values()) {
    if (!isLive(order.status)) continue;
    const instrument = instrumentOf(ports, order.instrument);
    if (!isConcerned(order, instrument)) continue;
    events.push(...decideCancel(venueOf(state, ports, instrument), order.number, 'SquareOff'));
  }
  return events;
}
