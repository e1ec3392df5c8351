import type { Quantity } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Account } from '../../account.ts';
import type { Venue } from '../../exchange/venue.ts';
import type { Instrument } from '../../instrument.ts';
import type { Order, OrderTerms, Product, Side } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { OrderScenario } from '../../scenarios/order-scenario.ts';
import type { State } from '../../state.ts';
import type { Trace } from '../trials/check-trace.ts';

/**
 * A wish that admission judges: a new order, or the new terms of one. Every wish has all fields, so that the checks,
 * which every order runs through, see one shape.
 */
export interface OrderWish {
  readonly state: State;
  readonly ports: DecisionPorts;
  readonly venue: Venue;
  readonly account: Account;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly product: Product;
  /** With the limit that the order is to have; 0 when the market gives no reference for it. */
  readonly terms: OrderTerms;
  /** The order that is modified. */
  readonly current: Order | undefined;
  /** The trading day that the order is to wait for at the broker. It does not go to the exchange now. */
  readonly waitsFor: IstDay | undefined;
  /** Set when the risk desk squares a position off. */
  readonly squareOff: true | undefined;
  /** The outcome that its client asked for. Admission does not look at it. */
  readonly scenario: OrderScenario | undefined;
}

/**
 * One check of a wish by admission: the refusal, or nothing. It notes the figures that it looked at in the trace, when
 * there is one.
 */
export type Check = (wish: OrderWish, trace?: Trace) => Refusal | undefined;

/** Units that the order would still have to fill. */
export function unitsOf({ terms, current }: OrderWish): Quantity {
  return (terms.quantity - (current?.filled ?? 0)) as Quantity;
}
