/**
 * Room on a disk for files that nobody waits for. A journal on the same disk comes first: a service whose disk is full
 * takes no orders.
 */
import { statfsSync } from 'node:fs';

/** Copies leave this free. In bytes: hours of a busy journal, and the snapshots of a day. */
export const ROOM_KEPT = 256 * 1_048_576;

/** A disk has too little room for a file. Nothing of it was written. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/** The bytes that a process without special rights may still write to the disk of a folder that is there. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws `NoRoom` where the disk of a folder would have less than `ROOM_KEPT` free with this number of bytes more. */
export function expectRoom(folder: string, bytes: number, free: (folder: string) => number = freeBytes): void {
  const left = free(folder);
  if (left - bytes >= ROOM_KEPT) return;
  const [have, need] = [left, bytes + ROOM_KEPT].map((count) => Math.ceil(count / 1_048_576));
  throw new NoRoom(`the disk of ${folder} has ${have} MiB free, and ${need} MiB are needed`);
}
