import type { Head } from '../journal.ts';
import { FRAME_HEADER_BYTES, isTornFrame, isZero, readFrameHeader, SECTOR_BYTES } from './layout.ts';
import type { SegmentFile } from './segment-file.ts';

/** The bytes of the last segment after the last whole group. */
export type Tail =
  /** Nothing: the file was closed in order. */
  | { readonly kind: 'none'; readonly offset: number }
  /** Zeros, which were written for groups to come: the process that wrote them did not close the file. */
  | { readonly kind: 'blank'; readonly offset: number; readonly bytes: number }
  /** A group whose write did not come through. It was never durable, so it was not acknowledged. */
  | { readonly kind: 'torn'; readonly offset: number; readonly bytes: number };

/**
 * Judges the bytes after the last whole group, which ends at `offset`. Every group was flushed before the next was
 * written, so at most one group is not whole, nothing comes after it, and some of its sectors are missing. Anything
 * else is damage, and `JournalDamaged` is thrown. Source: reliability P5, F04, F05, F10.
 */
export function judgeTail(file: SegmentFile, offset: number, head: Head): Tail {
  const tail = file.bytes(offset, Math.max(0, file.size() - offset));
  if (tail.length === 0) return { kind: 'none', offset };
  if (isZero(tail)) return { kind: 'blank', offset, bytes: tail.length };
  const later = laterFrame(tail);
  if (later !== undefined) {
    const what = `the bytes here are not a group that follows sequence ${head.seq}, but a group of ${later.firstSeq} comes after it, at offset ${offset + later.at}`;
    throw file.damage(offset, head.seq, what);
  }
  const fault = tornFault(tail, head);
  if (fault !== undefined) throw file.damage(offset, head.seq, fault);
  return { kind: 'torn', offset, bytes: tail.length };
}

/** Why the tail cannot come from one write that was cut short; `undefined` when it can. */
function tornFault(tail: Uint8Array, head: Head): string | undefined {
  const header = readFrameHeader(tail);
  if (header === undefined) {
    if (isZero(tail.subarray(FRAME_HEADER_BYTES - 1, SECTOR_BYTES))) return undefined;
    return 'the header of the group is not as it was written';
  }
  if (header.firstSeq !== head.seq + 1) {
    return `a group that starts with ${header.firstSeq} follows sequence ${head.seq}`;
  }
  if (header.previous !== head.hash) return `a group of another history follows sequence ${head.seq}`;
  if (header.frameBytes > tail.length) return undefined;
  if (!isTornFrame(tail.subarray(0, header.frameBytes), header)) {
    return 'the chain hash does not match what is stored, and no part of the group is missing';
  }
  return isZero(tail.subarray(header.frameBytes)) ? undefined : 'more than zeros follows a group that is not whole';
}

/** The first header of a group in a sector after the first sector. */
function laterFrame(tail: Uint8Array): { readonly at: number; readonly firstSeq: number } | undefined {
  for (let at = SECTOR_BYTES; at < tail.length; at += SECTOR_BYTES) {
    const header = readFrameHeader(tail.subarray(at, at + FRAME_HEADER_BYTES));
    if (header !== undefined) return { at, firstSeq: header.firstSeq };
  }
  return undefined;
}
