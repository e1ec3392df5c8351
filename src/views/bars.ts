/**
 * The division of time into candles: days, or minutes counted from the open of continuous trading. The prices and
 * volumes of candles come from the market and from `own-trades.ts`.
 */
import type { InstrumentId, Tick } from '../base/ids.ts';
import { DAY_MS, type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import type { Market } from '../core/market.ts';

/**
 * Nobody trades further from continuous trading than this, in minutes: the session after the close ends 45 minutes
 * after it.
 */
const LONGEST_AUCTION = 60;
/** A trade of an auction is this much older at most than the bar that holds it. */
export const LONGEST_AUCTION_MS = LONGEST_AUCTION * MINUTE_MS;

/** How a series of candles divides time. */
export interface Bars {
  /** The start of the bar that holds a minute. */
  startOf(minute: EpochMs): EpochMs;
  /** The last tick of the bar that has passed. */
  lastTickOf(start: EpochMs): Tick;
}

/** One bar a day. */
export function dayBars(until: Tick): Bars {
  return {
    startOf: (minute) => istInstant(istDay(minute)),
    lastTickOf: (start) => lastTickBefore(start + DAY_MS, until),
  };
}

/** Bars of some minutes, counted from the open of each day. Source: contract W16. */
export function minuteBars(market: Market, id: InstrumentId, minutes: number, until: Tick): Bars {
  const length = minutes * MINUTE_MS;
  const opens = new Map<IstDay, EpochMs>();
  return {
    startOf: (minute) => {
      const day = istDay(minute);
      const open = opens.get(day) ?? openBefore(market, id, minute);
      opens.set(day, open);
      return minute < open ? open : ((minute - ((minute - open) % length)) as EpochMs);
    },
    lastTickOf: (start) => {
      const dayEnd = istInstant((istDay(start) + 1) as IstDay);
      return lastTickBefore(Math.min(start + length, dayEnd), until);
    },
  };
}

/**
 * The open of continuous trading, found by halving from a minute of it: a day has one session. Trades of an auction
 * before the open belong to the first bar.
 */
function openBefore(market: Market, id: InstrumentId, minute: EpochMs): EpochMs {
  const midnight = istInstant(istDay(minute));
  const isOpen = (place: number): boolean => {
    return market.isOpen(id, market.tickAt((midnight + place * MINUTE_MS) as EpochMs));
  };
  const traded = (minute - midnight) / MINUTE_MS;
  let open = traded;
  for (let step = 1; !isOpen(open) && step <= LONGEST_AUCTION; step += 1) {
    if (isOpen(traded + step)) open = traded + step;
    else if (isOpen(traded - step)) open = traded - step;
  }
  let closed = -1;
  while (open - closed > 1) {
    const middle = (open + closed) >> 1;
    if (isOpen(middle)) open = middle;
    else closed = middle;
  }
  return (midnight + open * MINUTE_MS) as EpochMs;
}

function lastTickBefore(end: number, until: Tick): Tick {
  return Math.min(end / SECOND_MS - 1, until) as Tick;
}
