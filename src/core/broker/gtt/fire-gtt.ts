/**
 * The firing of a GTT: first its trigger, in the record that brought the price, then its order, in a record of its own.
 * The order passes the whole admission, as one that comes at that moment. A crash between the two loses nothing: the
 * GTT is then kept as triggered, and its order is placed at the next start.
 */

import { must } from '../../../base/assert.ts';
import type { GttNumber } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { PlaceOrder } from '../../command.ts';
import type { Event, OrderReceived } from '../../event.ts';
import { inOneOrder } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { SeenPrice, StandingTrigger } from '../../standing/standing-trigger.ts';
import type { State } from '../../state.ts';
import { decidePlaceOrder } from '../orders/orders.ts';
import type { Gtt } from './gtt.ts';
import type { FireGtt } from './gtt-commands.ts';
import type { GttTriggered } from './gtt-events.ts';

/** The event of a GTT to whose trigger a last traded price came. */
export function gttTriggered(state: State, trigger: StandingTrigger, { price, tick }: SeenPrice): [GttTriggered] {
  const { number: gtt, account } = must(state.gtts.get(trigger.number as GttNumber), 'a trigger has its GTT');
  return [{ type: 'GttTriggered', gtt, account, leg: trigger.leg, price, tick }];
}

/**
 * Places the order of a triggered GTT; nothing when its order was placed, when it has ended, or while the date has no
 * order number left.
 */
export function decideFireGtt(state: State, ports: DecisionPorts, at: EpochMs, { gtt: number }: FireGtt): Event[] {
  const gtt = state.gtts.get(number);
  const placement = gtt && firedOrder(gtt);
  if (gtt === undefined || placement === undefined) return [];
  const { events } = decidePlaceOrder(state, ports, at, placement, false);
  if (events.length === 0) return [];
  const [received, ...others] = events as [OrderReceived, ...Event[]];
  const { order } = received;
  const refusal = refusalIn(others);
  const fired: Event = { type: 'GttFired', gtt: number, account: gtt.account, order };
  return [{ ...received, gtt: number }, ...others, refusal === undefined ? fired : { ...fired, refusal }];
}

/** The placement of a triggered GTT; `undefined` in any other status. */
export function firedOrder({ status, firing, legs, account, instrument }: Gtt): PlaceOrder | undefined {
  const leg = firing === undefined ? undefined : legs[firing.leg];
  if (status !== 'Triggered' || leg === undefined) return undefined;
  const { side, product, terms, remarks, scenario } = leg;
  const order = { account, instrument, side, product, terms: inOneOrder(terms), remarks } as const;
  return { type: 'PlaceOrder', ...order, ...(scenario && { scenario }) };
}

function refusalIn(events: readonly Event[]): Refusal | undefined {
  for (const event of events) if (event.type === 'OrderRejected') return event.refusal;
  return undefined;
}
