/**
 * The fills of the trading day by account, oldest first. A new day begins empty. The steps of an order, its fills
 * among them, stay longer in `order-history.ts`. Source: market-rules R3.34.
 */

import { type Complete, type Json, places, whole } from '../base/codec.ts';
import type { AccountId, InstrumentId, OrderNumber, TradeId } from '../base/ids.ts';
import { lowerBound } from '../base/lower-bound.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import type { EpochMs } from '../base/time.ts';
import type { Event, Traded, TradeSide } from '../core/event.ts';
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
  /** The row of its step in the history; absent until it is asked for after a start from a snapshot. */
  row: number | undefined;
}

const NO_FILLS: readonly Fill[] = [];

export class TradeBook {
  private readonly byAccount = new Map<AccountId, Fill[]>();

  /** `history` has folded the same event already. */
  apply(at: EpochMs, event: Event, history: OrderHistory): void {
    if (event.type === 'DayRolled') this.byAccount.clear();
    if (event.type !== 'Traded') return;
    if (event.buy !== undefined) this.add(event.buy, event, at, history);
    if (event.sell !== undefined) this.add(event.sell, event, at, history);
  }

  fillsOf(account: AccountId): readonly Fill[] {
    return this.byAccount.get(account) ?? NO_FILLS;
  }

  /** An account's side of a trade of the trading day; `undefined` when it had none. */
  fillOf(account: AccountId, trade: TradeId): Fill | undefined {
    const fills = this.fillsOf(account);
    const fill = fills[lowerBound(0, fills.length, (place) => (fills[place]?.trade ?? 0) < trade)];
    return fill?.trade === trade ? fill : undefined;
  }

  /** Each fill in a row with its account. */
  *rows(): Generator<StoredRow> {
    for (const [account, fills] of this.byAccount) for (const fill of fills) yield [account, ...encodeFill(fill)];
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    const row = places(stored, 'a fill', 8);
    this.file(whole(row[0], 'account'), decodeFill(row));
  }

  private add({ order, account }: TradeSide, event: Traded, at: EpochMs, history: OrderHistory): void {
    const { trade, instrument, price, quantity } = event;
    const filledSoFar = history.filled(order);
    const row = history.newestRow(order);
    const fill: Fill = { trade, order, instrument, price, quantity, filledSoFar, at, row };
    this.file(account, fill);
  }

  private file(account: AccountId, fill: Fill): void {
    const fills = this.byAccount.get(account);
    if (fills === undefined) this.byAccount.set(account, [fill]);
    else fills.push(fill);
  }
}

/** The order of a fill as it stood after it. */
export function entryOf(fill: Fill, history: OrderHistory): HistoryEntry {
  fill.row ??= history.fillingRow(fill.order, fill.filledSoFar);
  return history.step(fill.order, fill.row);
}

function encodeFill({ trade, order, instrument, price, quantity, filledSoFar, at }: Fill) {
  return [trade, order, instrument, price, quantity, filledSoFar, at] as const;
}

/** The fill of a row, in which it follows its account. */
function decodeFill(row: readonly Json[]): Fill {
  return {
    trade: whole(row[1], 'trade'),
    order: whole(row[2], 'order'),
    instrument: whole(row[3], 'instrument'),
    price: whole(row[4], 'price'),
    quantity: whole(row[5], 'quantity'),
    filledSoFar: whole(row[6], 'filledSoFar'),
    at: whole(row[7], 'at'),
    row: undefined,
  } satisfies Complete<Fill>;
}
