/**
 * The fills of the trading day by account, oldest first. A new day begins empty. They are rows of a log, as the steps
 * of the orders are, which stay longer in `order-history.ts`; in memory is one number for each fill. Source:
 * market-rules R3.34.
 */

import { type Complete, type Json, places, Undecodable, whole } from '../base/codec.ts';
import type { AccountId, InstrumentId, OrderNumber, TradeId } from '../base/ids.ts';
import { inMemory, type MakeStore } from '../base/logs/byte-log.ts';
import { PlacedRows, type Stretches } from '../base/logs/placed-rows.ts';
import { RowLog } from '../base/logs/row-log.ts';
import { lowerBound } from '../base/lower-bound.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import type { EpochMs } from '../base/time.ts';
import type { Event, Traded, TradeSide } from '../core/event.ts';
import { AccountTable } from '../core/portions/account-table.ts';
import type { GivenOrders } from './history/held-orders.ts';
import type { OrderHistory } from './order-history.ts';
import type { HistoryEntry } from './order-record.ts';

/** One side of a trade as its account sees it. Source: market-rules R3.35. */
export interface Fill {
  readonly trade: TradeId;
  readonly order: OrderNumber;
  readonly instrument: InstrumentId;
  readonly price: Price;
  readonly quantity: Quantity;
  /** Units of the order that were filled after this fill. */
  readonly filledSoFar: Quantity;
  readonly at: EpochMs;
  /** The row of its step in the history. */
  readonly row: number;
}

/** The numbers of a row, by their place. */
const FIELD = {
  trade: 0,
  order: 1,
  instrument: 2,
  price: 3,
  quantity: 4,
  filledSoFar: 5,
  at: 6,
  row: 7,
  account: 8,
} as const;

const WIDTH = 9;

/** The fills of one day in the order of their trades. */
class FillLog {
  private readonly log: RowLog;
  private readonly numbers = new Float64Array(WIDTH);

  constructor(makeStore: MakeStore) {
    this.log = new RowLog(WIDTH, makeStore());
  }

  get size(): number {
    return this.log.size;
  }

  /** Adds the next fill and returns its place. */
  add(account: AccountId, fill: Fill): number {
    const place = this.log.size;
    this.numbers[FIELD.trade] = fill.trade;
    this.numbers[FIELD.order] = fill.order;
    this.numbers[FIELD.instrument] = fill.instrument;
    this.numbers[FIELD.price] = fill.price;
    this.numbers[FIELD.quantity] = fill.quantity;
    this.numbers[FIELD.filledSoFar] = fill.filledSoFar;
    this.numbers[FIELD.at] = fill.at;
    this.numbers[FIELD.row] = fill.row;
    this.numbers[FIELD.account] = account;
    this.log.append(this.numbers, 0);
    return place;
  }

  read(place: number): Fill {
    this.load(place);
    return {
      trade: this.field('trade') as TradeId,
      order: this.field('order') as OrderNumber,
      instrument: this.field('instrument') as InstrumentId,
      price: this.field('price') as Price,
      quantity: this.field('quantity') as Quantity,
      filledSoFar: this.field('filledSoFar') as Quantity,
      at: this.field('at') as EpochMs,
      row: this.field('row'),
    } satisfies Complete<Fill>;
  }

  trade(place: number): TradeId {
    this.load(place);
    return this.field('trade') as TradeId;
  }

  account(place: number): AccountId {
    this.load(place);
    return this.field('account') as AccountId;
  }

  private load(place: number): void {
    this.log.read(place, this.numbers, 0);
  }

  private field(name: keyof typeof FIELD): number {
    return this.numbers[FIELD[name]] as number;
  }
}

const NO_PLACES: readonly number[] = [];

export class TradeBook {
  private readonly makeStore: MakeStore;
  private log: FillLog;
  /** The places of each account's fills in the log, ascending. */
  private readonly byAccount = new AccountTable<number[]>();

  constructor(makeStore: MakeStore = inMemory) {
    this.makeStore = makeStore;
    this.log = new FillLog(makeStore);
  }

  /** `history` has folded the same event already. */
  apply(at: EpochMs, event: Event, history: OrderHistory): void {
    if (event.type === 'DayRolled') this.turnDay();
    if (event.type !== 'Traded') return;
    if (event.buy !== undefined) this.add(event.buy, event, at, history);
    if (event.sell !== undefined) this.add(event.sell, event, at, history);
  }

  /** The fills of an account as they are now, oldest first. Later fills and days do not change them. */
  fillsOf(account: AccountId): Stretches<Fill> {
    return new PlacedRows(this.log, this.placesOf(account));
  }

  /** An account's side of a trade of the trading day; `undefined` when it had none. */
  fillOf(account: AccountId, trade: TradeId): Fill | undefined {
    const fills = this.placesOf(account);
    const tradeAt = (index: number): TradeId => this.log.trade(fills[index] as number);
    // Nearly all who ask want one of the newest: the steps back from it grow.
    let end = fills.length;
    let begin = end;
    for (let step = 1; begin > 0; step *= 2) {
      begin = Math.max(0, end - step);
      if (tradeAt(begin) <= trade) break;
      end = begin;
    }
    const place = fills[lowerBound(begin, end, (index) => tradeAt(index) < trade)];
    if (place === undefined) return undefined;
    const fill = this.log.read(place);
    return fill.trade === trade ? fill : undefined;
  }

  /** Each fill in a row with its account. */
  *rows(): Generator<StoredRow> {
    for (let place = 0; place < this.log.size; place += 1) {
      yield [this.log.account(place), ...encodeFill(this.log.read(place))];
    }
  }

  /**
   * Takes the next row of `rows`. `history` is whole as it was stored, and no event has been folded since. Throws
   * `Undecodable`.
   */
  take(stored: Json, history: OrderHistory): void {
    const row = places(stored, 'a fill', 8);
    this.file(whole(row[0], 'account'), decodeFill(row, history));
  }

  private turnDay(): void {
    this.log = new FillLog(this.makeStore);
    this.byAccount.clear();
  }

  private add({ order, account }: TradeSide, event: Traded, at: EpochMs, history: OrderHistory): void {
    const { trade, instrument, price, quantity } = event;
    const filledSoFar = history.filled(order);
    const row = history.newestRow(order);
    this.file(account, { trade, order, instrument, price, quantity, filledSoFar, at, row });
  }

  private file(account: AccountId, fill: Fill): void {
    const place = this.log.add(account, fill);
    const known = this.byAccount.get(account);
    if (known === undefined) this.byAccount.set(account, [place]);
    else known.push(place);
  }

  private placesOf(account: AccountId): readonly number[] {
    return this.byAccount.get(account) ?? NO_PLACES;
  }
}

/** The order of a fill as it stood after it. */
export function entryOf({ order, row }: Fill, orders: GivenOrders): HistoryEntry {
  return orders.step(order, row);
}

function encodeFill({ trade, order, instrument, price, quantity, filledSoFar, at }: Fill) {
  return [trade, order, instrument, price, quantity, filledSoFar, at] as const;
}

/** The fill of a row, in which it follows its account. */
function decodeFill(stored: readonly Json[], history: OrderHistory): Fill {
  const order: OrderNumber = whole(stored[2], 'order');
  const filledSoFar: Quantity = whole(stored[6], 'filledSoFar');
  const row = history.fillingRow(order, filledSoFar);
  if (row === undefined) throw new Undecodable(`no step of order ${order} fills it to ${filledSoFar}`);
  return {
    trade: whole(stored[1], 'trade'),
    order,
    instrument: whole(stored[3], 'instrument'),
    price: whole(stored[4], 'price'),
    quantity: whole(stored[5], 'quantity'),
    filledSoFar,
    at: whole(stored[7], 'at'),
    row,
  } satisfies Complete<Fill>;
}
