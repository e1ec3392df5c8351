/**
 * Recovery at a start: the newest snapshot that can be trusted, and every record after it. It gives the state and the
 * views at the journal's head. It writes nothing except the name of a snapshot that it sets aside.
 */

import { must } from '../base/assert.ts';
import { messageOf } from '../base/system-fault.ts';
import type { Progress } from '../os/progress.ts';
import { GENESIS } from './chain.ts';
import type { Head, Journal } from './journal.ts';
import { type GroupSource, readHistory } from './read-history.ts';
import type { Replica, ReplicaSource } from './replica.ts';
import { type SnapshotFolder, type SnapshotHeader, SnapshotUnusable } from './snapshot-file.ts';
import { JournalDamaged } from './upkeep/damage.ts';

/** The result of a recovery, and how it went, for the log. */
export interface Recovered<R extends Replica> {
  readonly replica: R;
  readonly head: Head;
  /** The sequence number of the snapshot that it started from; 0 without one. */
  readonly fromSnapshot: number;
  /** How many records were folded after that. */
  readonly records: number;
  /** Everything that was skipped on the way, as sentences. */
  readonly notes: readonly string[];
  readonly tookMs: number;
}

export interface RecoveryOptions {
  /** Watches the sequence number that was reached. */
  readonly onProgress?: Progress;
}

/** The reading side of a journal, which recovery needs. */
export type RecoverySource = GroupSource & Pick<Journal, 'head' | 'hashAt'>;

/**
 * Recovers the state and the views at the journal's head. A snapshot is trusted when its checksum, its chain hash
 * against the journal's, and the hash of the loaded state are right. Throws `JournalDamaged` when a record after it
 * cannot be trusted. Source: reliability P4, P5, F12.
 */
export function recover<R extends Replica>(
  journal: RecoverySource,
  snapshots: SnapshotFolder | undefined,
  source: ReplicaSource<R>,
  options: RecoveryOptions = {},
): Recovered<R> {
  const started = performance.now();
  const end = journal.head();
  const { replica, chain, notes } = loadNewest(journal, snapshots, source);
  const fromSnapshot = replica.seq;
  const head = readHistory(journal, { seq: replica.seq, hash: chain, at: replica.at }, (records) => {
    for (const record of records) replica.fold(record);
    options.onProgress?.(replica.seq, end.seq);
  });
  if (head.seq < end.seq) {
    const what = `the groups end at ${head.seq}, the last one says ${end.seq}`;
    throw new JournalDamaged({ file: journal.name, seq: head.seq + 1, what, lastGood: head.seq });
  }
  return { replica, head, fromSnapshot, records: head.seq - fromSnapshot, notes, tookMs: performance.now() - started };
}

interface Loaded<R> {
  readonly replica: R;
  readonly chain: string;
  readonly notes: readonly string[];
}

function loadNewest<R extends Replica>(
  journal: RecoverySource,
  snapshots: SnapshotFolder | undefined,
  source: ReplicaSource<R>,
): Loaded<R> {
  const notes: string[] = [];
  for (const path of snapshots?.list() ?? []) {
    const folder = must(snapshots, 'a snapshot without a folder');
    const header = usable(folder, path, notes, () => folder.check(path));
    if (header === undefined) continue;
    // A fault of the journal is not a fault of a snapshot: it is thrown.
    const fault = faultBeside(journal, header);
    const replica = usable(folder, path, notes, () => {
      if (fault !== undefined) throw new SnapshotUnusable(fault);
      return folder.read(path, (lines) => load(header, source, lines));
    });
    if (replica !== undefined) return { replica, chain: header.chain, notes };
  }
  return { replica: source.empty(), chain: GENESIS.hash, notes };
}

/**
 * Runs `work` on a snapshot. The records before a snapshot are still in the journal, so a faulty snapshot is noted and
 * set aside.
 */
function usable<T>(folder: SnapshotFolder, path: string, notes: string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    notes.push(`snapshot ${path} is skipped: ${messageOf(error)}`);
    folder.setAside(path);
    return undefined;
  }
}

/** Why a snapshot belongs to a different history from the journal's; `undefined` when it belongs to this one. */
function faultBeside(journal: RecoverySource, { seq, chain }: SnapshotHeader): string | undefined {
  const end = journal.head().seq;
  if (seq > end) return `it is at ${seq}, the journal ends at ${end}`;
  return journal.hashAt(seq) === chain ? undefined : `the journal has a different chain hash at ${seq}`;
}

/** Throws when the lines do not load into the state that the header names. */
function load<R extends Replica>(
  { seq, stateHash }: SnapshotHeader,
  source: ReplicaSource<R>,
  lines: Iterable<string>,
): R {
  const replica = source.load(lines);
  if (replica.seq !== seq) throw new SnapshotUnusable(`the dump is at ${replica.seq}, not at ${seq}`);
  const hash = replica.hash();
  if (hash !== stateHash) throw new SnapshotUnusable(`the state hash is ${hash}, not ${stateHash}`);
  return replica;
}
