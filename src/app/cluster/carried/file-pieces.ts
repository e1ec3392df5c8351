/** Files in pieces, as members send them to each other: read from an offset on, and added to at their ends. */

import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { isAbsent } from '../../../base/system-fault.ts';
import { OWNER_ONLY } from '../../../os/durable-file.ts';

/** The most bytes of a file in one answer. */
export const PIECE_BYTES = 768 * 1024;

/** The size of a file in bytes; 0 when there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** At most `most` bytes of a file from an offset on; none at its end, and of one that is not there. */
export function bytesAt(path: string, from: number, most: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(most, sizeOf(path) - from)));
  if (bytes.length === 0) return bytes;
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return Buffer.alloc(0);
    throw error;
  }
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, from));
  } finally {
    closeSync(handle);
  }
}

/** Adds bytes to the end of a file, which is made when it is not there. They are not flushed. */
export function appendTo(path: string, bytes: Uint8Array): void {
  const handle = openSync(path, 'a', OWNER_ONLY);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
  } finally {
    closeSync(handle);
  }
}
