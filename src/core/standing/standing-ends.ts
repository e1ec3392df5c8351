/**
 * Nothing waits for a last traded price for ever: it ends as a trading day begins, when its year is over, its contract
 * has expired, or a corporate action changes the terms of its instrument. It ends before the day's first price, so
 * nothing fires in wrong terms.
 */

import type { InstrumentId } from '../../base/ids.ts';
import { DAY_MS, type EpochMs, type IstDay, istDay } from '../../base/time.ts';
import type { CorporateAction } from '../broker/corporate-actions/corporate-action.ts';
import { actionsInEffect } from '../broker/corporate-actions/corporate-action-effects.ts';
import { type Instrument, isDerivative, marginGroup } from '../instrument.ts';
import type { DecisionPorts } from '../ports.ts';
import type { State } from '../state.ts';

/** The calendar days for which a GTT or an alert waits. */
const MOST_DAYS = 365;

/** The owner of a standing trigger, as far as its end depends on it. */
interface Owner {
  readonly instrument: InstrumentId;
  readonly placedAt: EpochMs;
}

type StandingEnd = 'YearOver' | 'InstrumentEnded' | 'CorporateAction';

/** The last calendar day on which an owner's trigger can fire. */
export function lastDayOf({ placedAt }: Pick<Owner, 'placedAt'>): IstDay {
  return istDay((placedAt + MOST_DAYS * DAY_MS) as EpochMs);
}

/** Finds why an owner ends as the day of the state begins; `undefined` for one that waits on. */
export function standingEnds(
  state: State,
  { instruments }: DecisionPorts,
  dayBefore: IstDay,
): (owner: Owner) => StandingEnd | undefined {
  const { day } = state;
  const actions = actionsInEffect(state, dayBefore);
  return (owner) => {
    const instrument = instruments.get(owner.instrument);
    if (instrument === undefined) return 'InstrumentEnded';
    if (actions.some((action) => changesTerms(action, instrument))) return 'CorporateAction';
    if (isDerivative(instrument) && instrument.expiryDay < day) return 'InstrumentEnded';
    return day > lastDayOf(owner) ? 'YearOver' : undefined;
  };
}

/**
 * True for an action after which prices and quantities of the instrument mean something else: a bonus, a split, and a
 * special dividend. After any other dividend triggers stay as they are. Source: market-rules R7.6.
 */
function changesTerms({ listings, adjustsContracts }: CorporateAction, instrument: Instrument): boolean {
  return adjustsContracts && listings.includes(marginGroup(instrument));
}
