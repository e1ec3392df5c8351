import { chainFault, lastSeq } from './chain.ts';
import { decodeGroup, UnreadableRecord } from './codec.ts';
import type { Head, StoredGroup } from './journal.ts';
import type { JournalRecord } from './record.ts';
import { JournalDamaged } from './upkeep/damage.ts';

/** Where groups are read from. */
export interface GroupSource {
  /** The path of the file, for messages. */
  readonly name: string;
  groups(after: number): Iterable<StoredGroup>;
}

/**
 * Reads history after `from`. Hands over the records of one group after the other, with the head after each. Checks
 * that the numbers are dense, the chain is whole, every record is readable and time never goes back. Returns the last
 * head. Throws `JournalDamaged` at the first fault; the records that were handed over before are good. Errors of the
 * disk are thrown as they are.
 */
export function readHistory(
  source: GroupSource,
  from: Head & { readonly at: number },
  take: (records: readonly JournalRecord[], head: Head) => void,
): Head {
  let head: Head = from;
  let at = from.at;
  for (const group of source.groups(head.seq)) {
    const fault = chainFault(head, group);
    if (fault !== undefined) throw damaged(source, group, group.firstSeq, fault, head.seq);
    const records = decoded(source, group, head.seq);
    for (const record of records) {
      if (record.at < at) throw damaged(source, group, record.seq, 'time goes back', head.seq);
      at = record.at;
    }
    head = { seq: lastSeq(group), hash: group.hash };
    take(records, head);
  }
  return head;
}

function decoded(source: GroupSource, group: StoredGroup, lastGood: number): JournalRecord[] {
  try {
    return decodeGroup(group);
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    throw damaged(source, group, error.seq, error.message, lastGood);
  }
}

function damaged(source: GroupSource, group: StoredGroup, seq: number, what: string, lastGood: number): JournalDamaged {
  return new JournalDamaged({ file: source.name, ...group.place, group: group.firstSeq, seq, what, lastGood });
}
