import { MINUTE_MS } from '../base/time.ts';

/** Refusals of one kind in a minute that have a line each. */
const LINES_EACH = 20;
/** Lines of refusals in a minute, of all kinds. */
const LINES_ALL = 600;
/** Kinds that are counted apart in a minute; the others are counted together. */
const MOST_KINDS = 500;
const OTHERS = 'others';

/** Refusals of one kind that have no line of their own. */
export interface Repeats {
  /** What they have in common: a piece of a line. */
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
 * Says which refusals of whoever is not logged in have a line and counts the others, so that a flood does not fill the
 * disk: in each minute the first of each kind have lines, up to a number of all of them. A kind is what was refused, by
 * what, from where.
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

  /** What was counted in the minute that is over; nothing while it runs, unless the service `ends`. */
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
