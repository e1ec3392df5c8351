import type { TrailLine } from '../trail-line.ts';

/** The contents of a day's file, as its last line states them. A search can skip a day by it. */
export interface DayIndex {
  readonly lines: number;
  /** How many lines each kind, and each user, has. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly users: Readonly<Record<string, number>>;
  /**
   * The lowest and the highest order number, and record of the journal, that lines name; absent when no line names one.
   */
  readonly orders?: readonly [number, number];
  readonly seqs?: readonly [number, number];
}

/** Builds an index line by line. */
export class IndexTally {
  private lines = 0;
  private readonly kinds = new Map<string, number>();
  private readonly users = new Map<string, number>();
  private orders: [number, number] | undefined;
  private seqs: [number, number] | undefined;

  add({ kind, user, order, seq }: TrailLine): void {
    this.lines += 1;
    count(this.kinds, kind);
    if (user !== undefined) count(this.users, user);
    if (order !== undefined) this.orders = widened(this.orders, order);
    if (seq !== undefined) this.seqs = widened(this.seqs, seq);
  }

  index(): DayIndex {
    return {
      lines: this.lines,
      kinds: Object.fromEntries(this.kinds),
      users: Object.fromEntries(this.users),
      ...(this.orders && { orders: this.orders }),
      ...(this.seqs && { seqs: this.seqs }),
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function widened(range: [number, number] | undefined, value: number): [number, number] {
  return range === undefined ? [value, value] : [Math.min(range[0], value), Math.max(range[1], value)];
}
