import type { AccountId, InstrumentId, OrderNumber } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';
import type { InstrumentKind } from '../../instrument.ts';
import { type Order, type OrderTerms, type Product, remaining, type Side } from '../../order.ts';
import type { OrderScenario } from '../../scenarios/order-scenario.ts';

declare const admitted: unique symbol;

/** An order that admission has passed. Matching takes no other orders. Only `broker/orders/admission.ts` makes one. */
export interface AdmittedOrder {
  readonly order: OrderNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly side: Side;
  readonly product: Product;
  /** With the protected price, for a market order. */
  readonly terms: OrderTerms;
  /** Units still to be filled. Above 0. */
  readonly remaining: Quantity;
  /** True when the risk desk squares off a position with it. */
  readonly squareOff: boolean;
  /** The outcome that its client asked for. */
  readonly scenario?: OrderScenario;
  readonly [admitted]: true;
}

/** A stop was admitted when it was armed, so it is not checked a second time when it fires. */
export function stillAdmitted(order: Order): AdmittedOrder {
  const { number, account, instrument, kind, group, side, product, terms, squareOff, scenario } = order;
  const left = remaining(order);
  const view = { order: number, account, instrument, kind, group, side, product, terms, remaining: left, squareOff };
  return (scenario === undefined ? view : { ...view, scenario }) as AdmittedOrder;
}
