/**
 * Reads durable history from the journal for a subscriber that is behind, a little at a time. Between two portions it
 * holds one group, a window of the segment and an open file. It does not wait for new records.
 */

import { chainFault, lastSeq } from '../../journal/chain.ts';
import { recordsOf } from '../../journal/codec.ts';
import type { Journal, StoredGroup } from '../../journal/journal.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';

/** The source of history. */
export type History = Pick<Journal, 'name' | 'head' | 'begin' | 'groups' | 'hashAt'>;

/** How much one call reads at most. */
export interface ReadLimits {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** The call ends with the record during which this time runs out. In milliseconds. */
  readonly sliceMs: number;
  readonly mostRecords: number;
  /** The last record to read. */
  readonly upTo: number;
}

/**
 * Reads the records after a place in portions, each group checked against the chain. Close it. It ends at the record
 * that was the last when it was made.
 */
export class HistoryReader {
  private readonly journal: History;
  private readonly end: number;
  private readonly records: Iterator<JournalRecord>;
  private at: number;
  private ended = false;
  private fault: unknown;

  constructor(journal: History, after: number) {
    this.journal = journal;
    this.at = after;
    this.end = journal.head().seq;
    this.records = this.recordsAfter(after)[Symbol.iterator]();
  }

  /** True when nothing more comes. */
  get isDone(): boolean {
    return this.ended;
  }

  /**
   * The next records; none when it is done. Throws `JournalDamaged` and the errors of the disk, once all records before
   * the fault were given.
   */
  read({ elapsed, sliceMs, mostRecords, upTo }: ReadLimits): JournalRecord[] {
    const started = elapsed();
    const records: JournalRecord[] = [];
    while (!this.ended && records.length < mostRecords && (records.length === 0 || elapsed() - started < sliceMs)) {
      const record = this.at < upTo ? this.next(records.length > 0) : this.close();
      if (record === undefined) break;
      records.push(record);
      this.at = record.seq;
    }
    return records;
  }

  /** Closes the file. */
  close(): undefined {
    this.ended = true;
    this.records.return?.();
  }

  /**
   * The next record; `undefined` when there is none, or when it cannot be read and others wait to be given: then the
   * next call throws.
   */
  private next(othersWait: boolean): JournalRecord | undefined {
    try {
      if (this.fault !== undefined) throw this.fault;
      const { done, value } = this.records.next();
      if (done !== true) return value;
      this.close();
      if (this.at < this.end) throw this.damage(`the groups end at ${this.at}, the last one was ${this.end}`);
      return undefined;
    } catch (error) {
      if (!othersWait) throw error;
      this.ended = false;
      this.fault = error;
      return undefined;
    }
  }

  private *recordsAfter(after: number): Iterable<JournalRecord> {
    let hash: string | undefined;
    for (const group of this.journal.groups(after)) {
      hash ??= this.journal.hashAt(group.firstSeq - 1);
      this.check(group, hash);
      for (const record of recordsOf(group)) if (record.seq > after) yield record;
      hash = group.hash;
    }
  }

  private check(group: StoredGroup, hash: string | undefined): void {
    const { at } = this;
    const isNext = group.firstSeq <= at + 1 && lastSeq(group) > at;
    const previous = { seq: isNext ? group.firstSeq - 1 : at, hash: hash ?? '' };
    const fault = chainFault(previous, group);
    if (fault !== undefined) throw this.damage(fault, group);
  }

  private damage(what: string, group?: StoredGroup): JournalDamaged {
    const place = group === undefined ? {} : { ...group.place, group: group.firstSeq };
    return new JournalDamaged({ file: this.journal.name, ...place, seq: this.at + 1, what, lastGood: this.at });
  }
}
