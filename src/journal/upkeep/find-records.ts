/**
 * Finds records of a journal by their number, by an instant, and by what two journals have in common. It looks at a few
 * groups, wherever in the history they lie.
 */

import { must } from '../../base/assert.ts';
import { lowerBound } from '../../base/lower-bound.ts';
import type { EpochMs } from '../../base/time.ts';
import { lastSeq } from '../chain.ts';
import { RECORD_END, recordsOf } from '../codec.ts';
import type { StoredGroup } from '../journal.ts';
import type { JournalRecord } from '../record.ts';
import type { StoredJournal } from '../segments/stored-journal.ts';

/** The group that holds a record; the journal must have it. */
export function groupOf(stored: StoredJournal, seq: number): StoredGroup {
  const [group] = firstOf(stored.groups(seq - 1));
  return must(group, `the journal has record ${seq}`);
}

/** The instant of a record, which the journal must have. Throws `UnreadableRecord` when it cannot be read. */
export function instantOf(stored: StoredJournal, seq: number): EpochMs {
  const records = [...recordsOf(groupOf(stored, seq))];
  return must(records.find((record) => record.seq === seq)?.at, `the group of record ${seq} has it`);
}

/** The last record at or before an instant; 0 when there is none. */
export function lastRecordBy(stored: StoredJournal, instant: EpochMs): number {
  return lastThat(stored.head().seq, (seq) => instantOf(stored, seq) <= instant);
}

/**
 * The last of the records behind one that follow it at its instant and satisfy `belongs`; the record itself when the
 * next one does not. Throws `UnreadableRecord` when one cannot be read.
 */
export function lastAtInstantOf(
  stored: StoredJournal,
  seq: number,
  belongs: (record: JournalRecord) => boolean,
): number {
  const at = instantOf(stored, seq);
  let last = seq;
  for (const group of stored.groups(seq)) {
    for (const record of recordsOf(group)) {
      if (record.seq <= seq) continue;
      if (record.at !== at || !belongs(record)) return last;
      last = record.seq;
    }
  }
  return last;
}

/** The last record up to which two journals are the same; 0 when they have nothing in common. */
export function lastCommonRecord(one: StoredJournal, other: StoredJournal): number {
  const isSame = (seq: number): boolean => {
    const group = groupOf(one, seq);
    return other.hashAt(lastSeq(group)) === group.hash;
  };
  const most = Math.min(one.head().seq, other.head().seq);
  const found = lastThat(most, isSame);
  const same = found === 0 ? 0 : lastSeq(groupOf(one, found));
  // One of the two may have been cut within a group.
  return same >= most ? same : same + equalLines(groupOf(one, same + 1), groupOf(other, same + 1));
}

/** The last number up to `most` of which something is true that is true of all before it; 0 when there is none. */
function lastThat(most: number, isTrue: (seq: number) => boolean): number {
  return lowerBound(1, most + 1, isTrue) - 1;
}

/** How many records two groups begin with that are the same. */
function equalLines(one: StoredGroup, other: StoredGroup): number {
  const [lines, others] = [one, other].map(({ body }) => Buffer.from(body).toString('utf8').split(RECORD_END));
  let count = 0;
  while (count < one.count && count < other.count && lines?.[count] === others?.[count]) count += 1;
  return count;
}

function firstOf<T>(many: Iterable<T>): T[] {
  for (const one of many) return [one];
  return [];
}
