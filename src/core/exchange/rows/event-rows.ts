/**
 * The exchange's events as rows. A row is one object for ever, which each decision writes again, so that no decision
 * makes new ones. README.md has a picture. `matching` writes rows, `book/apply-book.ts` changes a book by them, and
 * `row-events.ts` makes the events that the journal and the views get.
 */

import type { AccountId, ExchangeOrderNumber, OrderNumber, Tick, TradeId } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { CancelReason, Event, Traded } from '../../event.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { Side } from '../../order.ts';
import { type Handle, NO_ORDER } from '../book/handles.ts';
import type { Phase } from '../phase.ts';

/** The kinds of rows: the events that concern a book, and the acknowledgement that comes before them. */
export type RowKind = Extract<
  Event['type'],
  | 'OrderAcknowledged'
  | 'OrderRested'
  | 'OrderSetAside'
  | 'OrderCancelled'
  | 'Traded'
  | 'QueueAdvanced'
  | 'StopArmed'
  | 'StopTriggered'
  | 'OrderReplaced'
  | 'AuctionMatched'
  | 'PhaseMet'
>;

/** A level of the market's depth, as a trade names it. */
type TakenLevel = NonNullable<Traded['taken']>;

/** Rows that wait for the next decision, some 180 bytes each. */
const MOST_KEPT = 4_096;

/** No order: the side of a trade is the market's own. */
export const NOBODY = -1 as OrderNumber;
/** No price: nothing of the market's depth was taken, or an auction found none. */
export const NO_PRICE = -1 as Price;

/**
 * One event. A kind has the fields that README.md names for it; the others are left from rows before. All rows have the
 * same fields, each of one type, which is fast.
 */
export class EventRow {
  kind: RowKind = 'OrderAcknowledged';
  /** The order's side, or the aggressor's. */
  side: Side = 'B';
  /** The order that the event is about; of a trade the one that came, or `NOBODY`. In an auction the buyer's. */
  order = NOBODY;
  /** The place of the order that rested or is cancelled; `NO_ORDER` when it stands in no queue. */
  handle: Handle = NO_ORDER;
  account = 0 as AccountId;
  /** The limit, the trigger, or the price of the trade, the auction or the queue. */
  price = NO_PRICE;
  /** Units that traded or left the queue, or those of the order that are still to be filled. */
  quantity = 0 as Quantity;
  /** The market's units in front of an order that comes to rest. */
  ahead = 0 as Quantity;
  /** True for a market order that comes to rest, which only an auction knows. */
  atMarket = false;
  exchangeOrder = NOBODY as number as ExchangeOrderNumber;
  trade = NOBODY as number as TradeId;
  /** The order that rested before the trade, or `NOBODY`. In an auction the seller's. */
  resting = NOBODY;
  /** The displayed level of the market that was traded, on the market's side: its price, or `NO_PRICE`. */
  takenPrice = NO_PRICE;
  takenGeneration = 0;
  /** True for a trade in which both sides waited for an auction. */
  inAuction = false;
  reason: CancelReason = 'Client';
  keepsPriority = false;
  /** True when a market order gets a limit. */
  becomesLimit = false;
  phase: Phase = 'Continuous';

  /** Notes the displayed level of the market that a trade took. */
  takes({ price, generation }: TakenLevel): void {
    this.takenPrice = price;
    this.takenGeneration = generation;
  }
}

/**
 * The rows of one decision, or the row of one event that comes back from the journal. They grow with a decision; of a
 * large one only the first `MOST_KEPT` are kept for those that follow.
 */
export class EventRows {
  /** The number of rows. */
  count = 0;
  /** The tick of all trades and auctions. */
  tick = 0 as Tick;
  /** True when the trades are those of a future or an option. */
  isContract = false;
  private readonly rows: EventRow[] = [];

  /** Forgets all rows. */
  clear(): void {
    this.count = 0;
    if (this.rows.length > MOST_KEPT) this.rows.length = MOST_KEPT;
  }

  setMarket(tick: Tick, kind: InstrumentKind): void {
    this.tick = tick;
    this.isContract = kind === 'future' || kind === 'option';
  }

  at(index: number): EventRow {
    return this.rows[index] as EventRow;
  }

  /** Adds a row of a kind, whose fields the caller writes. */
  add(kind: RowKind): EventRow {
    const { rows, count } = this;
    if (count === rows.length) rows.push(new EventRow());
    this.count = count + 1;
    const row = rows[count] as EventRow;
    row.kind = kind;
    return row;
  }

  /** `handle`: the place of the order; `NO_ORDER` when it stands in no queue. */
  addCancelled(order: OrderNumber, handle: Handle, reason: CancelReason): void {
    const row = this.add('OrderCancelled');
    row.order = order;
    row.handle = handle;
    row.reason = reason;
  }

  /**
   * Adds a trade of the order that came, or of the market (`NOBODY`), with a resting order or with the market's depth.
   * `handle`: the place of the resting order; `NO_ORDER` when it stands in no queue.
   */
  addTraded(
    trade: TradeId,
    aggressor: Side,
    incoming: OrderNumber,
    resting: OrderNumber,
    handle: Handle,
    price: Price,
    units: number,
  ): EventRow {
    const row = this.add('Traded');
    row.side = aggressor;
    row.order = incoming;
    row.handle = handle;
    row.price = price;
    row.quantity = units as Quantity;
    row.trade = trade;
    row.resting = resting;
    row.takenPrice = NO_PRICE;
    row.inAuction = false;
    return row;
  }

  addAdvanced(side: Side, price: Price, units: number): void {
    const row = this.add('QueueAdvanced');
    row.side = side;
    row.price = price;
    row.quantity = units as Quantity;
  }
}
