import { crc32 } from 'node:zlib';
import { encodeRecord } from '../../../src/journal/codec.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';

/**
 * A number that stands for records: for all that they say, or for what is quickly told of them. `before`: of those
 * before.
 */
export function digestOf(records: readonly JournalRecord[], isDeep: boolean, before = 0): number {
  let digest = before;
  for (const { seq, at, command, events } of records) {
    const text = isDeep ? encodeRecord(seq, at, command, events) : `${seq} ${at} ${command.type} ${events.length}`;
    digest = crc32(text, digest);
  }
  return digest;
}
