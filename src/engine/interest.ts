import type { InstrumentId } from '../base/ids.ts';
import { isHalted } from '../core/exchange/guards/market-breaker.ts';
import { isReached } from '../core/exchange/matching/reached.ts';
import type { Market } from '../core/market.ts';
import type { State } from '../core/state.ts';
import type { Interest } from './market-driver.ts';

/** The books with resting or waiting orders: a move of the market can concern only those. */
export function interestOf(state: State, market: Market): Interest {
  return {
    has: (instrument) => state.books.get(instrument)?.hasInterest() ?? false,
    all: () => interested(state),
    reachAt: (instrument, tick) => market.reach?.(instrument, tick),
    isReached: (instrument, reach, tick) => {
      const book = state.books.get(instrument);
      return book !== undefined && (isHalted(state, tick) || isReached(book, reach));
    },
  };
}

function* interested(state: State): Iterable<InstrumentId> {
  for (const [instrument, book] of state.books) if (book.hasInterest()) yield instrument;
}
