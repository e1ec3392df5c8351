import { assert } from '../base/assert.ts';
import { chainHash, GENESIS, lastSeq } from './chain.ts';
import type { Group, Head, Journal, StoredGroup } from './journal.ts';

/** A journal that lives as long as the process: for simulations and tests. Durable means handed over. */
export class MemoryJournal implements Journal {
  readonly name = 'memory';
  private readonly stored: StoredGroup[] = [];
  private readonly start: Head;
  private closed = false;

  /** Continues after `start`, without any earlier records. */
  constructor(start: Head = GENESIS) {
    this.start = start;
  }

  head(): Head {
    const last = this.stored.at(-1);
    return last === undefined ? this.start : { seq: lastSeq(last), hash: last.hash };
  }

  begin(): number {
    return this.start.seq;
  }

  isFull(): boolean {
    return false;
  }

  append(group: Group): Promise<Head> {
    assert(!this.closed, 'append to a closed journal');
    const previous = this.head();
    assert(group.firstSeq === previous.seq + 1 && group.count >= 1, `group ${group.firstSeq} after ${previous.seq}`);
    const body = Buffer.from(group.body);
    const hash = chainHash(previous.hash, group);
    this.stored.push({ version: group.version, firstSeq: group.firstSeq, count: group.count, body, hash });
    return Promise.resolve(this.head());
  }

  *groups(after: number): Iterable<StoredGroup> {
    for (const group of this.stored) if (lastSeq(group) > after) yield group;
  }

  hashAt(seq: number): string | undefined {
    if (seq === this.start.seq) return this.start.hash;
    return this.stored.find((group) => lastSeq(group) === seq)?.hash;
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}
