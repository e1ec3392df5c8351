import { SyntheticMarket, type SyntheticMarketTerms } from '../synthetic/synthetic-market.ts';
import type { RecordedDays } from './recorded-days.ts';
import { RecordedRoster, type Tapes } from './recorded-roster.ts';

/** The inputs of a market with recorded days. */
export interface RecordedMarketTerms extends SyntheticMarketTerms {
  readonly recorded: RecordedDays;
  /** Whether instruments without a tape are drawn; else they do not trade. */
  readonly drawsTheRest: boolean;
}

/**
 * The market that plays recorded days: every answer is a pure function of the tapes, the seed, the hours regime, the
 * instrument, the tick and the corporate actions that are in effect at it. See docs/tapes.md.
 */
export class RecordedMarket extends SyntheticMarket {
  constructor(terms: RecordedMarketTerms) {
    const { recorded, drawsTheRest } = terms;
    const tapes: Tapes = { recorded, drawsTheRest, plays: new Map() };
    super(terms, (actions, sessions) => new RecordedRoster(terms, sessions, actions, tapes));
  }
}
