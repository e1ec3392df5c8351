import type { AccountId, OrderNumber, Tick } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { Side } from '../order.ts';
import type { AuctionBook, AuctionDump } from './auction/auction-book.ts';
import type { BookStore } from './book-store.ts';
import type { Handle } from './handle.ts';
import type { Phase } from './phase.ts';
import type { RecentRow } from './recent-trades.ts';
import type { StopTerms } from './stops.ts';
import type { TakenRow } from './taken-depth.ts';

export type RestingRow = readonly [
  number: OrderNumber,
  account: AccountId,
  price: Price,
  remaining: Quantity,
  ahead: Quantity,
];
export type StopRow = readonly [number: OrderNumber, account: AccountId, side: Side, trigger: Price];

/** A book as plain JSON values: orders in the order in which they would trade, stops in the order of arming. */
export interface BookDump {
  readonly phase: Phase;
  readonly buys: readonly RestingRow[];
  readonly sells: readonly RestingRow[];
  readonly stops: readonly StopRow[];
  readonly taken: readonly TakenRow[];
  readonly lastTrade: readonly [tick: Tick, price: Price] | null;
  readonly recent: readonly RecentRow[];
  /** The orders that gather for an auction; only while they do. */
  readonly auction?: AuctionDump;
}

/** The side of a book that its dump is made from. */
interface DumpedBook {
  readonly store: BookStore;
  readonly phase: Phase;
  readonly lastTrade: { readonly tick: Tick; readonly price: Price } | undefined;
  readonly auction: AuctionBook | undefined;
  ordersOf(side: Side): Iterable<Handle>;
  priceOf(handle: Handle): Price;
  aheadAt(handle: Handle): Quantity;
  armedStops(): readonly StopTerms[];
}

export function dumpBook(book: DumpedBook, taken: readonly TakenRow[], recent: readonly RecentRow[]): BookDump {
  const { lastTrade } = book;
  return {
    phase: book.phase,
    buys: restingRows(book, 'B'),
    sells: restingRows(book, 'S'),
    stops: book.armedStops().map(({ number, account, side, trigger }) => [number, account, side, trigger]),
    taken,
    lastTrade: lastTrade === undefined ? null : [lastTrade.tick, lastTrade.price],
    recent,
    ...(book.auction === undefined ? {} : { auction: book.auction.dump() }),
  };
}

function restingRows(book: DumpedBook, side: Side): RestingRow[] {
  const { orders } = book.store;
  const rows: RestingRow[] = [];
  for (const handle of book.ordersOf(side)) {
    const [price, ahead] = [book.priceOf(handle), book.aheadAt(handle)];
    rows.push([orders.number(handle), orders.account(handle), price, orders.remaining(handle), ahead]);
  }
  return rows;
}
