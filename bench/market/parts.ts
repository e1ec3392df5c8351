import type { Figures } from './figures.ts';
import { dayRows, minuteRows, secondRows } from './path-rows.ts';
import type { Span } from './span.ts';
import type { Subject } from './subject.ts';

/** The parts that can be measured by themselves. */
export const PARTS = {
  days: dayRows,
  minutes: minuteRows,
  seconds: secondRows,
} as const satisfies Readonly<Record<string, (subject: Subject, span: Span) => Figures>>;

export type PartName = keyof typeof PARTS;
