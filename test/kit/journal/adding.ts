import { assert } from '../../../src/base/assert.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import type { Replica, ReplicaSource } from '../../../src/journal/replica.ts';

/** A small fold: the sums that were deposited, and their count. */
export class Adding implements Replica {
  seq = 0;
  at = 0 as EpochMs;
  sum = 0;

  fold(record: JournalRecord): void {
    assert(record.seq === this.seq + 1, `record ${record.seq} after ${this.seq}`);
    this.seq = record.seq;
    this.at = record.at;
    for (const event of record.events) if (event.type === 'CashDeposited') this.sum += event.amount;
  }

  lines(): string[] {
    return [JSON.stringify({ seq: this.seq, at: this.at }), JSON.stringify({ sum: this.sum })];
  }

  hash(): string {
    return `${this.seq}:${this.sum}`;
  }
}

export const ADDING: ReplicaSource<Adding> = {
  empty: () => new Adding(),
  load: (lines) => Object.assign(new Adding(), ...Array.from(lines, (line) => JSON.parse(line))),
};
