/**
 * The first own record of a branch: a data folder that goes on from a record of another one. The journal keeps the
 * parent and the record, and the market clock stands still from there on, so that nothing passes unseen.
 */
import { type EpochMs, wallOf } from '../../base/time.ts';
import type { ClockSet } from '../clock/clock-line.ts';
import type { BeginBranch } from '../command.ts';
import type { State } from '../state.ts';

/** Where the history of a branch leaves that of its parent. */
export interface BranchPoint {
  /** The name of the branch: that of its data folder, without the path. */
  readonly name: string;
  /** The name of the parent's data folder, likewise. */
  readonly parent: string;
  /** Names the parent's journal: the chain hash of the group with which its own history began, in hex. */
  readonly journal: string;
  /** The last record that both have. */
  readonly record: number;
}

/** The history of a branch has left that of its parent. */
export interface BranchBegun extends BranchPoint {
  readonly type: 'BranchBegun';
}

/** A branch begins, and its market stands still, whatever the speed of its parent's was. */
export function decideBeginBranch(at: EpochMs, { point, by, why, wall }: BeginBranch): (BranchBegun | ClockSet)[] {
  return [
    { type: 'BranchBegun', ...point },
    { type: 'ClockSet', at: wallOf(at, wall), market: at, speed: 0, by, why },
  ];
}

export function applyBranchBegun(state: State, { name, parent, journal, record }: BranchBegun): void {
  state.branches = [...state.branches, { name, parent, journal, record }];
}
