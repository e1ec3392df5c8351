/**
 * The alerts that expire as a trading day begins: a year is over, the contract has expired, or a corporate action
 * changes the meaning of the instrument's prices. They end before the day's first price, so none fires by mistake.
 */

import { type IstDay, istDay } from '../../base/time.ts';
import type { CorporateAction } from '../broker/corporate-actions/corporate-action.ts';
import { actionsInEffect } from '../broker/corporate-actions/corporate-action-effects.ts';
import { type Instrument, isDerivative, marginGroup } from '../instrument.ts';
import type { DecisionPorts } from '../ports.ts';
import type { State } from '../state.ts';
import type { Alert } from './alert.ts';
import type { AlertExpired } from './list-events.ts';

/** An alert can fire up to this number of days after the day on which it was placed. */
const ALERT_DAYS = 365;

/** The events of the alerts that end as the day of the state begins. */
export function alertsEnded(state: State, { instruments }: DecisionPorts, dayBefore: IstDay): AlertExpired[] {
  const actions = actionsInEffect(state, dayBefore);
  const events: AlertExpired[] = [];
  for (const alert of state.alerts.values()) {
    if (alert.end !== undefined || !isOver(alert, instruments.get(alert.instrument), state.day, actions)) continue;
    events.push({ type: 'AlertExpired', alert: alert.number, account: alert.account });
  }
  return events;
}

function isOver(
  { placedAt }: Alert,
  instrument: Instrument | undefined,
  day: IstDay,
  actions: readonly CorporateAction[],
): boolean {
  if (day > istDay(placedAt) + ALERT_DAYS || instrument === undefined) return true;
  if (isDerivative(instrument) && instrument.expiryDay < day) return true;
  return actions.some((action) => adjusts(action, instrument));
}

/**
 * True for a bonus, a split and a special dividend, after which prices of the instrument mean something else. After any
 * other dividend alerts stay as they are. Source: market-rules R7.6.
 */
function adjusts({ listings, adjustsContracts }: CorporateAction, instrument: Instrument): boolean {
  return adjustsContracts && listings.includes(marginGroup(instrument));
}
