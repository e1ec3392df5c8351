/** Says what the milliseconds of a placement were. */

import {
  type SentPlacement,
  type ServedPlacement,
  type Stretch,
  type WaitSample,
  WORK,
  type WorkKind,
} from './steps.ts';

/** The parts of a placement's time, in their order; work of another kind in one of them is counted as that work. */
export const PARTS = [
  'load is late',
  'to the service',
  'turn of its client',
  'decision',
  'flush before',
  'own flush',
  'release',
  'back',
] as const;
export type Part = (typeof PARTS)[number];

/** A processor that was not there: it is part of other causes, and the cause where it is half of the whole time. */
export const NO_PROCESSOR = 'no processor';
export type Cause = Part | WorkKind | typeof NO_PROCESSOR;

export interface Explained {
  readonly took: number;
  /** Milliseconds by part or work: their sum is the whole time. */
  readonly spent: ReadonlyMap<Part | WorkKind, number>;
  /** For how much of it the main thread of the service waited for a processor. */
  readonly waited: number;
  readonly cause: Cause;
}

/** `work` and `waits` are ascending. */
export function explain(
  sent: SentPlacement,
  served: ServedPlacement,
  work: readonly Stretch[],
  waits: readonly WaitSample[],
): Explained {
  const { entered, run, recorded, flushing, durable, answered } = served;
  const ends = [sent.sent, entered, run, recorded, flushing, durable, answered, sent.received];
  const spent = new Map<Part | WorkKind, number>();
  const add = (cause: Part | WorkKind, ms: number): void => {
    if (ms > 0) spent.set(cause, (spent.get(cause) ?? 0) + ms);
  };
  let from = sent.due;
  for (const [index, part] of PARTS.entries()) {
    const to = Math.max(from, ends[index] as number);
    const others = part === 'load is late' || part === 'back' ? [] : overlaps(work, from, to);
    for (const { kind, ms } of others) add(kind, ms);
    add(part, to - from - others.reduce((sum, { ms }) => sum + ms, 0));
    from = to;
  }
  const took = from - sent.due;
  const waited = waitAt(waits, answered) - waitAt(waits, sent.sent);
  const [longest = ['back', 0]] = [...spent].sort(([, one], [, other]) => other - one);
  return { took, spent, waited, cause: waited > took / 2 ? NO_PROCESSOR : longest[0] };
}

/** The milliseconds of work between two instants. Time that two kinds share counts as the one that is named first. */
function overlaps(work: readonly Stretch[], from: number, to: number): { kind: WorkKind; ms: number }[] {
  const found: { kind: WorkKind; ms: number }[] = [];
  const taken: [number, number][] = [];
  for (const kind of WORK) {
    let ms = 0;
    for (const stretch of work) {
      if (stretch.from >= to) break;
      if (stretch.kind !== kind || stretch.to <= from) continue;
      const part: [number, number] = [Math.max(from, stretch.from), Math.min(to, stretch.to)];
      const shared = taken.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, part[1]) - Math.max(a, part[0])), 0);
      ms += Math.max(0, part[1] - part[0] - shared);
      taken.push(part);
    }
    if (ms > 0) found.push({ kind, ms });
  }
  return found;
}

/** How long a stretch held the main thread, without the time in which that waited for a processor. */
export function heldMs({ from, to }: Stretch, waits: readonly WaitSample[]): number {
  return Math.max(0, to - from - (waitAt(waits, to) - waitAt(waits, from)));
}

/** The wait of the newest sample at or before an instant. */
function waitAt(waits: readonly WaitSample[], at: number): number {
  let low = 0;
  let high = waits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((waits[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return waits[Math.max(0, low - 1)]?.[1] ?? 0;
}
