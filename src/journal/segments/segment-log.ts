/**
 * Writes a journal's segments: appends groups, keeps zeros ready for the next ones, and begins new segments. Only the
 * commit thread uses it.
 */

import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { type Disk, type DiskFile, DiskFull, isFull } from '../disk/disk.ts';
import { replaceFile } from '../disk/replace-file.ts';
import type { Head } from '../journal.ts';
import {
  FRAME_TRAILER_BYTES,
  isWholeFrame,
  isZero,
  readFrameHash,
  SECTOR_BYTES,
  sealFrame,
  segmentHeader,
  segmentName,
} from './layout.ts';

export interface SegmentLogOptions {
  /** A segment that has grown to this is followed by a new one. In bytes. */
  readonly segmentBytes?: number;
  /** The zeros that are ready after the last group, written and flushed before they are needed. In bytes. */
  readonly reserveBytes?: number;
  /** The zeros are written in steps of this size, in bytes, so that no group waits long for them. */
  readonly stepBytes?: number;
}

const DEFAULTS: Required<SegmentLogOptions> = {
  segmentBytes: 64 * 1024 * 1024,
  reserveBytes: 4 * 1024 * 1024,
  stepBytes: 1024 * 1024,
};

/** Where a log continues: the last segment after its repair, closed in order; none for a new journal. */
export interface LogStart {
  readonly head: Head;
  readonly path: string | undefined;
}

/**
 * The one writer of a journal's segments. A group is written into zeros that are on the disk already, and flushed: that
 * changes no size and takes no room, so it is quick, and a full disk is known before a group needs it. Every error of
 * any method but `DiskFull` is final: the content of the disk is then unknown, and no method may be called again.
 * Source: reliability P6, F06 to F08.
 */
export class SegmentLog {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly options: Required<SegmentLogOptions>;
  /** A step of zeros. */
  private readonly step: Uint8Array;
  private file: DiskFile;
  private current: Head;
  /** Where the next group goes. */
  private end: number;
  /** The size of the file: from `end` on it is zero. */
  private size: number;
  /** How long the last group's frame is; 0 before the first. */
  private lastBytes = 0;

  constructor(disk: Disk, folder: string, start: LogStart, options: SegmentLogOptions = {}) {
    this.disk = disk;
    this.folder = folder;
    this.options = { ...DEFAULTS, ...options };
    this.step = pageAligned(this.options.stepBytes);
    this.current = start.head;
    if (start.path === undefined) {
      this.file = this.create();
      this.end = SECTOR_BYTES;
      this.size = this.file.size();
    } else {
      this.file = disk.open(start.path, 'direct');
      this.size = this.file.size();
      this.end = this.size;
      this.extend(this.options.reserveBytes);
    }
  }

  /** The last group that is durable. */
  head(): Head {
    return this.current;
  }

  /** Where the last group lies in its segment, in bytes. */
  get lastOffset(): number {
    return this.end - this.lastBytes;
  }

  /**
   * Makes an open frame durable and returns the head that it makes. Throws `DiskFull` when there is no room for it:
   * then nothing of it was written, and it, or another frame in its place, may be appended later.
   */
  append(frame: Uint8Array): Head {
    const end = this.end + frame.length;
    // A sector of zeros stays after the last group: the next start sees by it that the file was not closed in order.
    const missing = end + SECTOR_BYTES - this.size;
    if (missing > 0 && !this.extend(missing)) throw this.full();
    const head = sealFrame(frame, this.current);
    assert(head.seq > this.current.seq, 'a group goes on');
    this.write(frame);
    this.file.flush();
    this.end = end;
    this.lastBytes = frame.length;
    this.current = head;
    return head;
  }

  /**
   * Gets ready for the groups to come: one step of room, or another segment. Called after the replies. False when there
   * is less room than wanted and the disk gives no more.
   */
  prepare(): boolean {
    if (this.end >= this.options.segmentBytes && !this.roll()) return false;
    if (this.size - this.end >= this.options.reserveBytes) return true;
    return this.extend(0);
  }

  /** Gives back the room after the last group and closes the file. */
  close(): void {
    this.trim();
    this.file.close();
  }

  private write(frame: Uint8Array): void {
    try {
      this.file.write(this.end, frame);
    } catch (error) {
      if (!isFull(error)) throw error;
      // On a disk that gives no new room even for bytes that are there.
      this.trim();
      throw this.full();
    }
  }

  private full(): DiskFull {
    return new DiskFull(`the disk has no room for a group after ${this.current.seq}`);
  }

  /**
   * Adds a step of zeros, or as many steps as `wanted` bytes need. False when the disk is full; then nothing was added.
   */
  private extend(wanted: number): boolean {
    const steps = Math.max(1, Math.ceil(wanted / this.step.length));
    try {
      for (let i = 0; i < steps; i += 1) this.file.write(this.size + i * this.step.length, this.step);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.cutBack(this.size);
      return false;
    }
    this.file.flush();
    this.size += steps * this.step.length;
    return true;
  }

  private trim(): void {
    if (this.size === this.end) return;
    this.cutBack(this.end);
    this.size = this.end;
  }

  /**
   * Takes back bytes that were added after `size`, and checks that the last group and nothing else is there. Source:
   * reliability F06.
   */
  private cutBack(size: number): void {
    this.file.truncate(size);
    this.file.flush();
    assert(this.file.size() === size, 'a file is as long as it was cut');
    const { lastBytes, end } = this;
    assert(
      lastBytes === 0 || this.isCurrent(this.file.read(end - lastBytes, lastBytes)),
      'the last group is as it was written',
    );
    assert(isZero(this.file.read(end, Math.min(size - end, SECTOR_BYTES))), 'nothing stands after the last group');
  }

  /** True when a frame is whole and the one that made the head. */
  private isCurrent(frame: Uint8Array): boolean {
    return isWholeFrame(frame) && readFrameHash(frame.subarray(-FRAME_TRAILER_BYTES)) === this.current.hash;
  }

  /** Continues in a new segment. False when the disk has no room for one; then the log continues in the old one. */
  private roll(): boolean {
    let next: DiskFile;
    try {
      next = this.create(() => this.trim());
    } catch (error) {
      if (error instanceof DiskFull) return false;
      throw error;
    }
    this.file.close();
    this.file = next;
    this.end = SECTOR_BYTES;
    this.size = next.size();
    this.lastBytes = 0;
    return true;
  }

  /**
   * Makes the segment that follows the head, with room in it. `before` runs when it is whole and has not yet got its
   * name.
   */
  private create(before?: () => void): DiskFile {
    const path = join(this.folder, segmentName(this.current.seq + 1));
    const fill = (file: DiskFile): void => {
      file.write(0, segmentHeader(this.current));
      file.write(SECTOR_BYTES, new Uint8Array(this.options.reserveBytes));
    };
    replaceFile(this.disk, path, fill, before);
    return this.disk.open(path, 'direct');
  }
}

/** Zeros that begin at a page, as writing past the page cache needs: memory that can be resized does. */
function pageAligned(bytes: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(bytes, { maxByteLength: bytes }));
}
