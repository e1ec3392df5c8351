import type { OrderNumber } from '../../base/ids.ts';
import type { OrderWish } from '../broker/orders/order-wish.ts';
import { type DecisionPorts, instrumentOf } from '../ports.ts';
import { accountOf, orderOf, type State } from '../state.ts';
import { venueOf } from '../venue-of.ts';

/** The wish of an order that was pending on demand and goes to the exchange, with the terms that it came with. */
export function pendingWish(state: State, ports: DecisionPorts, number: OrderNumber): OrderWish {
  const order = orderOf(state, number);
  const { side, product, terms, scenario } = order;
  const instrument = instrumentOf(ports, order.instrument);
  const venue = venueOf(state, ports, instrument);
  return {
    state,
    ports,
    venue,
    account: accountOf(state, order.account),
    instrument,
    side,
    product,
    terms,
    current: undefined,
    waitsFor: undefined,
    squareOff: undefined,
    scenario,
  };
}
