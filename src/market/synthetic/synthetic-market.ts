import type { Instruments } from '../../core/instrument.ts';
import { SessionMarket, type SessionMarketTerms } from '../session/session-market.ts';
import { KNOWN_DAYS } from './paths/span-of-days.ts';
import { Roster } from './roster.ts';

/** The inputs of the synthetic market. */
export interface SyntheticMarketTerms extends Omit<SessionMarketTerms, 'days' | 'listings'> {
  readonly instruments: Instruments;
}

/**
 * The market whose tapes are drawn: every answer is a pure function of the seed, the hours regime, the instrument, the
 * tick and the corporate actions that are in effect at it. Source: architecture 2.6; see docs/market.md.
 */
export class SyntheticMarket extends SessionMarket {
  constructor(terms: SyntheticMarketTerms) {
    super({
      ...terms,
      days: KNOWN_DAYS,
      listings: (actions, sessions) => new Roster(terms, sessions, actions),
    });
  }
}
