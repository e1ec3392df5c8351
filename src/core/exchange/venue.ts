import type { ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../../base/ids.ts';
import type { Quantity } from '../../base/money.ts';
import type { InstrumentKind } from '../instrument.ts';
import type { Market, PriceBand } from '../market.ts';
import type { Order } from '../order.ts';
import type { Book } from './book/book.ts';
import type { GuardWidths } from './guards/guard-widths.ts';
import type { Phase } from './phase.ts';

/**
 * One instrument's exchange at one tick: all that a decision of the exchange may look at. It also gives the next
 * numbers of trades and orders.
 */
export interface Venue {
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly tick: Tick;
  readonly lot: Quantity;
  readonly market: Market;
  readonly book: Book;
  /** The phase of the instrument. Its book may not have met it yet. */
  readonly phase: Phase;
  /** Nothing trades, because the instrument is suspended or its market is halted. Cancellations pass. */
  readonly stopped: boolean;
  /**
   * A stop whose trigger is crossed as it comes is refused; without this rule it fires at once. Source: market-rules
   * R3.12.
   */
  readonly strictTrigger: boolean;
  /** The widths of the price guards on the day of the tick. */
  readonly guards: GuardWidths;
  /** The range of prices that orders may have now. */
  band(): PriceBand;
  /** An order of the book; throws for any other. */
  order(number: OrderNumber): Order;
  nextTrade(): TradeId;
  nextExchangeOrder(): ExchangeOrderNumber;
}
