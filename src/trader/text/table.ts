/**
 * Tables for people: columns that line up, numbers on the right, and in a narrow terminal the columns that matter most.
 */
import { withoutControls } from '../../base/printable.ts';
import { type Paint, PLAIN, type Tone } from './paint.ts';

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Numbers stand on the right. */
  readonly isNumber?: true;
  /**
   * Columns of the highest rank are left out first where the terminal is too narrow, those without a text before all
   * others; 0 always stays.
   */
  readonly rank?: number;
  /** The last column of a table may take the room that is left and be cut. */
  readonly isCut?: true;
}

/** A cell, with its tone if it has one. */
export type Cell = string | { readonly text: string; readonly tone: Tone | undefined };

/** The terminal that a table is made for; without `columns` it is as wide as it needs to be. */
export interface Page {
  readonly columns?: number | undefined;
  readonly paint?: Paint;
}

const GAP = '  ';
/** A column that is cut has this width at least. */
const LEAST_CUT = 12;

/** The table as lines. Characters that steer a terminal are shown as their escapes: answers hold what people typed. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], page: Page = {}): string {
  const { paint = PLAIN } = page;
  const texts = rows.map((row) => row.map(textOf));
  const widths = columns.map(({ title, isCut }, at) => {
    const longest = Math.max(title.length, ...texts.map((row) => row[at]?.length ?? 0));
    return isCut && page.columns !== undefined ? Math.min(longest, LEAST_CUT) : longest;
  });
  const isBlank = (at: number): boolean => texts.every((row) => (row[at] ?? '') === '');
  const shown = shownColumns(columns, widths, page.columns, isBlank);
  const room = roomBehind(shown, widths, page.columns);
  const line = (cells: readonly string[], toneAt: (at: number) => Tone | undefined): string => {
    const padded = shown.map((at, place) => {
      const isLast = place === shown.length - 1;
      const whole = fitted(cells[at] ?? '', widths[at] ?? 0, columns[at]?.isNumber ?? false, isLast);
      const text = columns[at]?.isCut ? cut(whole, room + (widths[at] ?? 0)) : whole;
      return painted(text, toneAt(at), paint);
    });
    return padded.join(GAP).trimEnd();
  };
  const head = line(
    columns.map(({ title }) => title),
    () => 'faint',
  );
  return [head, ...rows.map((row, index) => line(texts[index] ?? [], (at) => toneIn(row[at])))].join('\n');
}

/** The text of a cell, on one line. */
function textOf(cell: Cell): string {
  return withoutControls(typeof cell === 'string' ? cell : cell.text);
}

function toneIn(cell: Cell | undefined): Tone | undefined {
  return typeof cell === 'object' ? cell.tone : undefined;
}

/** The places of the columns that fit. */
export function shownColumns(
  columns: readonly Column[],
  widths: readonly number[],
  most = Number.POSITIVE_INFINITY,
  isBlank: (at: number) => boolean = () => false,
): readonly number[] {
  let shown = columns.map((_, at) => at);
  const width = (): number => shown.reduce((sum, at) => sum + (widths[at] ?? 0) + GAP.length, -GAP.length);
  const rankOf = (at: number): number => columns[at]?.rank ?? 0;
  while (width() > most) {
    const spare = shown.filter((at) => rankOf(at) > 0);
    const blank = spare.filter(isBlank);
    const among = blank.length > 0 ? blank : spare;
    const highest = Math.max(...among.map(rankOf));
    const dropped = among.findLast((at) => rankOf(at) === highest);
    if (dropped === undefined) break;
    shown = shown.filter((at) => at !== dropped);
  }
  return shown;
}

/** The columns of the terminal after the table. */
function roomBehind(shown: readonly number[], widths: readonly number[], most = Number.POSITIVE_INFINITY): number {
  return most - shown.reduce((sum, at) => sum + (widths[at] ?? 0) + GAP.length, -GAP.length);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Text with its padding outside of the colour, so that a flash covers the figure alone. */
export function painted(padded: string, tone: Tone | undefined, paint: Paint): string {
  const text = padded.trim();
  if (tone === undefined || text === '') return padded;
  const front = padded.length - padded.trimStart().length;
  return padded.slice(0, front) + paint(text, tone) + padded.slice(front + text.length);
}

function fitted(text: string, width: number, isNumber: boolean, isLast: boolean): string {
  if (isNumber) return text.padStart(width);
  return isLast ? text : text.padEnd(width);
}

/** Names with their values, a line each: names on the left, values that are numbers on the right. */
export function pairs(rows: readonly (readonly [name: string, value: Cell, note?: string])[], paint: Paint): string {
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const values = rows.map(([, value]) => textOf(value));
  const aligned = (text: string): string => (isFigure(text) && !text.includes('.') ? `${text}   ` : text);
  const valueWidth = Math.max(0, ...values.filter(isFigure).map((text) => aligned(text).length));
  const lines = rows.map(([name, value, note]) => {
    const text = textOf(value);
    const padded = isFigure(text) ? aligned(text).padStart(valueWidth).trimEnd() : text;
    const behind = note === undefined || note === '' ? '' : `${GAP}${paint(withoutControls(note), 'faint')}`;
    return `  ${name.padEnd(nameWidth)}${GAP}${painted(padded, toneIn(value), paint)}${behind}`;
  });
  return lines.join('\n');
}

function isFigure(text: string): boolean {
  return /^[+-]?\d[\d,]*(\.\d+)?$/.test(text);
}
