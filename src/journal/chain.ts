import { createHash } from 'node:crypto';
import type { Group, Head, StoredGroup } from './journal.ts';

/** The head of a journal without records. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };

/**
 * The chain hash of a group in hex: SHA-256 over the hash before it, the version, the first sequence number, the count
 * and the body. It covers all of history, so two journals with one hash are the same. Source: reliability G11.
 */
export function chainHash(previous: string, group: Group): string {
  const fixed = Buffer.alloc(48);
  fixed.write(previous, 0, 'hex');
  fixed.writeUInt32BE(group.version, 32);
  fixed.writeBigUInt64BE(BigInt(group.firstSeq), 36);
  fixed.writeUInt32BE(group.count, 44);
  return createHash('sha256').update(fixed).update(group.body).digest('hex');
}

/** The last sequence number of a group. */
export function lastSeq(group: { readonly firstSeq: number; readonly count: number }): number {
  return group.firstSeq + group.count - 1;
}

/** Says why `group` cannot follow `previous`; `undefined` when it does. */
export function chainFault(previous: Head, group: StoredGroup): string | undefined {
  if (group.firstSeq !== previous.seq + 1) {
    return `a group that starts with ${group.firstSeq} follows sequence ${previous.seq}`;
  }
  if (!(Number.isSafeInteger(group.count) && group.count >= 1 && group.count <= MAX_COUNT)) {
    return `a group of ${group.count} records`;
  }
  if (!(Number.isSafeInteger(group.version) && group.version >= 0 && group.version <= MAX_COUNT)) {
    return `a group of version ${group.version}`;
  }
  if (group.follows === previous.hash) return undefined;
  if (group.hash !== chainHash(previous.hash, group)) return 'the chain hash does not match what is stored';
  return undefined;
}

const MAX_COUNT = 0xffff_ffff;
