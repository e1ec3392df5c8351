/** The rows of the positions: each underlying with its sums from the service, and its positions below it. */
import type { Product, Side } from '../../../../client/src/generated/operations.ts';
import type { NewOrder } from '../../../../client/src/orders.ts';
import type { OrderRow, PositionRow, ResultsData } from '../../../../client/src/wire.ts';
import { isOver } from '../../orders/changing.ts';

export type PositionResult = ResultsData['rows'][number];
type UnderlyingResult = ResultsData['underlyings'][number];
/** The parts of a position that closing it needs: the results have them, and so has the book of positions. */
export type Held = Pick<PositionResult, 'exchange' | 'tradingSymbol' | 'product' | 'netQuantity'>;

export type ShownRow =
  | { readonly kind: 'underlying'; readonly key: string; readonly row: UnderlyingResult; readonly isOpen: boolean }
  | { readonly kind: 'position'; readonly key: string; readonly row: PositionResult };

/** As the book of positions names its rows. */
export function keyOf({ exchange, tradingSymbol, product }: Held): string {
  return `${exchange}:${tradingSymbol}:${product}`;
}

/**
 * Underlyings in the order of their first positions; `closed` ones hide theirs. One with a single position needs no row
 * of its own: its result is that of the position.
 */
export function shownRows({ rows, underlyings }: ResultsData, closed: ReadonlySet<string>): readonly ShownRow[] {
  const of = Map.groupBy(rows, ({ underlying }) => underlying);
  return underlyings.flatMap((row): ShownRow[] => {
    const { underlying } = row;
    const isOpen = !closed.has(underlying);
    const shown = (of.get(underlying) ?? []).map(shownPosition);
    if (shown.length === 1) return shown;
    return [{ kind: 'underlying', key: `underlying ${underlying}`, row, isOpen }, ...(isOpen ? shown : [])];
  });
}

function shownPosition(row: PositionResult): ShownRow {
  return { kind: 'position', key: keyOf(row), row };
}

export function isFlat({ netQuantity }: Held): boolean {
  return netQuantity === '0';
}

/** The side that a position stands on; a flat one on neither. */
export function sideOf(row: Held): Side | undefined {
  if (isFlat(row)) return undefined;
  return row.netQuantity.startsWith('-') ? 'S' : 'B';
}

function unitsOf({ netQuantity }: Held): number {
  return Math.abs(Number(netQuantity));
}

function closingSide(row: Held): Side {
  return sideOf(row) === 'S' ? 'B' : 'S';
}

/** The order that closes a position at the market or, with twice its units, turns it round. */
export function closingOrder(row: Held, times: 1 | 2 = 1): NewOrder {
  return {
    exchange: row.exchange,
    tradingSymbol: row.tradingSymbol,
    product: row.product,
    transactionType: closingSide(row),
    quantity: String(unitsOf(row) * times),
    priceType: 'MKT',
    price: '0',
    retention: 'DAY',
  } as NewOrder;
}

/** Purchases come first: they free margin that a sale may need. */
export function inClosingOrder(rows: readonly Held[]): readonly Held[] {
  return [...rows.filter((row) => sideOf(row) === 'S'), ...rows.filter((row) => sideOf(row) === 'B')];
}

/** The open orders of a position that would close it too. */
export function closingOrdersOf(row: Held, orders: readonly OrderRow[]): readonly OrderRow[] {
  const against = closingSide(row);
  return orders.filter(
    (order) =>
      order.exchange === row.exchange &&
      order.tradingSymbol === row.tradingSymbol &&
      order.product === row.product &&
      order.transactionType === against &&
      !isOver(order) &&
      order.status !== 'PENDING',
  );
}

/** A part of a position that can be converted, with the units of it that are open. */
export interface Convertible {
  readonly age: 'day' | 'carried';
  readonly units: string;
}

export function convertibleParts(row: PositionResult, book: PositionRow | undefined): readonly Convertible[] {
  if (book === undefined) return [];
  const isShort = sideOf(row) === 'S';
  const day = isShort ? book.daySellQuantity : book.dayBuyQuantity;
  const carried = isShort ? book.cfSellQty : book.cfBuyQty;
  const open = (units: string): string => String(Math.min(Number(units), unitsOf(row)));
  const parts: Convertible[] = [
    { age: 'day', units: open(day) },
    { age: 'carried', units: open(carried) },
  ];
  return parts.filter(({ units }) => units !== '0');
}

/** The products that a position may become: contracts I and M, shares delivery and intraday. */
export function otherProducts({ exchange, product }: PositionResult): readonly Product[] {
  if (exchange === 'NFO' || exchange === 'BFO') return product === 'M' ? ['I'] : ['M'];
  return product === 'C' ? ['I'] : ['C'];
}
