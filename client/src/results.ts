/** The results of calls that trade. A refusal by the risk desk or the exchange is one of them, and no error. */

import type { OrderNumber } from './order-number.ts';
import type { OrderRow } from './wire.ts';

/** The service took an order in, or the change of one. */
export interface OrderTaken {
  readonly outcome: 'taken';
  readonly orderNumber: OrderNumber;
  /** `HH:MM:SS DD-MM-YYYY`, IST. */
  readonly requestTime: string;
  /** The orders that an order above the freeze quantity became, where the service slices; else this one alone. */
  readonly slices: readonly { readonly orderNumber: OrderNumber; readonly quantity?: string }[];
}

/** The risk desk or the exchange refused an order, or the change of one. The order is as it was. */
export interface OrderRefused {
  readonly outcome: 'refused';
  readonly orderNumber: OrderNumber;
  readonly reason: string;
  /** The row of a new order that was refused; a change has none. */
  readonly order?: OrderRow;
}

/** An order as it stood when the wait for it ended: at the exchange, or at its end. */
export interface OrderReached {
  readonly outcome: 'accepted' | 'filled' | 'cancelled';
  readonly orderNumber: OrderNumber;
  readonly order: OrderRow;
}
