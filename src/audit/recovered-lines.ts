import type { State } from '../core/state.ts';
import { decodeGroup } from '../journal/codec.ts';
import type { Disk } from '../journal/disk/disk.ts';
import type { JournalRecord } from '../journal/record.ts';
import { StoredJournal } from '../journal/segments/stored-journal.ts';
import { field, grounds, hasLine, recordedOrder, recordedRule, subject } from './command-fields.ts';

/** The records of a journal after `after`. */
export function* recordsAfter(disk: Disk, journal: string, after: number): Iterable<JournalRecord> {
  const stored = new StoredJournal(disk, journal);
  stored.look();
  for (const group of stored.groups(after)) {
    for (const record of decodeGroup(group)) if (record.seq > after) yield record;
  }
}

/**
 * The body of the line that replaces a record's own line, which was lost with the process. It has everything except the
 * origin.
 */
export function recoveredBody(
  state: State,
  { seq, at, command, events }: JournalRecord,
  utc: number,
): string | undefined {
  if (!hasLine(command)) return undefined;
  const order = recordedOrder(command, events);
  const rule = recordedRule(events);
  const who = subject(state, command) + grounds(command);
  const what = order === undefined ? '' : `,"order":${order}`;
  return `"utc":${utc},"at":${at},"kind":"Recovered","op":"${command.type}"${who}${what},"seq":${seq},"code":200${field('rule', rule)}`;
}
