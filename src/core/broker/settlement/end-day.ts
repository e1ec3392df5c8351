/** The end of a trading day, and the begin of the next one. */

import { assert, unreachable } from '../../../base/assert.ts';
import type { EndDay, RollDay } from '../../command.ts';
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

/** Begins the day for the accounts of a portion; nothing when it has begun for them. Source: market-rules R7.5 (7). */
export function decideRollDay(state: State, { portions }: DecisionPorts, { day, portion }: RollDay): Event[] {
  const { portion: due } = state;
  if (!isDue(state, 'RollDay', portion)) return [];
  const range = dueAccounts(state, portions);
  const end = range.isLast ? {} : { upTo: range.to };
  if (due?.before !== undefined) {
    return day === state.day ? [{ type: 'AccountsRolled', day, before: due.before, from: range.from, ...end }] : [];
  }
  if (day <= state.day) return [];
  assert(state.day === 0 || stepAfter(state.dayEnd) === undefined, 'a day begins when the one before has ended');
  return [{ type: 'DayRolled', day, ...end }];
}
