/**
 * The first own record of a branch: a data folder that goes on from a record of another one. The journal keeps the
 * parent and the record, and the market clock stands still from there on, so that nothing passes unseen.
 */
import { assert } from '../../base/assert.ts';
import { type EpochMs, wallOf } from '../../base/time.ts';
import type { ClockSet } from '../clock/clock-line.ts';
import type { BeginBranch } from '../command.ts';
import type { State } from '../state.ts';
import type { BranchBegun } from './branch-point.ts';

/** A branch begins, and its market stands still, whatever the speed of its parent's was. */
export function decideBeginBranch(
  { clock }: Pick<State, 'clock'>,
  at: EpochMs,
  { point, by, why, wall, market = Math.max(at, clock?.market ?? 0) as EpochMs }: BeginBranch,
): (BranchBegun | ClockSet)[] {
  assert(market >= at, 'a branch begins behind its history');
  const asked = clock?.asked;
  return [
    { type: 'BranchBegun', ...point },
    { type: 'ClockSet', at: wallOf(at, wall), market, speed: 0, by, why, ...(asked && { asked }) },
  ];
}

/** Adds a branch to those that this history has come through, the oldest first. */
export function applyBranchBegun(state: State, { name, parent, journal, record }: BranchBegun): void {
  state.branches = [...state.branches, { name, parent, journal, record }];
}
