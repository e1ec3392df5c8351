import { closingSteps } from '../../../src/core/broker/settlement/counter-orders.ts';
import type { PlaceOrder, RepriceOrder } from '../../../src/core/command.ts';
import type { DecisionPorts } from '../../../src/core/ports.ts';
import type { State } from '../../../src/core/state.ts';

/** The commands of one look at the positions that are to be squared off, without the pauses of the service. */
export function* closingCommands(state: State, ports: DecisionPorts): Iterable<PlaceOrder | RepriceOrder> {
  for (const step of closingSteps(state, ports)) yield* step;
}
