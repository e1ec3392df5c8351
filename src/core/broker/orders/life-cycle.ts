/**
 * The life cycle of an order as one table: which step leads from which status to which. It decides no step; `apply.ts`
 * takes the steps that events bring, and a step outside of the table is a bug.
 */

import { InvariantError } from '../../../base/assert.ts';
import type { Order, OrderStatus } from '../../order.ts';

/** The steps that change the status of an order. */
export const ORDER_STEPS = [
  'Rejected',
  'TakenForLater',
  'Released',
  'Acknowledged',
  'AcknowledgedAsStop',
  'Armed',
  'Triggered',
  'PartFilled',
  'Filled',
  'Replaced',
  'ReplacedAsLimit',
  'Cancelled',
] as const;
export type OrderStep = (typeof ORDER_STEPS)[number];

/**
 * The life cycle of an order: the status that a step leads to, from each status in which the step may happen. A pair
 * that is absent is a bug of ours. Source: contract W7, W8, market-rules R3.20, R3.29.
 */
const LIFE_CYCLE: { readonly [From in OrderStatus]: { readonly [Step in OrderStep]?: OrderStatus } } = {
  Pending: {
    Rejected: 'Rejected',
    TakenForLater: 'AfterMarket',
    Acknowledged: 'Open',
    AcknowledgedAsStop: 'TriggerPending',
  },
  AfterMarket: {
    Replaced: 'AfterMarket',
    Released: 'Pending',
    Cancelled: 'Cancelled',
  },
  Open: {
    Armed: 'TriggerPending',
    PartFilled: 'Open',
    Filled: 'Complete',
    Replaced: 'Open',
    ReplacedAsLimit: 'Open',
    Cancelled: 'Cancelled',
  },
  TriggerPending: {
    Armed: 'TriggerPending',
    Triggered: 'Open',
    Replaced: 'TriggerPending',
    ReplacedAsLimit: 'Open',
    Cancelled: 'Cancelled',
  },
  Complete: {},
  Cancelled: {},
  Rejected: {},
};

/** The status after a step. Throws for a step that cannot follow. */
export function statusAfter(status: OrderStatus, step: OrderStep): OrderStatus {
  const next = LIFE_CYCLE[status][step];
  if (next === undefined) throw new InvariantError(`an order that is ${status} cannot be ${step}`);
  return next;
}

/** True while the order is at the exchange and can still trade. Source: market-rules R3.20. */
export function isLive(status: OrderStatus): boolean {
  return status === 'Open' || status === 'TriggerPending';
}

/**
 * True while the order can be modified and cancelled: at the exchange, or as it waits at the broker for a session.
 * Source: market-rules R3.20.
 */
export function isChangeable(status: OrderStatus): boolean {
  return isLive(status) || status === 'AfterMarket';
}

/**
 * True while the order's client may modify and cancel it. He may not stop the orders by which the risk desk closes his
 * positions. Source: R2.24, R3.20.
 */
export function mayClientChange({ status, squareOff }: Pick<Order, 'status' | 'squareOff'>): boolean {
  return isChangeable(status) && !squareOff;
}

/** True when nothing can happen to the order any more. */
export function isFinal(status: OrderStatus): boolean {
  return !isChangeable(status) && status !== 'Pending';
}
