import { type EpochMs, MINUTE_MS, wallOf } from '../../base/time.ts';
import type { SetClock } from '../command.ts';
import type { State } from '../state.ts';
import type { ClockMarked, ClockSet } from './clock-line.ts';

/** The speed of the market: that of the wall until an operator sets another one. */
export function speedOf({ clock }: Pick<State, 'clock'>): number {
  return clock?.speed ?? 1;
}

/** Gives the market another speed from this instant on; nothing when it has that speed already. */
export function decideSetClock(state: State, at: EpochMs, { speed, by, why, wall }: SetClock): ClockSet[] {
  if (speedOf(state) === speed) return [];
  return [{ type: 'ClockSet', at: wallOf(at, wall), market: at, speed, by, why }];
}

export function applyClockSet(state: State, { at, market, speed, by, why }: ClockSet): void {
  state.clock = { at, market, speed, by, why };
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
