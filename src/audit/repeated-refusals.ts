/**
 * Keeps a flood of refused requests from filling the disk. In each minute the first refusals of each kind get lines of
 * their own, up to a total; the others are only counted. It covers callers who are not logged in, and refusals for too
 * many requests.
 */

import { MINUTE_MS } from '../base/time.ts';

/** Of each kind, this number of refusals in a minute gets a line each. */
const LINES_EACH = 20;
/** Lines of refusals in a minute, over all kinds. */
const LINES_ALL = 600;
/** Kinds that are counted separately in a minute; further kinds are counted together. */
const MOST_KINDS = 500;
const OTHERS = 'others';

/** Refusals of one kind that have no line of their own. */
export interface Repeats {
  /** The words that they share: a piece of a line. */
  readonly what: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

interface Counted {
  lines: number;
  count: number;
  first: number;
  last: number;
}

/**
 * Decides which refusals get a line, and counts the others. A kind is the refused operation, the reason and the
 * address.
 */
export class RepeatedRefusals {
  private readonly kinds = new Map<string, Counted>();
  private minute = 0;
  private lines = 0;

  /** True when the refusal is to have a line. `what` is as in `Repeats`. */
  admits(what: string, utc: number): boolean {
    const known = this.kinds.get(what);
    const counted = known ?? this.begin(this.kinds.size < MOST_KINDS ? what : OTHERS, utc);
    if (counted.lines < LINES_EACH && this.lines < LINES_ALL) {
      counted.lines += 1;
      this.lines += 1;
      return true;
    }
    counted.first = counted.count === 0 ? utc : counted.first;
    counted.count += 1;
    counted.last = utc;
    return false;
  }

  /** The counts of the minute that is over; empty while it runs, unless the service `ends`. */
  due(utc: number, ends: boolean): Repeats[] {
    const minute = Math.floor(utc / MINUTE_MS);
    if (minute === this.minute && !ends) return [];
    const repeats = Array.from(this.kinds, ([what, { count, first, last }]) => ({ what, count, first, last }));
    this.kinds.clear();
    this.lines = 0;
    this.minute = minute;
    return repeats.filter(({ count }) => count > 0);
  }

  private begin(what: string, utc: number): Counted {
    const counted = this.kinds.get(what) ?? { lines: 0, count: 0, first: utc, last: utc };
    this.kinds.set(what, counted);
    return counted;
  }
}
