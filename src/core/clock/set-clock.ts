import { assert } from '../../base/assert.ts';
import { type EpochMs, MINUTE_MS, wallOf } from '../../base/time.ts';
import type { SetClock } from '../command.ts';
import type { State } from '../state.ts';
import type { ClockMarked, ClockSet } from './clock-line.ts';

/** The speed of the market: that of the wall until an operator sets another one. */
export function speedOf({ clock }: Pick<State, 'clock'>): number {
  return clock?.speed ?? 1;
}

/**
 * Gives the market another speed from this instant on, or from a later one to which it jumps; nothing when it has that
 * speed already and does not jump.
 */
export function decideSetClock(state: State, at: EpochMs, command: SetClock): ClockSet[] {
  const { speed, by, why, wall, market = at, asked = state.clock?.asked } = command;
  assert(market >= at, 'market time never goes back');
  if (speedOf(state) === speed && command.market === undefined) return [];
  return [{ type: 'ClockSet', at: wallOf(at, wall), market, speed, by, why, ...(asked && { asked }) }];
}

export function applyClockSet(state: State, { type: _, ...line }: ClockSet): void {
  state.clock = line;
}

/** Notes how far market time has come; nothing while the market follows the wall, or when the journal knows it. */
export function decideMarkClock({ clock, at: last }: State, at: EpochMs): ClockMarked[] {
  return clock !== undefined && at > last ? [{ type: 'ClockMarked' }] : [];
}

/** The whole minute that the journal is to note by now; `undefined` when it has a record of that minute. */
export function dueMark({ clock, at: last }: Pick<State, 'clock' | 'at'>, at: EpochMs): EpochMs | undefined {
  const minute = at - (at % MINUTE_MS);
  return clock !== undefined && minute > last ? (minute as EpochMs) : undefined;
}
