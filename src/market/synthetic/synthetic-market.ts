import type { InstrumentId } from '../../base/ids.ts';
import type { Instruments } from '../../core/instrument.ts';
import type { ActionIndex } from '../../reference/corporate-actions/announced-actions.ts';
import { SessionMarket, type SessionMarketTerms } from '../session/session-market.ts';
import type { Sessions } from '../session/sessions.ts';
import type { ModelListed } from './model-listed.ts';
import { KNOWN_DAYS } from './paths/span-of-days.ts';
import { Roster } from './roster.ts';

/** The inputs of the synthetic market. */
export interface SyntheticMarketTerms extends Omit<SessionMarketTerms, 'days' | 'listings'> {
  readonly instruments: Instruments;
}

/** Makes the roster under one list of corporate actions. */
export type MakeRoster = (actions: ActionIndex, sessions: Sessions) => Roster;

/**
 * The market whose tapes are drawn: every answer is a pure function of the seed, the hours regime, the instrument, the
 * tick and the corporate actions that are in effect at it. Source: architecture 2.6; see docs/market.md.
 */
export class SyntheticMarket extends SessionMarket<ModelListed> {
  constructor(
    terms: SyntheticMarketTerms,
    listings: MakeRoster = (actions, sessions) => new Roster(terms, sessions, actions),
  ) {
    super({ ...terms, days: KNOWN_DAYS, listings });
  }

  /** Gives the memory of paths back that many looks left behind, as those at each share for the lists of contracts. */
  forgetPaths(): void {
    this.listings().forgetPaths();
  }

  /** The model of an instrument, for a recording of its days. */
  modelOf(id: InstrumentId): ModelListed {
    return this.listings().get(id);
  }
}
