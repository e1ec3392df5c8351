/**
 * Entries by small whole numbers, such as those of accounts or of rows. It grows by a page, where a map of some million
 * entries is filed again as a whole: half a second in one piece. A page without an entry is dropped.
 */

/** The entries of neighbouring numbers. */
interface Page<T> {
  readonly entries: (T | undefined)[];
  count: number;
}

export class PagedTable<Key extends number, T extends object> {
  private readonly bits: number;
  private pages: (Page<T> | undefined)[] = [];
  private count = 0;

  /** `bits`: the entries of a page, as a power of two. One entry keeps its page. */
  constructor(bits: number) {
    this.bits = bits;
  }

  get size(): number {
    return this.count;
  }

  get(key: Key): T | undefined {
    return this.pages[key >>> this.bits]?.entries[this.inside(key)];
  }

  set(key: Key, entry: T): void {
    const page = this.pageOf(key);
    const place = this.inside(key);
    if (page.entries[place] === undefined) {
      page.count += 1;
      this.count += 1;
    }
    page.entries[place] = entry;
  }

  /** Takes an entry out, if there is one. */
  delete(key: Key): void {
    const page = this.pages[key >>> this.bits];
    const place = this.inside(key);
    if (page?.entries[place] === undefined) return;
    page.entries[place] = undefined;
    page.count -= 1;
    this.count -= 1;
    if (page.count === 0) this.pages[key >>> this.bits] = undefined;
  }

  clear(): void {
    this.pages = [];
    this.count = 0;
  }

  /** The entries of the numbers from `from` on and below `to`, ascending. Those that were passed may be deleted. */
  *within(from: number, to: number): IterableIterator<readonly [Key, T]> {
    const room = 1 << this.bits;
    const end = Math.min(to, this.pages.length * room);
    for (let key = from; key < end; key += 1) {
      const page = this.pages[key >>> this.bits];
      if (page === undefined) key |= room - 1;
      const entry = page?.entries[this.inside(key)];
      if (entry !== undefined) yield [key as Key, entry];
    }
  }

  /** All entries, ascending. */
  [Symbol.iterator](): IterableIterator<readonly [Key, T]> {
    return this.within(0, Number.POSITIVE_INFINITY);
  }

  private inside(key: number): number {
    return key & ((1 << this.bits) - 1);
  }

  private pageOf(key: Key): Page<T> {
    const at = key >>> this.bits;
    while (this.pages.length <= at) this.pages.push(undefined);
    const page = this.pages[at] ?? { entries: new Array<T | undefined>(1 << this.bits).fill(undefined), count: 0 };
    this.pages[at] = page;
    return page;
  }
}
