import { assert } from '../../base/assert.ts';
import { type ClockSpeed, type EpochMs, MINUTE_MS, wallOf } from '../../base/time.ts';
import type { SetClock } from '../command.ts';
import type { State } from '../state.ts';
import type { ClockMarked, ClockSet } from './clock-line.ts';

/** The speed of the market: that of the wall until an operator sets another one. */
export function speedOf({ clock }: Pick<State, 'clock'>): ClockSpeed {
  return clock?.speed ?? 1;
}

/**
 * Gives the market another speed from this instant on, or from a later one to which it jumps, or a step that ends at a
 * later one. Nothing when it has that speed already and does not jump, and for a step that is over.
 */
export function decideSetClock(state: State, at: EpochMs, command: SetClock): ClockSet[] {
  const { type: _, wall, market = at, asked = state.clock?.asked, ...setting } = command;
  assert(market >= at, 'market time never goes back');
  if (!changesClock(state, market, command)) return [];
  return [{ type: 'ClockSet', at: wallOf(at, wall), market, ...setting, ...(asked && { asked }) }];
}

function changesClock(state: State, now: EpochMs, { speed, until, market }: SetClock): boolean {
  if (until !== undefined) return until > now;
  return market !== undefined || state.clock?.until !== undefined || speedOf(state) !== speed;
}

/** Puts the market clock on a new line. */
export function applyClockSet(state: State, { type: _, ...line }: ClockSet): void {
  state.clock = line;
}

/** Notes how far market time has come; nothing while the market follows the wall, or when the journal knows it. */
export function decideMarkClock({ clock, at: last }: State, at: EpochMs): ClockMarked[] {
  return clock !== undefined && at > last ? [{ type: 'ClockMarked' }] : [];
}

/** True when a minute of a market whose clock is set is not in the journal yet. */
export function isMarkDue({ clock, at: last }: Pick<State, 'clock' | 'at'>, at: EpochMs): boolean {
  return clock !== undefined && at - last >= MINUTE_MS;
}
