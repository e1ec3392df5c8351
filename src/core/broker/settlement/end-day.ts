import { unreachable } from '../../../base/assert.ts';
import type { EndDay } from '../../command.ts';
import type { Event } from '../../event.ts';
import { type AccountRange, dueAccounts, isDue } from '../../portions/portion.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import { decideClosingPrices } from './closing-prices.ts';
import { decideCharges } from './day-charges.ts';
import { type DayEndStep, stepAfter } from './day-end-steps.ts';
import { decideExpiry } from './expiry.ts';
import { decideLeftovers, endLeftOrders } from './leftovers.ts';
import { decideMarks } from './mark-to-market.ts';
import { decideSharesSettlement } from './shares-settlement.ts';

/**
 * Does the portion of the day's end that is due; there is no event when it is done already, or when another one is due.
 * Source: market-rules R7.5.
 */
export function decideEndDay(state: State, ports: DecisionPorts, { day, step, portion }: EndDay): Event[] {
  if (day !== state.day || step !== stepAfter(state.dayEnd) || !isDue(state, 'EndDay', portion)) return [];
  const range = dueAccounts(state, ports.portions);
  const number = portion ?? 0;
  const left = step === 'SquareOffLeftovers' ? endLeftOrders(state, ports, range) : NONE_LEFT;
  if (left.isCut) return [...left.events, { type: 'PortionDone', of: 'EndDay', number, next: range.from }];
  const events = [...left.events, ...eventsOf(state, ports, step, range)];
  if (range.isLast) return [...events, { type: 'DayEndReached', day, step }];
  return [...events, { type: 'PortionDone', of: 'EndDay', number, next: range.to }];
}

const NONE_LEFT = { events: [], isCut: false } as const;

function eventsOf(state: State, ports: DecisionPorts, step: DayEndStep, range: AccountRange): readonly Event[] {
  switch (step) {
    case 'SquareOffLeftovers':
      return decideLeftovers(state, ports, range);
    case 'ClosingPrices':
      return decideClosingPrices(state, ports, range);
    case 'Expiry':
      return decideExpiry(state, ports, range);
    case 'MarkToMarket':
      return decideMarks(state, range);
    case 'HoldingsRoll':
      return decideSharesSettlement(state, ports, range);
    case 'Charges':
      return decideCharges(state, ports, range);
    default:
      return unreachable(step);
  }
}
