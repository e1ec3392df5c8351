/**
 * Searches the audit trail for an operator: by user, time, order and kind. It reads lines as they state themselves;
 * `verify-trail.ts` checks whether they are as they were written.
 */

import { join } from 'node:path';
import { type IstDay, istDay, type WallMs } from '../../base/time.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { dayFile, endOfLines, linesAt, linesBackward, trailDays } from '../trail-file.ts';
import { asciiJson, KINDS, type Kind, readLine, type TrailLine } from '../trail-line.ts';
import type { DayIndex } from './day-index.ts';

/** A search. An absent field matches everything. `from` and `to` are wall times, both included. */
export interface TrailQuery {
  readonly user?: string;
  readonly from?: WallMs;
  readonly to?: WallMs;
  readonly order?: number;
  readonly kind?: Kind;
}

/** The kind of that name, in upper or lower case. */
export function kindNamed(name: string): Kind | undefined {
  return KINDS.find((kind) => kind.toLowerCase() === name.toLowerCase());
}

/**
 * The lines that match a query, in order. Days that cannot match are skipped: by their date, and by the index in the
 * last line of their file.
 */
export function* searchTrail(disk: Disk, folder: string, query: TrailQuery): Iterable<TrailLine> {
  const needles = needlesOf(query);
  for (const day of trailDays(disk, folder)) {
    if (!isInside(day, query)) continue;
    const path = join(folder, dayFile(day));
    const index = indexAt(disk, path);
    if (index !== undefined && !mayHold(index, query)) continue;
    for (const { text, whole } of linesAt(disk, path)) {
      if (!whole || !needles.every((needle) => text.includes(needle))) continue;
      const line = readLine(text);
      if (typeof line !== 'string' && matches(line, query)) yield line;
    }
  }
}

/** Texts that every matching line contains, so that few lines have to be parsed as JSON. */
function needlesOf({ user, order, kind }: TrailQuery): string[] {
  const needles: string[] = [];
  if (user !== undefined) needles.push(`"user":${asciiJson(user)}`);
  if (order !== undefined) needles.push(`"order":${order}`);
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

function matches({ utc, user, order, kind }: TrailLine, query: TrailQuery): boolean {
  return (
    (query.user === undefined || query.user === user) &&
    (query.order === undefined || query.order === order) &&
    (query.kind === undefined || query.kind === kind) &&
    (query.from === undefined || utc >= query.from) &&
    (query.to === undefined || utc <= query.to)
  );
}
