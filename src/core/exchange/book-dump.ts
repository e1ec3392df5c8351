import type { OrderNumber, Tick } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { Side } from '../order.ts';
import type { Book } from './book.ts';
import { aheadOf } from './level.ts';
import type { TakenRow } from './taken-depth.ts';

/** A resting order: all else of it is the order's own. */
export type RestingRow = readonly [number: OrderNumber, ahead: Quantity];

/** A book as plain JSON values: orders in the order in which they would trade, stops in the order of their turns. */
export interface BookDump {
  readonly buys: readonly RestingRow[];
  readonly sells: readonly RestingRow[];
  readonly stops: readonly OrderNumber[];
  readonly taken: readonly TakenRow[];
  readonly lastTrade: readonly [tick: Tick, price: Price] | null;
}

export function dumpBook(book: Book, taken: readonly TakenRow[]): BookDump {
  const { lastTrade } = book;
  return {
    buys: restingRows(book, 'B'),
    sells: restingRows(book, 'S'),
    stops: book.armedStops().map(({ number }) => number),
    taken,
    lastTrade: lastTrade === undefined ? null : [lastTrade.tick, lastTrade.price],
  };
}

function restingRows(book: Book, side: Side): RestingRow[] {
  return Array.from(book.queue(side), (order) => [order.number, aheadOf(order)]);
}
