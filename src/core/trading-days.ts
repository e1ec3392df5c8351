/**
 * Trading days and their times: when positions are squared off, when orders are taken for the next session, and which
 * day a date belongs to. The calendar with its holidays is in `reference`.
 */

import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Price } from '../base/money.ts';
import { firstTickOf } from '../base/tick.ts';
import { HOUR_MS, type IstDay, MINUTE_MS } from '../base/time.ts';
import { type Instrument, type InstrumentKind, isDerivative } from './instrument.ts';
import type { Market } from './market.ts';
import type { Product } from './order.ts';

/**
 * The groups that are squared off together: shares with futures and options, other shares, contracts, contracts on the
 * day of their expiry, and on that day the positions whose delivery is not paid for. Source: market-rules R2.23, R7.4.
 */
export const SQUARE_OFF_SEGMENTS = [
  'SharesWithContracts',
  'OtherShares',
  'Contracts',
  'ExpiringContracts',
  'UnfundedDeliveries',
] as const;
export type SquareOffSegment = (typeof SQUARE_OFF_SEGMENTS)[number];

/**
 * The trading days, and the times of the square-offs on them: a pure function of the date, fixed for the life of a
 * journal.
 */
export interface TradingDays {
  isTradingDay(day: IstDay): boolean;
  /** When a segment is squared off, in milliseconds after IST midnight of a trading day. */
  squareOffTime(segment: SquareOffSegment, day: IstDay): number;
  /**
   * False on a trading day on which banks are closed: shares bought on the day before come with the next day that
   * settles. Without this method every day settles. Source: market-rules R2.22.
   */
  settles?(day: IstDay): boolean;
  /**
   * The time until which an intraday position may be opened in a contract on the day of its expiry, in milliseconds
   * after IST midnight. Without this method it is the time of the square-off. Source: market-rules R2.27.
   */
  expiringEntryEnds?(day: IstDay): number | undefined;
  /**
   * The times at which orders are taken for the instruments of an exchange while they are closed, on a trading day;
   * nothing where they are not taken. Source: market-rules R2.18.
   */
  afterMarket?(instrument: Pick<Instrument, 'exchange'>, day: IstDay): AfterMarketHours | undefined;
}

/**
 * Times on a trading day, in milliseconds after IST midnight. On other days orders are taken at every hour. Source:
 * market-rules R2.18.
 */
export interface AfterMarketHours {
  /** Up to here orders are taken for the day itself. */
  readonly closes: number;
  /** From here on they are taken for the next trading day. */
  readonly opens: number;
  /** When limit and market orders go to the exchange. */
  readonly release: number;
  /** When stops and immediate-or-cancel orders go to the exchange. */
  readonly releaseOthers: number;
}

const BEFORE_MIDNIGHT = 23 * HOUR_MS + 55 * MINUTE_MS;
/** Contracts stop trading in the afternoon of their expiry day, whatever the hours of the rest of the market. */
const BEFORE_EXPIRY = 15 * HOUR_MS + 30 * MINUTE_MS;
const UNFUNDED = 14 * HOUR_MS + 30 * MINUTE_MS;

/** Every day of the calendar trades for all of its hours. Source: contract, hours `always`. */
export const EVERY_DAY: TradingDays = {
  isTradingDay: () => true,
  squareOffTime: (segment) => {
    if (segment === 'UnfundedDeliveries') return UNFUNDED;
    return segment === 'ExpiringContracts' ? BEFORE_EXPIRY : BEFORE_MIDNIGHT;
  },
};

/**
 * Every day trades, and shares are settled on the days on which the exchanges settle: shares bought on a Friday come at
 * Monday's end. Source: contract, hours `always`; market-rules R2.22, R5.18.
 */
export function everyDaySettledAs(exchange: TradingDays): TradingDays {
  return { ...EVERY_DAY, settles: (day) => exchange.settles?.(day) ?? true };
}

/** The first trading day from `day` on: the day that orders of that date belong to. */
export function tradingDayFrom(days: TradingDays, day: IstDay): IstDay {
  let candidate = day;
  while (!days.isTradingDay(candidate)) candidate = (candidate + 1) as IstDay;
  return candidate;
}

/**
 * The date at whose midnight a trading day begins: the date after the trading day before it. Source: docs/day-end.md.
 */
export function dateOfBegin(days: TradingDays, day: IstDay): IstDay {
  let date = day;
  while (!days.isTradingDay((date - 1) as IstDay)) date = (date - 1) as IstDay;
  return date;
}

/** The first trading day after `day`. */
export function nextTradingDay(days: TradingDays, day: IstDay): IstDay {
  return tradingDayFrom(days, (day + 1) as IstDay);
}

/**
 * The tick that stands for the present in the trading day that has begun. On a date without trading it is that day's
 * first tick, because such a date still has the closes and bands of the day that is over. Source: market-rules R2.16,
 * architecture 2.
 */
export function tickOfDay({ day }: { readonly day: IstDay }, tick: Tick): Tick {
  return Math.max(tick, firstTickOf(day)) as Tick;
}

/**
 * The close before the trading day that has begun, in paise a unit, also on a date without trading. Source:
 * market-rules R2.16.
 */
export function closeBeforeDay(
  begun: { readonly day: IstDay },
  { market, tick }: { readonly market: Pick<Market, 'previousClose'>; readonly tick: Tick },
  id: InstrumentId,
): Price {
  return market.previousClose(id, tickOfDay(begun, tick));
}

/**
 * True for a position that ends with its day: I everywhere, and M on shares. Source: market-rules R3.3, contract W9.
 */
export function isIntraday(kind: InstrumentKind, product: Product): boolean {
  return product === 'I' || (product === 'M' && kind === 'equity');
}

/** The segment with which the intraday positions of an instrument are squared off on `day`. */
export function segmentOf(instrument: Instrument, day: IstDay): SquareOffSegment {
  if (isDerivative(instrument)) return instrument.expiryDay <= day ? 'ExpiringContracts' : 'Contracts';
  return instrument.kind === 'equity' && instrument.hasDerivatives ? 'SharesWithContracts' : 'OtherShares';
}
