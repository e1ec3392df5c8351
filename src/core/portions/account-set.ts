/**
 * A set of accounts in the order of their numbers, for the running sets of the state. It knows nothing of accounts but
 * their numbers.
 */

import type { AccountId } from '../../base/ids.ts';

const BITS = 5;
const INSIDE = (1 << BITS) - 1;

/**
 * A set of accounts that gives its members in the order of their numbers, from any number on. It has a bit for each
 * account, so a gap of a million accounts is passed in some ten microseconds.
 */
export class AccountSet {
  private words = new Uint32Array(16);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(id: AccountId): boolean {
    return (((this.words[id >>> BITS] ?? 0) >>> (id & INSIDE)) & 1) === 1;
  }

  add(id: AccountId): void {
    const place = id >>> BITS;
    if (place >= this.words.length) this.grow(place + 1);
    const word = this.words[place] ?? 0;
    const bit = 1 << (id & INSIDE);
    if ((word & bit) !== 0) return;
    this.words[place] = word | bit;
    this.count += 1;
  }

  delete(id: AccountId): void {
    if (!this.has(id)) return;
    const place = id >>> BITS;
    this.words[place] = (this.words[place] ?? 0) & ~(1 << (id & INSIDE));
    this.count -= 1;
  }

  /**
   * The members from `from` on and below `to`, ascending. Members may be added and taken out on the way: those that lie
   * ahead are seen as they are then.
   */
  *within(from: number, to: number): IterableIterator<AccountId> {
    for (let id = this.next(from); id < to; id = this.next(id + 1)) yield id as AccountId;
  }

  /** All members, ascending. */
  [Symbol.iterator](): IterableIterator<AccountId> {
    return this.within(0, Number.POSITIVE_INFINITY);
  }

  /** The first member at or after a number; infinite when there is none. */
  next(from: number): number {
    const { words } = this;
    let place = from >>> BITS;
    let word = (words[place] ?? 0) & (-1 << (from & INSIDE));
    while (word === 0) {
      place += 1;
      if (place >= words.length) return Number.POSITIVE_INFINITY;
      word = words[place] ?? 0;
    }
    return (place << BITS) + INSIDE - Math.clz32(word & -word);
  }

  private grow(least: number): void {
    const words = new Uint32Array(Math.max(least, this.words.length * 2));
    words.set(this.words);
    this.words = words;
  }
}
