/**
 * The audit trail as text for people: rows of a table (CSV),
 * and single lines for a terminal.
 */

import { withoutControls } from '../../base/printable.ts';
import type { TrailLine } from '../trail-line.ts';

const COLUMNS = [
  'n',
  'utc',
  'at',
  'kind',
  'op',
  'user',
  'address',
  'session',
  'vendor',
  'key',
  'by',
  'why',
  'what',
  'order',
  'seq',
  'code',
  'rule',
  'name',
  'field',
  'message',
  'count',
  'hash',
] as const;
const NEEDS_QUOTES = /[",\n\r]/;
/** Text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t]/;

/** The first row of a table of lines. */
export const CSV_HEAD = COLUMNS.join(',');

/** A line as a row: times as ISO text in UTC; fields without a column are left out. */
export function csvRow(line: TrailLine): string {
  return COLUMNS.map((column) => cell(column, line[column])).join(',');
}

/**
 * A line as text for a reader. Control characters are escaped, so that it stays one line and cannot control a terminal.
 */
export function lineText(line: TrailLine): string {
  const { n, utc, kind, hash: _hash, at: _at, ...rest } = line;
  const words = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return withoutControls([String(n), isoText(utc), kind, ...words].join(' '));
}

function cell(column: (typeof COLUMNS)[number], value: unknown): string {
  if (value === undefined || value === null) return '';
  if ((column === 'utc' || column === 'at') && typeof value === 'number') return isoText(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isoText(at: number): string {
  return new Date(at).toISOString();
}
