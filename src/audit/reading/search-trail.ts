/**
 * Searches the audit trail for an operator: by user, time, order, operation and kind, from its beginning or from its
 * end. It reads lines as they state themselves; `verify-trail.ts` checks whether they are as they were written.
 */

import { join } from 'node:path';
import { type IstDay, istDay } from '../../base/time.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import type { FoundLines, TrailQuestion, TrailSearch } from '../port.ts';
import { dayFile, endOfLines, linesAt, linesBackward, trailDays } from '../trail-file.ts';
import { asciiJson, KINDS, type Kind, readLine, type TrailLine } from '../trail-line.ts';
import type { DayIndex } from './day-index.ts';

/** After this number of lines a reading from the end looks at the clock. */
const LINES_BETWEEN_LOOKS = 1_000;

/** A search whose kind is known to be one. */
export interface TrailQuery extends TrailSearch {
  readonly kind?: Kind;
}

/** How much of the trail one reading from its end may take. */
interface ReadingBounds extends Pick<TrailQuestion, 'before' | 'most'> {
  /** True when the reading has taken its time. */
  readonly isOver: () => boolean;
}

/** The kind of that name, in upper or lower case. */
export function kindNamed(name: string): Kind | undefined {
  return KINDS.find((kind) => kind.toLowerCase() === name.toLowerCase());
}

/** The lines that match a query, in order. */
export function* searchTrail(disk: Disk, folder: string, query: TrailQuery): Iterable<TrailLine> {
  const needles = needlesOf(query);
  for (const path of pathsOf(disk, folder, trailDays(disk, folder), query)) {
    for (const { text, whole } of linesAt(disk, path)) {
      if (!whole || !needles.every((needle) => text.includes(needle))) continue;
      const line = readLine(text);
      if (typeof line !== 'string' && matches(line, query)) yield line;
    }
  }
}

/** The newest lines that match a query. A reading that is over before the trail is says how far it came. */
export function newestLines(disk: Disk, folder: string, query: TrailQuery, bounds: ReadingBounds): FoundLines {
  const { before = Number.POSITIVE_INFINITY, most, isOver } = bounds;
  const needles = needlesOf(query);
  const lines: TrailLine[] = [];
  let looked = 0;
  for (const text of linesFromEnd(disk, folder, query, before)) {
    looked += 1;
    const isDue = looked % LINES_BETWEEN_LOOKS === 0 && isOver();
    const line = isDue || needles.every((needle) => text.includes(needle)) ? readLine(text) : '';
    if (typeof line === 'string') continue;
    if (line.n < before && matches(line, query)) lines.push(line);
    if (lines.length >= most || (isDue && line.n < before)) return line.n > 1 ? { lines, reached: line.n } : { lines };
  }
  return { lines };
}

/** The whole lines of the days that can match a query and have a line before that number, the newest first. */
function* linesFromEnd(disk: Disk, folder: string, query: TrailQuery, before: number): Iterable<string> {
  for (const path of pathsOf(disk, folder, trailDays(disk, folder).reverse(), query)) {
    if (firstNumber(disk, path) >= before) continue;
    const file = disk.open(path, 'read');
    try {
      yield* linesBackward(file, endOfLines(file));
    } finally {
      file.close();
    }
  }
}

/**
 * The files of the days that can match a query. The others are skipped: by their date, and by the index in their last
 * line.
 */
function* pathsOf(disk: Disk, folder: string, days: readonly IstDay[], query: TrailQuery): Iterable<string> {
  for (const day of days) {
    if (!isInside(day, query)) continue;
    const path = join(folder, dayFile(day));
    const index = indexAt(disk, path);
    if (index === undefined || mayHold(index, query)) yield path;
  }
}

/** The number of the first line of a file; 0 when it has none. */
function firstNumber(disk: Disk, path: string): number {
  for (const { text } of linesAt(disk, path)) {
    const line = readLine(text);
    return typeof line === 'string' ? 0 : line.n;
  }
  return 0;
}

/** Texts that every matching line contains, so that few lines have to be parsed as JSON. */
function needlesOf({ user, order, op, kind }: TrailQuery): string[] {
  const needles: string[] = [];
  if (user !== undefined) needles.push(`"user":${asciiJson(user)}`);
  if (order !== undefined) needles.push(`"order":${order}`);
  if (op !== undefined) needles.push(`"op":${asciiJson(op)}`);
  if (kind !== undefined) needles.push(`"kind":"${kind}"`);
  return needles;
}

function isInside(day: IstDay, { from, to }: TrailQuery): boolean {
  return (from === undefined || day >= istDay(from)) && (to === undefined || day <= istDay(to));
}

/** The index of a day that is over; `undefined` for a day without its closing line. */
function indexAt(disk: Disk, path: string): DayIndex | undefined {
  const file = disk.open(path, 'read');
  try {
    for (const text of linesBackward(file, endOfLines(file))) {
      const line = readLine(text);
      return typeof line !== 'string' && line.kind === 'Close' ? (line.index as DayIndex) : undefined;
    }
    return undefined;
  } finally {
    file.close();
  }
}

function mayHold({ kinds, users, orders }: DayIndex, { user, order, kind }: TrailQuery): boolean {
  if (user !== undefined && !Object.hasOwn(users, user)) return false;
  // An index does not count the closing line that holds it.
  if (kind !== undefined && kind !== 'Close' && !Object.hasOwn(kinds, kind)) return false;
  return order === undefined || (orders !== undefined && order >= orders[0] && order <= orders[1]);
}

function matches({ utc, user, order, op, kind }: TrailLine, query: TrailQuery): boolean {
  return (
    (query.user === undefined || query.user === user) &&
    (query.order === undefined || query.order === order) &&
    (query.op === undefined || query.op === op) &&
    (query.kind === undefined || query.kind === kind) &&
    (query.from === undefined || utc >= query.from) &&
    (query.to === undefined || utc <= query.to)
  );
}
