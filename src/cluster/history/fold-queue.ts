/**
 * The groups that a follower has read and not folded. They are folded in slices, so that a follower that catches up
 * still answers.
 */

import { errorOf } from '../../base/system-fault.ts';
import { recordsOf, UnreadableRecord } from '../../journal/codec.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { Replica } from '../../journal/replica.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';
import type { ClusterTime } from '../cluster-time.ts';
import type { LaneGroup } from '../message.ts';

/** How long folding may hold one turn of the event loop, its last record not counted. In milliseconds. */
const SLICE_MS = 4;

interface Unfolded {
  readonly group: LaneGroup;
  /** When it was read, in monotonic milliseconds. */
  readonly cameAt: number;
}

export interface FoldQueueParts<R extends Replica> {
  readonly replica: R;
  readonly time: ClusterTime;
  /** Called once when a group cannot be folded; nothing is folded afterwards. */
  readonly failed: (error: Error) => void;
}

/** Folds groups into a replica, record by record. */
export class FoldQueue<R extends Replica> {
  private readonly parts: FoldQueueParts<R>;
  private readonly waiting: Unfolded[] = [];
  private records: Iterator<JournalRecord> | undefined;
  private waitingBytes = 0;
  private isScheduled = false;
  private hasFailed = false;
  private whenEmpty: (() => void)[] = [];

  constructor(parts: FoldQueueParts<R>) {
    this.parts = parts;
  }

  /** The bytes of the groups that wait. */
  get bytes(): number {
    return this.waitingBytes;
  }

  /** How long the oldest group has waited, in milliseconds; 0 when none waits. */
  get delayMs(): number {
    const [first] = this.waiting;
    return first === undefined ? 0 : this.parts.time.elapsed() - first.cameAt;
  }

  /** Adds a group whose place in the chain was checked. */
  add(group: LaneGroup): void {
    this.waiting.push({ group, cameAt: this.parts.time.elapsed() });
    this.waitingBytes += group.body.length;
    this.schedule();
  }

  /** Resolves when every group is folded; never when one cannot be. */
  empty(): Promise<void> {
    if (this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.whenEmpty.push(resolve));
  }

  /** Folds nothing more. */
  stop(): void {
    this.hasFailed = true;
  }

  private schedule(): void {
    if (this.isScheduled || this.hasFailed || this.waiting.length === 0) return;
    this.isScheduled = true;
    this.parts.time.defer(() => {
      this.isScheduled = false;
      this.slice();
      this.schedule();
    });
  }

  private slice(): void {
    const { elapsed } = this.parts.time;
    const end = elapsed() + SLICE_MS;
    try {
      while (!this.hasFailed && this.waiting.length > 0 && elapsed() < end) this.foldNext();
    } catch (error) {
      this.hasFailed = true;
      this.parts.failed(errorOf(error));
      return;
    }
    if (this.waiting.length > 0 || this.hasFailed) return;
    const resolved = this.whenEmpty;
    this.whenEmpty = [];
    for (const resolve of resolved) resolve();
  }

  private foldNext(): void {
    const [first] = this.waiting;
    if (first === undefined) return;
    const { replica } = this.parts;
    const { group } = first;
    try {
      this.records ??= recordsOf(group)[Symbol.iterator]();
      const next = this.records.next();
      if (next.done !== true) {
        if (next.value.at < replica.at) throw new UnreadableRecord(next.value.seq, 'time goes back');
        replica.fold(next.value);
        return;
      }
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      const { seq, message } = error;
      throw new JournalDamaged({ file: 'lanes', group: group.firstSeq, seq, what: message, lastGood: seq - 1 });
    }
    this.records = undefined;
    this.waiting.shift();
    this.waitingBytes -= group.body.length;
  }
}
