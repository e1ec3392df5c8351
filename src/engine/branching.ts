/**
 * Begins a branch in a folder to which a history was copied: folds it, adds the branch's first own record, and takes a
 * snapshot there, so that the first start is quick. It decides nothing but that record.
 */
import type { EpochMs, WallMs } from '../base/time.ts';
import { decideBeginBranch } from '../core/branch/begin-branch.ts';
import type { BranchPoint } from '../core/branch/branch-point.ts';
import type { BeginBranch } from '../core/command.ts';
import type { State } from '../core/state.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../journal/codec.ts';
import type { Disk } from '../journal/disk/disk.ts';
import { createMark } from '../journal/high-water-mark.ts';
import type { Head } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import { recover } from '../journal/recovery.ts';
import { StoredJournal } from '../journal/segments/stored-journal.ts';
import { SnapshotFolder } from '../journal/snapshot-file.ts';
import { appendGroup } from '../journal/upkeep/copy-history.ts';
import type { JournalPaths } from '../journal/upkeep/examine.ts';
import type { BeginPart } from '../os/progress.ts';
import { LIVE } from './live.ts';

/** The terms of a branch that begins. */
export interface BranchTerms {
  readonly by: string;
  readonly why: string;
  readonly wall: WallMs;
  /** The instant that was asked for, at or behind the last record; absent where a record was. */
  readonly at?: EpochMs | undefined;
  /** The branch point, by the state at the last record that the branch has with its parent. */
  readonly pointOf: (state: State) => BranchPoint;
}

/** A branch that has begun: its head, and its state there, with the branch point and the clock. */
export interface BegunBranch {
  readonly head: Head;
  readonly state: State;
}

/**
 * Adds the first own record of a branch to the history in a folder, with a snapshot and the mark after it. Nobody else
 * may use the folder. Throws `JournalDamaged` when the history cannot be read, and the errors of the disk.
 */
export function beginBranch(disk: Disk, paths: JournalPaths, terms: BranchTerms, begin: BeginPart): BegunBranch {
  const stored = new StoredJournal(disk, paths.journal);
  stored.look();
  const snapshots = new SnapshotFolder(paths.snapshots, disk);
  const onProgress = begin('reading the history', 'records');
  const { replica, head: before } = recover(stored, snapshots, LIVE, { onProgress });
  const record = firstRecord(replica.state, terms);
  const { seq, at, command, events } = record;
  const body = encodeRecord(seq, at, command, events) + RECORD_END;
  const head = appendGroup(disk, paths, before, encodeGroup(seq, 1, body));
  replica.fold(record);
  const lines = replica.lines();
  snapshots.write({ seq, at, chain: head.hash, stateHash: replica.hash(), lines });
  createMark(disk, paths.mark, head);
  return { head, state: replica.state };
}

/**
 * The first own record of a branch, by the state at the last record that it has with its parent. Where the parent's
 * clock had jumped beyond the instant that is asked for, that of the branch jumps only as far: no book met the time
 * between, so the first start does the work of that instant.
 */
export function firstRecord(state: State, { by, why, wall, at: asked, pointOf }: BranchTerms): JournalRecord {
  const isInJump = asked !== undefined && asked < (state.clock?.market ?? 0);
  const at = isInJump ? state.at : (asked ?? state.at);
  const command: BeginBranch = {
    type: 'BeginBranch',
    point: pointOf(state),
    ...(isInJump && { market: asked }),
    by,
    why,
    wall,
  };
  return { seq: state.seq + 1, at, command, events: decideBeginBranch(state, at, command) };
}
