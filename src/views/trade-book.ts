import type { AccountId, InstrumentId, OrderNumber, TradeId } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import type { Event, Traded, TradeSide } from '../core/event.ts';
import type { OrderHistory } from './order-history.ts';

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
}

type FillRow = readonly [
  trade: TradeId,
  order: OrderNumber,
  instrument: InstrumentId,
  price: Price,
  quantity: Quantity,
  filledSoFar: Quantity,
  at: EpochMs,
];

export type TradeBookDump = readonly (readonly [account: AccountId, fills: readonly FillRow[]])[];

const NO_FILLS: readonly Fill[] = [];

/** The fills of the trading day by account, oldest first. A new day begins empty. Source: market-rules R3.34. */
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

  dump(): TradeBookDump {
    return Array.from(this.byAccount, ([account, fills]) => [account, fills.map(rowOf)] as const);
  }

  static load(dump: TradeBookDump): TradeBook {
    const book = new TradeBook();
    for (const [account, rows] of dump) book.byAccount.set(account, rows.map(fillOf));
    return book;
  }

  private add({ order, account }: TradeSide, event: Traded, at: EpochMs, history: OrderHistory): void {
    const { trade, instrument, price, quantity } = event;
    const filledSoFar = history.filled(order);
    const fill: Fill = { trade, order, instrument, price, quantity, filledSoFar, at };
    const fills = this.byAccount.get(account);
    if (fills === undefined) this.byAccount.set(account, [fill]);
    else fills.push(fill);
  }
}

function rowOf({ trade, order, instrument, price, quantity, filledSoFar, at }: Fill): FillRow {
  return [trade, order, instrument, price, quantity, filledSoFar, at];
}

function fillOf([trade, order, instrument, price, quantity, filledSoFar, at]: FillRow): Fill {
  return { trade, order, instrument, price, quantity, filledSoFar, at };
}
