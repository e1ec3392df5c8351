/**
 * The grid of `sauda watch` as a picture: a line an instrument, prices coloured by the change since the previous close,
 * and a price that has just moved on a ground of its colour.
 */
import type { QuoteRow } from '../../../client/src/wire.ts';
import { withoutControls } from '../../base/printable.ts';
import { changeOf } from '../market/change.ts';
import { blankZero, grouped, signed, toneOf } from '../text/amounts.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { type Column, painted, shownColumns } from '../text/table.ts';
import type { Picture, PlacedText } from './screen.ts';

/** An instrument of the grid. */
export interface Watched {
  /** `NSE:ITC-EQ` */
  readonly name: string;
  /** The newest quote; nothing before the first has come. */
  readonly quote: QuoteRow | undefined;
  /** The move of the last price that is still shown. */
  readonly move: 'up' | 'down' | undefined;
}

/** The lines around the instruments, and the size of the terminal. */
export interface GridFrame {
  readonly title: string;
  /** The state of the connection, where it is not well. */
  readonly trouble: string;
  readonly columns: number;
  readonly rows: number;
  /** The first instrument that is shown. */
  readonly from: number;
  readonly paint: Paint;
}

const COLUMNS: readonly Column[] = [
  { title: 'instrument' },
  { title: 'last', isNumber: true },
  { title: 'change', isNumber: true, rank: 3 },
  { title: '%', isNumber: true },
  { title: 'bid', isNumber: true, rank: 1 },
  { title: 'ask', isNumber: true, rank: 1 },
  { title: 'bid units', isNumber: true, rank: 4 },
  { title: 'ask units', isNumber: true, rank: 4 },
  { title: 'volume', isNumber: true, rank: 2 },
  { title: 'low', isNumber: true, rank: 5 },
  { title: 'high', isNumber: true, rank: 5 },
  { title: 'interest', isNumber: true, rank: 6 },
];
/** Columns have the width of usual figures from the begin, so that they seldom move. */
const LEAST_WIDTHS = [12, 10, 8, 6, 10, 10, 9, 9, 11, 10, 10, 11];
const GAP = 2;
/** Lines above the instruments, and below. */
const HEAD_LINES = 2;
const FOOT_LINES = 1;
const HELP = 'q quits, arrows scroll';

/** How many instruments fit on a terminal of that height. */
export function roomOf(rows: number): number {
  return Math.max(1, rows - HEAD_LINES - FOOT_LINES);
}

export function gridPicture(watched: readonly Watched[], frame: GridFrame): Picture {
  const { paint, columns, rows, from } = frame;
  const shownRows = watched.slice(from, from + roomOf(rows));
  const texts = watched.map(textsOf);
  const widths = COLUMNS.map(({ title }, at) =>
    Math.max(title.length, LEAST_WIDTHS[at] ?? 0, ...texts.map((cells) => cells[at]?.length ?? 0)),
  );
  const shown = shownColumns(COLUMNS, widths, columns);
  const places = placesOf(shown, widths);
  const line = (row: number, cells: readonly string[], toneAt: (at: number) => Tone | undefined): PlacedText[] =>
    shown.map((at, index) => {
      const text = padded(cells[at] ?? '', widths[at] ?? 0, COLUMNS[at]?.isNumber ?? false, columns);
      return { row, column: places[index] ?? 0, text: painted(text, toneAt(at), paint) };
    });
  const titles = line(
    1,
    COLUMNS.map(({ title }) => title),
    () => 'faint',
  );
  const body = shownRows.flatMap((one, index) => {
    const cells = texts[from + index] ?? [];
    return line(HEAD_LINES + index, cells, (at) => toneIn(one, at));
  });
  const head = { row: 0, column: 0, text: headText(frame) };
  const foot = { row: rows - 1, column: 0, text: paint(footText(watched.length, frame), 'faint') };
  const layout = [columns, rows, from, ...shown, ...places, watched.length].join(' ');
  return { layout, cells: [head, ...titles, ...body, foot] };
}

function textsOf({ name, quote }: Watched): readonly string[] {
  if (quote === undefined) return [name, '...'];
  const { change, percent } = changeOf(quote);
  return [
    name,
    grouped(quote.lastTradedPrice),
    signed(change),
    signed(percent),
    blankZero(quote.bestBuyPrice1),
    blankZero(quote.bestSellPrice1),
    blankZero(quote.bestBuyQuantity1),
    blankZero(quote.bestSellQuantity1),
    blankZero(quote.volume),
    grouped(quote.dayLowPrice ?? ''),
    grouped(quote.dayHighPrice ?? ''),
    blankZero(quote.oi),
  ].map(withoutControls);
}

const LAST = 1;
const CHANGES: readonly number[] = [LAST, 2, 3];

function toneIn({ quote, move }: Watched, at: number): Tone | undefined {
  if (quote === undefined) return 'faint';
  if (!CHANGES.includes(at)) return undefined;
  if (at === LAST && move !== undefined) return move === 'up' ? 'flash-up' : 'flash-down';
  return toneOf(changeOf(quote).change);
}

function placesOf(shown: readonly number[], widths: readonly number[]): readonly number[] {
  let next = 0;
  return shown.map((at) => {
    const place = next;
    next += (widths[at] ?? 0) + GAP;
    return place;
  });
}

function padded(text: string, width: number, isNumber: boolean, most: number): string {
  return (isNumber ? text.padStart(width) : text.padEnd(width)).slice(0, most);
}

/** The title, or the trouble in its place, over the whole width. */
function headText({ title, trouble, columns, paint }: GridFrame): string {
  const text = (trouble === '' ? title : trouble).slice(0, columns - 1).padEnd(columns - 1);
  return paint(text, trouble === '' ? 'strong' : 'flash-down');
}

function footText(count: number, { from, rows, columns }: GridFrame): string {
  const last = Math.min(count, from + roomOf(rows));
  const range = last - from === count ? '' : `, ${from + 1} to ${last} of ${count}`;
  return `${HELP}${range}`.slice(0, columns - 1).padEnd(columns - 1);
}
