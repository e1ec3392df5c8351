/**
 * A book as plain JSON values, and these values read back. A fingerprint takes the whole book at once. A file takes it
 * row by row, since one book may have millions of orders. `Book.load` builds the book again.
 */

import { flag, type Json, list, nullable, oneOf, optional, pair, places, record, whole } from '../../../base/codec.ts';
import type { AccountId, OrderNumber, Tick } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Side } from '../../order.ts';
import { sideOf } from '../../snapshot/order-codec.ts';
import type { AuctionBook, AuctionDump, AuctionRow } from '../auction/auction-book.ts';
import type { StopTerms } from '../matching/stops.ts';
import { PHASES, type Phase } from '../phase.ts';
import type { BookStore } from './book-store.ts';
import type { Handle } from './handles.ts';
import type { RecentRow } from './recent-trades.ts';
import type { TakenRow } from './taken-depth.ts';

export type RestingRow = readonly [
  number: OrderNumber,
  account: AccountId,
  price: Price,
  remaining: Quantity,
  ahead: Quantity,
];
export type AsideRow = readonly [number: OrderNumber, remaining: Quantity];
export type StopRow = readonly [number: OrderNumber, account: AccountId, side: Side, trigger: Price];

/** Resting orders in the order in which they would trade, stops in the order of arming. */
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
  /** The orders that were set aside, in the order in which they were; only while there are some. */
  readonly aside?: readonly AsideRow[];
}

/** One order of a book, with the list of `BookDump` that it belongs to. */
export type BookRow =
  | readonly [list: 'buys' | 'sells', row: RestingRow]
  | readonly [list: 'stops', row: StopRow]
  | readonly [list: 'auction', row: AuctionRow]
  | readonly [list: 'aside', row: AsideRow];

/** The part of a book that its dump needs. */
export interface DumpedBook {
  readonly store: BookStore;
  readonly phase: Phase;
  readonly lastTrade: { readonly tick: Tick; readonly price: Price } | undefined;
  readonly auction: AuctionBook | undefined;
  ordersOf(side: Side): Iterable<Handle>;
  priceOf(handle: Handle): Price;
  aheadAt(handle: Handle): Quantity;
  armedStops(): readonly StopTerms[];
  asideOrders(): Iterable<AsideRow>;
}

/** A whole book. */
export function dumpBook(book: DumpedBook, taken: readonly TakenRow[], recent: readonly RecentRow[]): BookDump {
  const aside = [...book.asideOrders()];
  return {
    ...dumpWithoutOrders(book, taken, recent),
    buys: [...restingRows(book, 'B')],
    sells: [...restingRows(book, 'S')],
    stops: book.armedStops().map(stopRow),
    ...(book.auction === undefined ? {} : { auction: book.auction.dump() }),
    ...(aside.length === 0 ? {} : { aside }),
  };
}

/** The dump of a book without its orders: its lists of orders are empty. */
export function dumpWithoutOrders(
  { phase, lastTrade, auction }: DumpedBook,
  taken: readonly TakenRow[],
  recent: readonly RecentRow[],
): BookDump {
  return {
    phase,
    buys: [],
    sells: [],
    stops: [],
    taken,
    lastTrade: lastTrade === undefined ? null : [lastTrade.tick, lastTrade.price],
    recent,
    ...(auction === undefined ? {} : { auction: { matched: auction.matched, orders: [] } }),
  };
}

/** The orders of a book, one by one. */
export function* bookRows(book: DumpedBook): Generator<BookRow> {
  for (const row of restingRows(book, 'B')) yield ['buys', row];
  for (const row of restingRows(book, 'S')) yield ['sells', row];
  for (const stop of book.armedStops()) yield ['stops', stopRow(stop)];
  for (const row of book.auction?.rows() ?? []) yield ['auction', row];
  for (const row of book.asideOrders()) yield ['aside', row];
}

function* restingRows(book: DumpedBook, side: Side): Generator<RestingRow> {
  const { orders } = book.store;
  for (const handle of book.ordersOf(side)) {
    const [price, ahead] = [book.priceOf(handle), book.aheadAt(handle)];
    yield [orders.number(handle), orders.account(handle), price, orders.remaining(handle), ahead];
  }
}

function stopRow({ number, account, side, trigger }: StopTerms): StopRow {
  return [number, account, side, trigger];
}

/** Throws `Undecodable` when the value is not a dump of a book. */
export const decodeBook = record<BookDump>({
  phase: oneOf(...PHASES),
  buys: list(restingRowOf),
  sells: list(restingRowOf),
  stops: list(stopRowOf),
  taken: list(takenRowOf),
  lastTrade: nullable(pair(whole<Tick>, whole<Price>)),
  recent: list(recentRowOf),
  auction: optional(record<AuctionDump>({ matched: flag, orders: list(auctionRowOf) })),
  aside: optional(list(asideRowOf)),
});

const listOf = oneOf('buys', 'sells', 'stops', 'auction', 'aside');

/** Throws `Undecodable` when the value is not an order of a book. */
export function decodeBookRow(stored: Json | undefined, field: string): BookRow {
  const [name, row] = places(stored, field, 2);
  const into = listOf(name, field);
  if (into === 'aside') return [into, asideRowOf(row, field)];
  if (into === 'stops') return [into, stopRowOf(row, field)];
  return into === 'auction' ? [into, auctionRowOf(row, field)] : [into, restingRowOf(row, field)];
}

function restingRowOf(stored: Json | undefined, field: string): RestingRow {
  const row = places(stored, field, 5);
  return [
    whole(row[0], 'number'),
    whole(row[1], 'account'),
    whole(row[2], 'price'),
    whole(row[3], 'remaining'),
    whole(row[4], 'ahead'),
  ];
}

function asideRowOf(stored: Json | undefined, field: string): AsideRow {
  const row = places(stored, field, 2);
  return [whole(row[0], 'number'), whole(row[1], 'remaining')];
}

function stopRowOf(stored: Json | undefined, field: string): StopRow {
  const row = places(stored, field, 4);
  return [whole(row[0], 'number'), whole(row[1], 'account'), sideOf(row[2], 'side'), whole(row[3], 'trigger')];
}

function takenRowOf(stored: Json | undefined, field: string): TakenRow {
  const row = places(stored, field, 4);
  return [sideOf(row[0], 'side'), whole(row[1], 'price'), whole(row[2], 'generation'), whole(row[3], 'quantity')];
}

function recentRowOf(stored: Json | undefined, field: string): RecentRow {
  const row = places(stored, field, 3);
  return [whole(row[0], 'tick'), whole(row[1], 'quantity'), whole(row[2], 'value')];
}

const atMarketOf = oneOf(true);

function auctionRowOf(stored: Json | undefined, field: string): AuctionRow {
  const row = places(stored, field, 6, 7);
  const limited = [
    whole<OrderNumber>(row[0], 'number'),
    whole<AccountId>(row[1], 'account'),
    sideOf(row[2], 'side'),
    whole<Price>(row[3], 'price'),
    whole<Quantity>(row[4], 'remaining'),
    whole<Quantity>(row[5], 'ahead'),
  ] as const;
  return row.length === 6 ? limited : [...limited, atMarketOf(row[6], 'atMarket')];
}
