/** The states of members that were ended, compared at the record that all of them have. */
import assert from 'node:assert/strict';
import { LIVE } from '../../../src/engine/live.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { StoredJournal } from '../../../src/journal/segments/stored-journal.ts';
import { examineBeside, journalPaths } from '../../../src/journal/upkeep/examine.ts';

/** Throws when the state of one member differs from that of another one. Returns the record and the hash. */
export function sameStates(folders: readonly string[]): { readonly seq: number; readonly hash: string } {
  const journals = folders.map((folder) => examineBeside(REAL_DISK, journalPaths(folder), true).stored);
  const seq = Math.min(...journals.map((journal) => journal.head().seq));
  const hashes = journals.map((journal) => stateAt(journal, seq));
  assert.deepEqual(
    hashes,
    hashes.map(() => hashes[0]),
    `the states at record ${seq}`,
  );
  return { seq, hash: hashes[0] ?? '' };
}

function stateAt(journal: StoredJournal, seq: number): string {
  const live = LIVE.empty();
  readHistory(journal, { ...GENESIS, at: live.at }, (records) => {
    for (const record of records) if (record.seq <= seq) live.fold(record);
  });
  return live.hash();
}
