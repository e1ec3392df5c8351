import type { State } from '../core/state.ts';
import type { Interest } from './market-driver.ts';

/** The books that a move of the market can concern: those of instruments that had orders today. */
export function interestOf(state: State): Interest {
  return { has: (instrument) => state.books.has(instrument), all: () => state.books.keys() };
}
