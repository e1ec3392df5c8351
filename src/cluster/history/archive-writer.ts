/**
 * The archive of a member: its own journal files, written after the lanes. Groups wait here until they are written,
 * and are read from here meanwhile.
 */

import { assert } from '../../base/assert.ts';
import { errorOf } from '../../base/system-fault.ts';
import { lastSeq } from '../../journal/chain.ts';
import type { Head, Journal, StoredGroup } from '../../journal/journal.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';
import type { ClusterTime } from '../cluster-time.ts';
import type { LaneGroup } from '../message.ts';
import { pause } from '../patience.ts';

export interface ArchiveParts {
  readonly files: Journal;
  readonly time: ClusterTime;
  /** The groups that may wait, in bytes of their bodies. */
  readonly mostBytes: number;
  /** Called once when the files failed. */
  readonly failed: (error: Error) => void;
}

/** How often a close looks whether the disk still has room. In milliseconds. */
const LOOK_MS = 20;

/** Writes groups that are durable in a lane to the files of a member, one after the other, in order. */
export class ArchiveWriter {
  private readonly parts: ArchiveParts;
  private readonly waiting: LaneGroup[] = [];
  private waitingBytes = 0;
  private end: Head;
  private running: Promise<void> | undefined;
  private hasFailed = false;
  private closing = false;

  constructor(parts: ArchiveParts) {
    this.parts = parts;
    this.end = parts.files.head();
  }

  get name(): string {
    return this.parts.files.name;
  }

  /** The last group that was added, written or not. */
  head(): Head {
    return this.end;
  }

  /** The last group that is in the files. */
  written(): Head {
    return this.parts.files.head();
  }

  begin(): number {
    return this.parts.files.begin();
  }

  /** True when the disk has no room: groups wait. */
  get isLate(): boolean {
    return this.parts.files.isFull();
  }

  /** True when no further groups may wait. */
  get isFull(): boolean {
    return this.waitingBytes >= this.parts.mostBytes;
  }

  /** Adds the group that follows the last one. Its content was checked against the chain. */
  add(group: LaneGroup): void {
    assert(group.firstSeq === this.end.seq + 1, `group ${group.firstSeq} after ${this.end.seq}`);
    this.waiting.push(group);
    this.waitingBytes += group.body.length;
    this.end = { seq: lastSeq(group), hash: group.hash };
    this.run();
  }

  /** The groups that hold records after `after`: those of the files, then those that wait. */
  *groups(after: number): Iterable<StoredGroup> {
    const written = this.written().seq;
    const waiting = this.waiting.filter((group) => group.firstSeq > written && lastSeq(group) > after);
    yield* this.parts.files.groups(after);
    yield* waiting;
  }

  /** The chain hash of the group that ends with `seq`; `undefined` when no group ends there. */
  hashAt(seq: number): string | undefined {
    if (seq <= this.written().seq) return this.parts.files.hashAt(seq);
    return this.waiting.find((group) => lastSeq(group) === seq)?.hash;
  }

  /**
   * Writes what waits, and closes the files. On a disk without room the files stay open until the process ends: the
   * group that waits for room is in a lane.
   */
  async close(): Promise<void> {
    const { files, time } = this.parts;
    while (this.running !== undefined && !this.isLate) await Promise.race([this.running, pause(time, LOOK_MS)]);
    this.closing = true;
    if (this.running === undefined) await files.close();
  }

  private run(): void {
    const [group] = this.waiting;
    if (this.running !== undefined || this.hasFailed || this.closing || group === undefined) return;
    this.running = this.write(group).then(() => {
      this.running = undefined;
      this.run();
    });
  }

  private async write(group: LaneGroup): Promise<void> {
    try {
      const { hash } = await this.parts.files.append(group);
      if (hash !== group.hash) throw this.differs(group);
      this.waiting.shift();
      this.waitingBytes -= group.body.length;
    } catch (error) {
      this.hasFailed = true;
      this.parts.failed(errorOf(error));
    }
  }

  private differs({ firstSeq }: LaneGroup): JournalDamaged {
    const what = 'the archive made another chain hash than the lane has';
    return new JournalDamaged({ file: this.name, seq: firstSeq, what, lastGood: firstSeq - 1 });
  }
}
