/** The rows of the order list: which of them are shown, in which order, and their texts. */
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import { wireTime } from '../../../../client/src/times.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';
import { isOver } from '../../orders/changing.ts';
import { statusWord, TYPE_WORDS } from '../../orders/words.ts';
import { instrumentWords } from '../../text/instrument-words.ts';

export const FILTERS = ['all', 'open', 'done', 'refused'] as const;
export type Filter = (typeof FILTERS)[number];

export const FILTER_WORDS: Readonly<Record<Filter, string>> = {
  all: 'All',
  open: 'Open',
  done: 'Done',
  refused: 'Refused',
};

function isOf(row: OrderRow, filter: Filter): boolean {
  if (filter === 'all') return true;
  if (filter === 'refused') return row.status === 'REJECTED';
  return filter === 'open' ? !isOver(row) : isOver(row);
}

/** The rows of a filter that have all words of a text, newest first. */
export function shownRows(rows: readonly OrderRow[], filter: Filter, text: string): readonly OrderRow[] {
  const words = text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const shown: OrderRow[] = [];
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (row !== undefined && isOf(row, filter) && hasWords(row, words)) shown.push(row);
  }
  return shown;
}

function hasWords(row: OrderRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { exchange, tradingSymbol, orderNumber, remarks, status, priceType, strategyId = '' } = row;
  const text = [
    exchange,
    tradingSymbol,
    instrumentWords(tradingSymbol).name,
    orderNumber,
    remarks,
    statusWord(status),
    TYPE_WORDS[priceType],
    strategyId,
  ];
  const haystack = text.join(' ').toLowerCase();
  return words.every((word) => haystack.includes(word));
}

/** How many rows each filter has. */
export function countsOf(rows: readonly OrderRow[]): Readonly<Record<Filter, number>> {
  const counts = { all: rows.length, open: 0, done: 0, refused: 0 };
  for (const row of rows) {
    if (isOver(row)) counts.done += 1;
    else counts.open += 1;
    if (row.status === 'REJECTED') counts.refused += 1;
  }
  return counts;
}

/** `14:05:09`, IST, of the seconds since 1970 that the order book has. */
export function timeText({ orderTime }: Pick<OrderRow, 'orderTime'>): string {
  return wireTime(new Date(Number(orderTime) * 1_000)).slice(0, 8);
}

/** Filled and whole quantity: `5 / 10`. */
export function filledText({ fillShares, quantity }: OrderRow): string {
  return `${fillShares === '' ? '0' : fillShares} / ${quantity}`;
}

/** The chosen numbers of which the order is still open, in the order of the rows. */
export function openAmong(rows: readonly OrderRow[], chosen: ReadonlySet<OrderNumber>): readonly OrderNumber[] {
  return rows.filter((row) => chosen.has(row.orderNumber) && !isOver(row)).map(({ orderNumber }) => orderNumber);
}
