/**
 * How many trades and lots an instrument has on a day, how wide its touch is and how deep its book. The typical day of
 * a contract comes from `contracts/contract-liquidity.ts`; how one day differs from another is in `day-volume.ts`.
 */
import type { Price, Quantity } from '../../../base/money.ts';
import { exp, log } from '../../options/elementary.ts';
import type { TradingMinutes } from '../../session/sessions.ts';

/** How much an instrument trades on a day, and how tight and deep its book is. */
export interface Liquidity {
  /** Trades of the day, of a lot at least each; 0 for an index, which has a level each second. */
  readonly trades: number;
  /** Lots traded in the day. */
  readonly lots: number;
  /** The width of the touch as a share of the price. */
  readonly spreadShare: number;
  /** The lots of an ordinary level of the book, and of an ordinary order in it. */
  readonly depthLots: number;
  readonly orderLots: number;
  /** Levels stand at multiples of this many ticks, and at the touch. */
  readonly gap: number;
}

/** The volume and trades of an instrument on a typical day. */
export interface TypicalDay {
  readonly lots: number;
  readonly trades: number;
}

/** The seconds from 09:15 to 15:30: books are as deep at every hour as a day's trading makes them in these. */
const SESSION_SECONDS = 22_500;
/** How many seconds' trading an ordinary level holds, and how many trades. */
const DEPTH_SECONDS = 2;
const DEPTH_TRADES = 3;
const LEAST_DEPTH = 3;
const GAP_SHARE = 0.000_1;

/** The touch of a share that trades for a thousand crore rupees a day, and of the least traded. */
const TIGHTEST_SHARE = 0.000_08;
const WIDEST_SHARE = 0.01;
const LARGE_TURNOVER_PAISE = 1e12;

/**
 * Trades a day of a share that trades for as much as `SMALL_TURNOVER_PAISE`, and how they grow with turnover. Source:
 * NSE bhavdata of 14-Nov-2025 and 21-Aug-2026, medians of five classes of turnover.
 */
const SMALL_TURNOVER_PAISE = 4.4e7;
const SMALL_TRADES = 107;
const TRADES_GROWTH = 0.762;
/** Trades of one second are one print, so more trades are drawn: this many more for each trade a second. */
const SHARED_SECONDS = 1.5;
/** Lots of one print of a contract: half are of one, and few of many. Source: ticks of stock futures of 17-Nov-2025. */
export const CONTRACT_PRINT_LOTS = 10;
/** Lots of one order in the book of a contract. */
const CONTRACT_ORDER_LOTS = 4;

/** An index: a level each second, and nothing to trade. */
export function indexLiquidity(hours: TradingMinutes): Liquidity {
  const seconds = (hours.close - hours.open) * 60;
  return { trades: 0, lots: seconds, spreadShare: 0, depthLots: 0, orderLots: 1, gap: 1 };
}

/** A typical day of a share that trades `lots` for `turnover` in paise. */
export function cashDay(lots: number, turnover: number): TypicalDay {
  const growth = log(Math.max(turnover, 1) / SMALL_TURNOVER_PAISE) * TRADES_GROWTH;
  return { lots, trades: Math.min(SMALL_TRADES * exp(growth), lots) };
}

/** A typical day of a contract that trades `lots`. */
export function contractDay(lots: number): TypicalDay {
  return { lots, trades: lots / CONTRACT_PRINT_LOTS };
}

/** The share of the price between bid and ask of a share of that turnover in paise a day. */
export function cashSpreadShare(turnover: number): number {
  const share = TIGHTEST_SHARE * exp(log(LARGE_TURNOVER_PAISE / Math.max(turnover, 1)) / 3);
  return Math.min(Math.max(share, TIGHTEST_SHARE), WIDEST_SHARE);
}

/** The liquidity of a tradable instrument on a day that trades `lots`, at least one. */
export function liquidity(
  typical: TypicalDay,
  lots: number,
  hours: TradingMinutes,
  spreadShare: number,
  price: number,
  instrument: { readonly tick: Price; readonly lot: Quantity },
): Liquidity {
  const rate = typical.lots / SESSION_SECONDS;
  const isCash = instrument.lot === 1;
  const orderLots = isCash ? Math.max(typical.lots / Math.max(typical.trades, 1), 1) : CONTRACT_ORDER_LOTS;
  const depthLots = isCash ? Math.max(DEPTH_SECONDS * rate, DEPTH_TRADES * orderLots) : 2 * Math.sqrt(rate);
  return {
    trades: tradesOf(typical, lots, (hours.close - hours.open) * 60),
    lots,
    spreadShare,
    depthLots: Math.max(depthLots, LEAST_DEPTH),
    orderLots,
    gap: gapOf(price, instrument.tick),
  };
}

/** Trades of a day in proportion to its lots, with as many more as fall into seconds that have one already. */
function tradesOf(typical: TypicalDay, lots: number, seconds: number): number {
  const trades = typical.lots > 0 ? (typical.trades * lots) / typical.lots : 1;
  const drawn = Math.floor(trades * (1 + (SHARED_SECONDS * trades) / seconds) + 0.5);
  return Math.min(Math.max(drawn, 1), lots);
}

/** The largest power of two of ticks that is within a hundredth of a per cent of the price. */
function gapOf(price: number, tick: Price): number {
  let gap = 1;
  while (2 * gap * tick <= GAP_SHARE * price) gap *= 2;
  return gap;
}
