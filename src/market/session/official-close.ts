/**
 * The official close of an instrument's day, and the one price of a share over both exchanges. How the price of the
 * closing auction is found is in `auction-shape.ts`.
 */
import { type Price, roundToTick } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Instrument } from '../../core/instrument.ts';
import { MINUTE_SECONDS } from '../day-tape.ts';
import type { TradedDay } from '../listing.ts';
import { closingAuctionPrice } from './auction-shape.ts';
import { closingMatchedAt } from './closing-print.ts';

/** The last half hour of continuous trading. Source: market-rules R2.13, R2.15. */
const WINDOW_SECONDS = 30 * MINUTE_SECONDS;

/** The inputs of a day's close, besides its tape. */
export interface ClosingTerms {
  readonly instrument: Instrument;
  /** Of an index that closes with its members. */
  readonly membersClose?: MembersClose;
}

/** How an index closes with its members. Source: market-rules R2.16. */
export interface MembersClose {
  /** The second of a day in which the last of them has closed. */
  readonly at: (day: IstDay) => number;
  /** The level that their closes of a day add up to. */
  readonly level: (day: IstDay) => number;
}

/**
 * The official close of an instrument's day. A share with a closing auction: the price that the market's own orders
 * find there. Other shares and futures: the average price of the last half hour, to the nearest tick; without a trade
 * in it a share's last price, a future's value by carry. An index: the level of its members' closes, or its last level
 * when they are unknown. An option: the last price. Users' own trades do not count. Source: market-rules R2.13 to
 * R2.17.
 */
export function officialClose({ instrument, membersClose }: ClosingTerms, traded: TradedDay): Price {
  const { tape } = traded;
  const last = tape.printPrice(tape.lastContinuous()).price;
  const { kind, tick } = instrument;
  if (membersClose !== undefined) return Math.max(tick, roundToTick(membersClose.level(tape.day), tick)) as Price;
  if (kind === 'index' || kind === 'option') return last;
  if (hasClosingAuction(traded)) return closingAuctionPrice(tape, traded.phases, last);
  const { lots, ticksTimesLots } = tape.tradedWithin(tape.close - 1 - WINDOW_SECONDS, tape.close - 1);
  if (lots > 0) return roundToTick(averageOf(lots, ticksTimesLots, tape.tick), tick);
  if (kind === 'equity') return last;
  const lastMinute = Math.floor(tape.close / MINUTE_SECONDS) - 1;
  return Math.max(tick, roundToTick(tape.fairValue(lastMinute), tick)) as Price;
}

/** True on a day that ends with a closing auction. Source: market-rules R2.2. */
export function hasClosingAuction({ phases }: Pick<TradedDay, 'phases'>): boolean {
  return closingMatchedAt(phases) !== undefined;
}

/** A closing price, and the units that traded at it. */
export interface ClosingTrade {
  readonly price: Price;
  readonly quantity: number;
}

/**
 * The one price of a share over both exchanges: the prices of their closing auctions, weighted by what traded in them.
 * In paise, to the nearest.
 * Source: market-rules R2.14, R7.2.
 */
export function closeOverExchanges(closes: readonly [ClosingTrade, ...ClosingTrade[]]): Price {
  let value = 0;
  let units = 0;
  for (const { price, quantity } of closes) {
    value += price * quantity;
    units += quantity;
  }
  return Math.round(value / units) as Price;
}

/** The average of trades in ticks, as a price on the nearest tick. Source: market-rules R2.13. */
export function averageOf(lots: number, ticksTimesLots: number, tick: Price): Price {
  return (Math.floor(ticksTimesLots / lots + 0.5) * tick) as Price;
}
