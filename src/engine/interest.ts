import type { InstrumentId } from '../base/ids.ts';
import type { State } from '../core/state.ts';
import type { Interest } from './market-driver.ts';

/** The books in which something rests or waits: only those can a move of the market concern. */
export function interestOf(state: State): Interest {
  return {
    has: (instrument) => state.books.get(instrument)?.hasInterest() ?? false,
    all: () => interested(state),
  };
}

function* interested(state: State): Iterable<InstrumentId> {
  for (const [instrument, book] of state.books) if (book.hasInterest()) yield instrument;
}
