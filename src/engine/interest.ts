import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Book } from '../core/exchange/book/book.ts';
import { isHalted } from '../core/exchange/guards/market-breaker.ts';
import { hasOrdersOutside } from '../core/exchange/guards/orders-outside-band.ts';
import { isReached } from '../core/exchange/matching/reached.ts';
import type { Market, Reach } from '../core/market.ts';
import { circuitRule } from '../core/scenarios/rules/rules-in-force.ts';
import type { State } from '../core/state.ts';
import { around } from '../core/switches/price-band.ts';
import type { Interest } from './market-driver.ts';

/**
 * The instruments with resting or waiting orders, or with standing triggers: a move of the market can concern only
 * those.
 */
export function interestOf(state: State, market: Market): Interest {
  return {
    has: (instrument) => hasOrders(state, instrument) || state.standing.has(instrument),
    all: () => interested(state),
    reachAt: (instrument, tick) => market.reach?.(instrument, tick),
    isReached: (instrument, reach, tick) => isReachedNow(state, instrument, reach, tick),
  };
}

function isReachedNow(state: State, instrument: InstrumentId, reach: Reach, tick: Tick): boolean {
  const book = state.books.get(instrument);
  if (circuitRule(state.scenarioRules, instrument, tick) !== undefined) return true;
  if (book !== undefined && (isHalted(state, tick) || isReached(book, reach))) return true;
  if (book !== undefined && isLeftOutside(state, instrument, book, reach)) return true;
  return state.standing.isReached(instrument, reach, book?.lastTrade?.price);
}

/**
 * True when a book has an order that a band has left outside while nothing was decided: its instrument was suspended,
 * or the process was down. Source: market-rules R1.42.
 */
function isLeftOutside({ widenedBands }: State, instrument: InstrumentId, book: Book, { band }: Reach): boolean {
  if (band === undefined) return false;
  const widened = widenedBands.get(instrument);
  return hasOrdersOutside(book, widened === undefined ? band : around(band, widened));
}

function hasOrders({ books }: State, instrument: InstrumentId): boolean {
  return books.get(instrument)?.hasInterest() ?? false;
}

function* interested(state: State): Iterable<InstrumentId> {
  for (const [instrument, book] of state.books) if (book.hasInterest()) yield instrument;
  for (const instrument of state.standing.instruments()) if (!hasOrders(state, instrument)) yield instrument;
}
