import { unreachable } from '../../../base/assert.ts';
import type { EndDay } from '../../command.ts';
import type { Event } from '../../event.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import { decideClosingPrices } from './closing-prices.ts';
import { decideCharges } from './day-charges.ts';
import { type DayEndStep, stepAfter } from './day-end-steps.ts';
import { decideExpiry } from './expiry.ts';
import { decideLeftovers } from './leftovers.ts';
import { decideMarks } from './mark-to-market.ts';
import { decideSharesSettlement } from './shares-settlement.ts';

/**
 * Does the step of the day's end that is due; there is no event when it is done already, or when another one is due.
 * Source: market-rules R7.5.
 */
export function decideEndDay(state: State, ports: DecisionPorts, { day, step }: EndDay): Event[] {
  if (day !== state.day || step !== stepAfter(state.dayEnd)) return [];
  return [...eventsOf(state, ports, step), { type: 'DayEndReached', day, step }];
}

function eventsOf(state: State, ports: DecisionPorts, step: DayEndStep): readonly Event[] {
  switch (step) {
    case 'SquareOffLeftovers':
      return decideLeftovers(state, ports);
    case 'ClosingPrices':
      return decideClosingPrices(state, ports);
    case 'Expiry':
      return decideExpiry(state, ports);
    case 'MarkToMarket':
      return decideMarks(state);
    case 'HoldingsRoll':
      return decideSharesSettlement(state, ports);
    case 'Charges':
      return decideCharges(state, ports);
    default:
      return unreachable(step);
  }
}
