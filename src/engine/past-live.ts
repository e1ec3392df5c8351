import { Undecodable } from '../base/codec.ts';
import { GENESIS } from '../journal/chain.ts';
import type { StoredJournal } from '../journal/segments/stored-journal.ts';
import { type SnapshotFolder, SnapshotUnusable } from '../journal/snapshot-file.ts';
import { LIVE, type Live } from './live.ts';

/** A live state of the past, and the journal's chain hash there. */
interface PastLive {
  readonly live: Live;
  readonly chain: string;
}

/** The newest snapshot at or before a record, or the empty state. It only reads, also beside a running service. */
export function liveUpTo(stored: StoredJournal, snapshots: SnapshotFolder, seq: number): PastLive {
  for (const path of snapshots.list()) {
    const found = loaded(stored, snapshots, path, seq);
    if (found !== undefined) return found;
  }
  return { live: LIVE.empty(), chain: GENESIS.hash };
}

/** `undefined` for a later snapshot, and for one that cannot be trusted: the journal has all the records. */
function loaded(stored: StoredJournal, snapshots: SnapshotFolder, path: string, most: number): PastLive | undefined {
  try {
    const { seq, chain, stateHash } = snapshots.check(path);
    if (seq > most || stored.hashAt(seq) !== chain) return undefined;
    const live = snapshots.read(path, (lines) => LIVE.load(lines));
    return live.hash() === stateHash ? { live, chain } : undefined;
  } catch (error) {
    if (error instanceof SnapshotUnusable || error instanceof Undecodable) return undefined;
    throw error;
  }
}
