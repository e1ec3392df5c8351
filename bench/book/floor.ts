import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../../src/base/ids.ts';
import { type Price, type Quantity, ZERO_PAISE, ZERO_PRICE, ZERO_QUANTITY } from '../../src/base/money.ts';
import type { EpochMs } from '../../src/base/time.ts';
import { Book } from '../../src/core/exchange/book/book.ts';
import type { Venue } from '../../src/core/exchange/venue.ts';
import { type Market, NO_TURNOVER, noInterest, type PriceBand } from '../../src/core/market.ts';
import type { Order, OrderTerms } from '../../src/core/order.ts';
import { RULES } from '../../test/kit/rules.ts';

/**
 * The surroundings of a book that is measured alone: a market that shows nothing, so that only users meet, and orders
 * whose fields are written again for each message.
 */

export const MIDDLE = 100_000;
export const TICK = 5;
/** The number of the first order. */
export const FIRST_ORDER = 2_611_210_000_000_000;

const NOTHING_SHOWN = { bids: [], asks: [] };
const NO_MARKET: Market = {
  tickAt: () => 1 as Tick,
  phase: () => 'Continuous',
  isOpen: () => true,
  depth: () => NOTHING_SHOWN,
  quantityAt: () => ZERO_QUANTITY,
  print: () => undefined,
  lastPrint: () => ({ tick: 0 as Tick, price: MIDDLE as Price, quantity: ZERO_QUANTITY, aggressor: 'B' }),
  turnover: () => NO_TURNOVER,
  previousClose: () => MIDDLE as Price,
  auction: () => noInterest(MIDDLE as Price),
  band: () => ({ lower: TICK as Price, upper: (10 * MIDDLE) as Price }),
  risk: () => ({
    price: MIDDLE as Price,
    spot: MIDDLE as Price,
    spotClose: MIDDLE as Price,
    forward: MIDDLE as Price,
    value: MIDDLE,
    delta: () => 1,
    volatility: 0,
    reprice: () => MIDDLE,
  }),
};

export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** The venue of every decision; matching asks an order only for its product, which is the same for all. */
export class BenchVenue implements Venue {
  instrument = 0 as InstrumentId;
  readonly kind = 'equity';
  readonly group = 0 as InstrumentId;
  readonly tick = 1 as Tick;
  readonly lot = 1 as Quantity;
  readonly market = NO_MARKET;
  book = new Book();
  readonly phase = 'Continuous';
  readonly stopped = false;
  readonly guards = RULES.guards.at(0 as Tick);
  readonly strictTrigger = true;
  private readonly resting = emptyOrder(emptyTerms());
  private trades = 0;
  private acknowledged = 0;

  band(): PriceBand {
    return NO_MARKET.band(this.instrument, this.tick);
  }

  order(): Order {
    return this.resting;
  }

  nextTrade(): TradeId {
    this.trades += 1;
    return this.trades as TradeId;
  }

  nextExchangeOrder(): ExchangeOrderNumber {
    this.acknowledged += 1;
    return this.acknowledged as ExchangeOrderNumber;
  }
}

export function emptyTerms(): Writable<OrderTerms> {
  return { priceType: 'LMT', retention: 'DAY', quantity: ZERO_QUANTITY, price: ZERO_PRICE, trigger: ZERO_PRICE };
}

export function emptyOrder(terms: OrderTerms): Order {
  return {
    number: 0 as OrderNumber,
    account: 0 as AccountId,
    instrument: 0 as InstrumentId,
    kind: 'equity',
    group: 0 as InstrumentId,
    isin: '',
    side: 'B',
    product: 'I',
    remarks: '',
    gross: false,
    squareOff: false,
    receivedAt: 0 as EpochMs,
    terms,
    status: 'Open',
    exchangeOrder: 0 as ExchangeOrderNumber,
    filled: ZERO_QUANTITY,
    filledAmount: ZERO_PAISE,
    updatedAt: 0 as EpochMs,
    afterMarket: undefined,
  };
}
