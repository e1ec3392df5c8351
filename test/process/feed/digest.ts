import { crc32 } from 'node:zlib';
import { encodeRecord } from '../../../src/journal/codec.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';

/**
 * A number that stands for records: for their whole content, or for the few fields of them that are quick to read.
 * `before` is the number of the records before them.
 */
export function digestOf(records: readonly JournalRecord[], isDeep: boolean, before = 0): number {
  let digest = before;
  for (const { seq, at, command, events } of records) {
    const text = isDeep ? encodeRecord(seq, at, command, events) : `${seq} ${at} ${command.type} ${events.length}`;
    digest = crc32(text, digest);
  }
  return digest;
}
