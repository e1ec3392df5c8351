import type { DurableRecord } from './durable-record.ts';

/** Records that became durable together. */
interface Batch {
  readonly records: readonly DurableRecord[];
  /** What they take in the journal. */
  readonly bytes: number;
}

/** The newest durable records, in memory for a while: as long as somebody needs them, and within a bound. */
export class RecentRecords {
  private readonly mostBytes: number;
  private batches: Batch[] = [];
  private bytes = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** Adds a group, then forgets what is before the record `needed`, and the oldest ones that are too much. */
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

  /** The records of the group that has the one after `seq`, from that one on; `undefined` when it is not in memory. */
  after(seq: number): readonly DurableRecord[] | undefined {
    let low = 0;
    let high = this.batches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstSeq(this.batches[middle]) <= seq + 1) low = middle + 1;
      else high = middle;
    }
    const batch = this.batches[low - 1];
    if (batch === undefined) return undefined;
    const rest = batch.records.slice(seq + 1 - firstSeq(batch));
    return rest.length > 0 ? rest : undefined;
  }
}

function firstSeq(batch: Batch | undefined): number {
  return batch?.records[0]?.seq ?? Number.POSITIVE_INFINITY;
}
