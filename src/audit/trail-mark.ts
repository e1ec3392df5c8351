/**
 * The mark of the audit trail: a file beside the trail's folder that says how far the lines are known to be on the
 * disk. It is written after each flush, so it never stands ahead of the lines.
 */

import { isAbsent } from '../base/system-fault.ts';
import { type Disk, isFull } from '../journal/disk/disk.ts';
import { createMark, HighWaterMark, readMark } from '../journal/high-water-mark.ts';
import type { Head } from '../journal/journal.ts';
import type { TrailHead } from './trail-line.ts';

/**
 * The path of the mark. No crash of the machine damages lines before the mark; after it a power cut may have left
 * anything. Source: reliability P5, F04, I46.
 */
export function trailMark(folder: string): string {
  return `${folder}-mark`;
}

/** The line up to which a trail is known to be on the disk; `undefined` without a readable mark. */
export function readTrailMark(disk: Disk, folder: string): TrailHead | undefined {
  const head = readMark(disk, trailMark(folder))?.head;
  return head && { n: head.seq, hash: head.hash };
}

/**
 * The mark of a trail that is being written. Its file stays open, so that no further file descriptor is needed each
 * second.
 */
export class TrailMark {
  private readonly disk: Disk;
  private readonly path: string;
  private file: HighWaterMark | undefined;

  constructor(disk: Disk, folder: string) {
    this.disk = disk;
    this.path = trailMark(folder);
  }

  /**
   * Notes that the lines up to `head` were flushed. The note is on the disk when this returns. On a full disk the mark
   * may stay where it is, which does no harm.
   */
  advance({ n, hash }: TrailHead): void {
    unlessFull(() => {
      this.file ??= this.opened({ seq: n, hash });
      this.file.advance({ seq: n, hash });
      this.file.flush();
    });
  }

  /**
   * Writes the mark again at `head`, when there is none or when the operator agreed to go on without the old one. The
   * old mark is removed in any case: on a full disk there is no mark until the next flush.
   */
  reset({ n, hash }: TrailHead): void {
    unlessFull(() => {
      if (readMark(this.disk, this.path) !== undefined) this.disk.remove(this.path);
      createMark(this.disk, this.path, { seq: n, hash });
    });
  }

  close(): void {
    unlessFull(() => this.file?.close());
    this.file = undefined;
  }

  private opened(head: Head): HighWaterMark {
    try {
      return new HighWaterMark(this.disk, this.path);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      createMark(this.disk, this.path, head);
      return new HighWaterMark(this.disk, this.path);
    }
  }
}

function unlessFull(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}
