import { must } from '../../base/assert.ts';
import type { IstDay } from '../../base/time.ts';

/** A rule that holds from a day on, until a later entry of the same table replaces it. */
export interface Dated {
  readonly from: IstDay;
}

/** The entry in force on `day`; the earliest one for the days before it. The entries ascend by `from`. */
export function effectiveOn<T extends Dated>(entries: readonly T[], day: IstDay): T {
  let found = must(entries[0], 'a dated table without entries');
  for (const entry of entries) {
    if (entry.from > day) break;
    found = entry;
  }
  return found;
}

/** The entries of each key, ascending by `from`. */
export function byKey<T extends Dated>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.from - b.from);
  return groups;
}

/**
 * The values of dated rows by day, made once for each day on which a row begins. All are made at once: a table with a
 * gap is found as it is read.
 */
export class ByChange<Value> {
  /** Ascending. */
  private readonly changes: readonly IstDay[];
  private readonly made = new Map<IstDay | undefined, Value>();
  private readonly make: (day: IstDay) => Value;

  constructor(days: Iterable<IstDay>, make: (day: IstDay) => Value) {
    this.changes = [...new Set(days)].sort((a, b) => a - b);
    this.make = make;
    for (const change of this.changes) this.on(change);
  }

  on(day: IstDay): Value {
    const change = this.changes.findLast((from) => from <= day);
    const known = this.made.get(change);
    if (known !== undefined) return known;
    const value = this.make(change ?? day);
    this.made.set(change, value);
    return value;
  }
}
