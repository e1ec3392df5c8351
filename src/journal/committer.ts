/**
 * The only writer of a journal's files. A group for which the disk has no room is kept and tried again each second:
 * nothing of it was written, so this does not repeat a write that failed.
 */

import { assert } from '../base/assert.ts';
import { type Disk, DiskFull } from './disk/disk.ts';
import { HighWaterMark } from './high-water-mark.ts';
import type { Head } from './journal.ts';
import { type LogStart, SegmentLog, type SegmentLogOptions } from './segments/segment-log.ts';
import type { JournalPaths } from './upkeep/examine.ts';

/**
 * Makes a group durable, then writes the mark, then reports it. An error that a method throws is final: see
 * `SegmentLog`. Source: reliability P6, P7.
 */
export class Committer {
  private readonly log: SegmentLog;
  private readonly mark: HighWaterMark;
  private held: Uint8Array | undefined;
  private hasRoom = true;

  constructor(disk: Disk, paths: JournalPaths, start: LogStart, options?: SegmentLogOptions) {
    this.log = new SegmentLog(disk, paths.journal, start, options);
    this.mark = new HighWaterMark(disk, paths.mark);
    this.prepare();
  }

  /** True when the disk has no room for what is to come. Groups are still taken while prepared room lasts. */
  isFull(): boolean {
    return !this.hasRoom;
  }

  /** The place of the last group in its segment, in bytes. */
  get lastOffset(): number {
    return this.log.lastOffset;
  }

  /**
   * The head when the group of an open frame is durable; `undefined` when there is no room for it yet: then
   * `passSecond` gives it.
   */
  commit(frame: Uint8Array): Head | undefined {
    assert(this.held === undefined, 'one group at a time');
    try {
      const head = this.log.append(frame);
      this.mark.advance(head);
      return head;
    } catch (error) {
      if (!(error instanceof DiskFull)) throw error;
      this.held = frame;
      this.hasRoom = false;
      return undefined;
    }
  }

  /** Makes room for groups to come. Called after the replies. */
  prepare(): void {
    this.hasRoom = this.log.prepare();
  }

  /**
   * Flushes the mark, and tries to get the room that was missing. The head when a group that waited for it is durable
   * now.
   */
  passSecond(): Head | undefined {
    this.mark.flush();
    if (this.hasRoom) return undefined;
    this.prepare();
    const { held } = this;
    if (!this.hasRoom || held === undefined) return undefined;
    this.held = undefined;
    return this.commit(held);
  }

  /** Closes the files in order. A group that is still held is dropped: it was not acknowledged. */
  close(): void {
    this.mark.close();
    this.log.close();
  }
}
