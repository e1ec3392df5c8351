import { must } from '../base/assert.ts';
import { GENESIS } from './chain.ts';
import { JournalDamaged } from './damage.ts';
import type { Head, Journal } from './journal.ts';
import type { Replica, ReplicaSource } from './replica.ts';
import { type Snapshot, type SnapshotFolder, SnapshotUnusable } from './snapshot-file.ts';
import { type GroupSource, walk } from './walk.ts';

/** What a recovery came to, and how, for the log. */
export interface Recovered<R extends Replica> {
  readonly replica: R;
  readonly head: Head;
  /** The sequence number of the snapshot that it started from; 0 when from nothing. */
  readonly fromSnapshot: number;
  /** How many records were folded after that. */
  readonly records: number;
  /** What was passed over on the way, as sentences. */
  readonly notes: readonly string[];
  readonly tookMs: number;
}

export interface RecoveryOptions {
  /** Called now and then with the sequence number that was reached. */
  readonly onProgress?: (seq: number, of: number) => void;
}

/** What recovery reads: a journal's reading side. */
export type RecoverySource = GroupSource & Pick<Journal, 'head' | 'hashAt'>;

const PROGRESS_RECORDS = 100_000;

/**
 * The state and the views at the journal's head: the newest snapshot that can be trusted, and every record after it.
 * A snapshot is trusted when its checksum, its chain hash against the journal's, and the hash of the loaded state are right.
 * Throws `JournalDamaged` when a record after it cannot be. Source: reliability P4, P5, F12.
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
  let nextProgress = fromSnapshot + PROGRESS_RECORDS;
  const head = walk(journal, { seq: replica.seq, hash: chain, at: replica.at }, (records) => {
    for (const record of records) replica.fold(record);
    if (replica.seq < nextProgress) return;
    nextProgress += PROGRESS_RECORDS;
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
    try {
      const snapshot = must(snapshots, 'a snapshot without a folder').read(path);
      return { replica: load(journal, snapshot, source), chain: snapshot.chain, notes };
    } catch (error) {
      // Whatever is wrong with a snapshot, the records before it are still there.
      notes.push(`snapshot ${path} is passed over: ${error instanceof Error ? error.message : String(error)}`);
      snapshots?.setAside(path);
    }
  }
  return { replica: source.empty(), chain: GENESIS.hash, notes };
}

/** Throws when the snapshot is of another history, or does not load into the state that it says. */
function load<R extends Replica>(journal: RecoverySource, snapshot: Snapshot, source: ReplicaSource<R>): R {
  const { seq, chain, stateHash } = snapshot;
  if (seq > journal.head().seq)
    throw new SnapshotUnusable(`it is at ${seq}, the journal ends at ${journal.head().seq}`);
  if (journal.hashAt(seq) !== chain) throw new SnapshotUnusable(`the journal's chain at ${seq} is another`);
  const replica = source.load(snapshot.dump);
  if (replica.seq !== seq) throw new SnapshotUnusable(`the dump is at ${replica.seq}, not at ${seq}`);
  const hash = replica.hash();
  if (hash !== stateHash) throw new SnapshotUnusable(`the state hash is ${hash}, not ${stateHash}`);
  return replica;
}
