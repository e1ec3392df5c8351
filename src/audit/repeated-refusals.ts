/**
 * Keeps a flood of refused requests from filling the disk. In each minute the first refusals of each kind get lines of
 * their own, up to a total; the others are only counted. Callers who are not logged in have one allowance together, and
 * refusals for too many requests belong to it. Each user has an allowance of his own.
 */

import type { AccountId } from '../base/ids.ts';
import { MINUTE_MS } from '../base/time.ts';

/** The lines that refusals get in a minute. */
interface Allowance {
  /** Of each kind. */
  readonly each: number;
  /** Over all kinds. */
  readonly all: number;
  /** Kinds that are counted separately; further kinds are counted together. */
  readonly kinds: number;
  /** The words of the further kinds. */
  readonly others: string;
}

const OF_STRANGERS: Allowance = { each: 20, all: 600, kinds: 500, others: '"op":"others"' };
const OF_A_USER: Omit<Allowance, 'others'> = { each: 600, all: 600, kinds: 50 };

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
  private readonly allowance: Allowance;
  private readonly kinds = new Map<string, Counted>();
  private minute = 0;
  private lines = 0;

  constructor(allowance: Allowance = OF_STRANGERS) {
    this.allowance = allowance;
  }

  /** True when the refusal is to have a line, as far as there is room for one. `what` is as in `Repeats`. */
  admits(what: string, utc: number, hasRoom: boolean): boolean {
    const { each, all, kinds, others } = this.allowance;
    const known = this.kinds.get(what);
    const counted = known ?? this.begin(this.kinds.size < kinds ? what : others, utc);
    if (hasRoom && counted.lines < each && this.lines < all) {
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

/** As `RepeatedRefusals`, with an allowance for each user. */
export class UserRefusals {
  private readonly users = new Map<AccountId, RepeatedRefusals>();
  private minute = 0;

  /** As of `RepeatedRefusals`. `user`: the words of a line that name the user. */
  admits(account: AccountId, user: string, what: string, utc: number, hasRoom: boolean): boolean {
    let refusals = this.users.get(account);
    if (refusals === undefined) {
      refusals = new RepeatedRefusals({ ...OF_A_USER, others: `"op":"others"${user}` });
      this.users.set(account, refusals);
    }
    return refusals.admits(what, utc, hasRoom);
  }

  /** As of `RepeatedRefusals`. */
  due(utc: number, ends: boolean): Repeats[] {
    const minute = Math.floor(utc / MINUTE_MS);
    if (minute === this.minute && !ends) return [];
    const repeats = Array.from(this.users.values()).flatMap((refusals) => refusals.due(utc, true));
    this.users.clear();
    this.minute = minute;
    return repeats;
  }
}
