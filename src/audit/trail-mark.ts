import { type Disk, isAbsent, isFull } from '../journal/disk.ts';
import { createMark, HighWaterMark, readMark } from '../journal/high-water-mark.ts';
import type { TrailHead } from './line.ts';

/**
 * The file, beside the folder of a trail, that says how far its lines are known to be on the disk. It is written after each flush, so it can only stand behind
 * them. What damage is before it no death of the machine brings about; behind it a power cut may have left anything. Source: reliability P5, F04, I46.
 */
export function trailMark(folder: string): string {
  return `${folder}-mark`;
}

/** The line up to which a trail is known to be on the disk; `undefined` when nothing says so. */
export function readTrailMark(disk: Disk, folder: string): TrailHead | undefined {
  const head = readMark(disk, trailMark(folder))?.head;
  return head && { n: head.seq, hash: head.hash };
}

/** Notes that the lines up to `head` were flushed; when it returns, the note lasts. On a full disk the mark may stay where it is, which is no harm. */
export function advanceTrailMark(disk: Disk, folder: string, { n, hash }: TrailHead): void {
  try {
    const mark = new HighWaterMark(disk, trailMark(folder));
    mark.advance({ seq: n, hash });
    mark.close();
  } catch (error) {
    if (isAbsent(error)) resetTrailMark(disk, folder, { n, hash });
    else if (!isFull(error)) throw error;
  }
}

/** Begins the mark anew at `head`, where there is none, or one that a line behind the end was accepted to be lost of. */
export function resetTrailMark(disk: Disk, folder: string, { n, hash }: TrailHead): void {
  try {
    createMark(disk, trailMark(folder), { seq: n, hash });
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}
