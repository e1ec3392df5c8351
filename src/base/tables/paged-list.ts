/**
 * A list that grows by a page, where an array of some million members is copied as a whole each time that it has become
 * too small: 25 to 50 milliseconds in one piece.
 */

/** Members of a page, as a power of two. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;

/** The members in the order in which they were added. */
export interface ReadonlyPagedList<T> extends Iterable<T> {
  readonly length: number;
  /** The member at a place; `undefined` where the list does not reach. */
  at(place: number): T | undefined;
}

export class PagedList<T> implements ReadonlyPagedList<T> {
  private readonly pages: T[][] = [];
  private count = 0;

  get length(): number {
    return this.count;
  }

  at(place: number): T | undefined {
    return this.pages[place >>> PAGE_BITS]?.[place & INSIDE];
  }

  /** Adds a member behind all others. Returns the new length. */
  push(member: T): number {
    const page = this.pages[this.count >>> PAGE_BITS];
    if (page === undefined) this.pages.push([member]);
    else page.push(member);
    this.count += 1;
    return this.count;
  }

  /** Those that are added on the way are among them. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (const page of this.pages) yield* page;
  }
}
