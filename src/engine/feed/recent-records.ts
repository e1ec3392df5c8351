/**
 * The short memory of the feed: the newest durable records, so that a subscriber that is a little behind need not read
 * the journal. It is bounded by bytes.
 */

import { lowerBound } from '../../base/lower-bound.ts';
import type { DurableRecord } from './durable-record.ts';

/** Records that became durable together. */
interface Batch {
  readonly records: readonly DurableRecord[];
  /** Their size in the journal. */
  readonly bytes: number;
}

/** The newest durable records, as long as a subscriber needs them, and within a bound. */
export class RecentRecords {
  private readonly mostBytes: number;
  private batches: Batch[] = [];
  private bytes = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** Adds a group, then forgets the records before `needed`, and the oldest ones beyond the bound. */
  add(batch: Batch, needed: number): void {
    this.batches.push(batch);
    this.bytes += batch.bytes;
    let forgotten = 0;
    for (const { records, bytes } of this.batches) {
      if (this.bytes <= this.mostBytes && (records.at(-1)?.seq ?? 0) >= needed) break;
      this.bytes -= bytes;
      forgotten += 1;
    }
    if (forgotten > 0) this.batches.splice(0, forgotten);
  }

  /**
   * The records after `seq`, of one group or of as many as reach to `enough` records; `undefined` when the next one is
   * not in memory.
   */
  after(seq: number, enough: number): readonly DurableRecord[] | undefined {
    const { batches } = this;
    let at = this.indexOf(seq + 1);
    const batch = batches[at];
    if (batch === undefined) return undefined;
    const records = batch.records.slice(seq + 1 - firstSeq(batch));
    for (at += 1; records.length < enough && at < batches.length; at += 1) {
      for (const record of batches[at]?.records ?? []) records.push(record);
    }
    return records.length > 0 ? records : undefined;
  }

  /** Where the group is that has a record, when any has; -1 when it is before all of them. */
  private indexOf(seq: number): number {
    return lowerBound(0, this.batches.length, (place) => firstSeq(this.batches[place]) <= seq) - 1;
  }
}

function firstSeq(batch: Batch | undefined): number {
  return batch?.records[0]?.seq ?? Number.POSITIVE_INFINITY;
}
