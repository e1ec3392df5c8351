import { bookRows } from './book-rows.ts';
import type { Figures } from './figures.ts';
import { futureRows } from './future-rows.ts';
import { optionRows } from './option-rows.ts';
import { dayRows, minuteRows, secondRows } from './path-rows.ts';
import { printRows } from './print-rows.ts';
import type { Span } from './span.ts';
import type { Subject } from './subject.ts';
import { volumeRows } from './volume-rows.ts';

/** The parts that can be measured by themselves. */
export const PARTS = {
  days: dayRows,
  minutes: minuteRows,
  seconds: secondRows,
  volumes: volumeRows,
  prints: printRows,
  books: bookRows,
  options: optionRows,
  futures: futureRows,
} as const satisfies Readonly<Record<string, (subject: Subject, span: Span) => Figures>>;

export type PartName = keyof typeof PARTS;
