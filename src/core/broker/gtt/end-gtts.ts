/**
 * The GTTs that end as a trading day begins: their year is over, their contract has expired, or a corporate action
 * changes the terms of their instrument. They end before the day's first price, so none fires in wrong terms.
 */

import { DAY_MS, type IstDay, istDay } from '../../../base/time.ts';
import type { Event } from '../../event.ts';
import { type Instrument, isDerivative, marginGroup } from '../../instrument.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import type { CorporateAction } from '../corporate-actions/corporate-action.ts';
import { actionsInEffect } from '../corporate-actions/corporate-action-effects.ts';
import type { Gtt, GttEnd } from './gtt.ts';
import { isGttLive } from './gtt-life-cycle.ts';

/** A GTT lives for this number of calendar days. */
const GTT_DAYS = 365;

/** The events that end GTTs as the day of the state begins. */
export function gttsEnded(state: State, ports: DecisionPorts, dayBefore: IstDay): Event[] {
  const actions = actionsInEffect(state, dayBefore);
  const events: Event[] = [];
  for (const gtt of state.gtts.values()) {
    if (!isGttLive(gtt.status)) continue;
    const reason = endOf(gtt, ports.instruments.get(gtt.instrument), state.day, actions);
    if (reason !== undefined) events.push({ type: 'GttCancelled', gtt: gtt.number, account: gtt.account, reason });
  }
  return events;
}

function endOf(
  gtt: Gtt,
  instrument: Instrument | undefined,
  day: IstDay,
  actions: readonly CorporateAction[],
): GttEnd | undefined {
  if (instrument === undefined) return 'InstrumentEnded';
  if (actions.some((action) => adjusts(action, instrument))) return 'CorporateAction';
  if (isDerivative(instrument) && instrument.expiryDay < day) return 'InstrumentEnded';
  return gtt.status === 'Active' && day > lastDayOf(gtt) ? 'YearOver' : undefined;
}

/**
 * True for an action after which prices and quantities of the instrument mean something else: a bonus or a split, and a
 * special dividend. After any other dividend triggers stay as they are. Source: market-rules R7.6.
 */
function adjusts({ listings, adjustsContracts }: CorporateAction, instrument: Instrument): boolean {
  return adjustsContracts && listings.includes(marginGroup(instrument));
}

/** The last calendar day on which a GTT can fire. */
export function lastDayOf({ placedAt }: Pick<Gtt, 'placedAt'>): IstDay {
  return istDay((placedAt + GTT_DAYS * DAY_MS) as Gtt['placedAt']);
}
