import type { AccountId } from '../../../src/base/ids.ts';
import type { Paise } from '../../../src/base/money.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import { encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import type { Group, Journal } from '../../../src/journal/journal.ts';
import { type JournalRecord, RECORD_VERSION } from '../../../src/journal/record.ts';

const FIRST_AT = 1_790_000_000_000;

/** A small record that is like no other: a deposit of `seq` paise. */
export function sampleRecord(seq: number): JournalRecord {
  const deposit = { account: 0 as AccountId, amount: seq as Paise, opening: false };
  return {
    seq,
    at: (FIRST_AT + seq) as EpochMs,
    command: { type: 'DepositCash', ...deposit },
    events: [{ type: 'CashDeposited', ...deposit }],
  };
}

/** A group of `count` sample records from `firstSeq` on. */
export function sampleGroup(firstSeq: number, count: number): Group {
  const records = Array.from({ length: count }, (_, index) => sampleRecord(firstSeq + index));
  const body = records
    .map(({ seq, at, command, events }) => encodeRecord(seq, at, command, events) + RECORD_END)
    .join('');
  return { version: RECORD_VERSION, firstSeq, count, body };
}

/** Appends sample records up to `records` in groups of 1, 2, 3 and so on up to `largest`, again and again. */
export async function fill(journal: Journal, records: number, largest = 7): Promise<void> {
  for (let size = 1; journal.head().seq < records; size = (size % largest) + 1) {
    const firstSeq = journal.head().seq + 1;
    await journal.append(sampleGroup(firstSeq, Math.min(size, records - firstSeq + 1)));
  }
}
