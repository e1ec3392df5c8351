/**
 * Price alerts: how they are placed, fire, and are cancelled. An alert moves no money and no order. `end-alerts.ts`
 * ends those that can fire no longer.
 */

import { assert } from '../../base/assert.ts';
import type { AlertNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Decision } from '../decision.ts';
import { type DecisionPorts, instrumentOf } from '../ports.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { pricesSeen } from '../standing/prices-seen.ts';
import type { SeenPrice, StandingTrigger } from '../standing/standing-trigger.ts';
import type { State } from '../state.ts';
import { venueOf } from '../venue-of.ts';
import { type Alert, type AlertEnd, isMet, triggerOf } from './alert.ts';
import type { CancelAlert, PlaceAlert } from './list-commands.ts';
import type { AlertCancelled, AlertExpired, AlertFired, AlertPlaced } from './list-events.ts';

/** The largest number of active alerts of an account. */
export const MOST_ACTIVE_ALERTS = 200;
/** The largest number of active alerts on one instrument: one price can fire all of them in one record. */
export const MOST_ALERTS_ON_INSTRUMENT = 10_000;

/** Takes an alert; one whose condition holds already fires at once. Its number is that of its record. */
export function decidePlaceAlert(state: State, ports: DecisionPorts, at: EpochMs, command: PlaceAlert): Decision {
  const refusal = refusalOf(state, command);
  if (refusal !== undefined) return { events: [], reply: { type: 'Refused', refusal, at } };
  const { account, instrument, way, price, remarks } = command;
  assert(price > 0, 'an alert has a price');
  const alert = (state.seq + 1) as AlertNumber;
  const placed: AlertPlaced = { type: 'AlertPlaced', alert, account, instrument, way, price, remarks };
  const last = pricesSeen(venueOf(state, ports, instrumentOf(ports, instrument)), []).at(-1);
  const fires = last !== undefined && isMet(command, last);
  const fired: AlertFired[] = fires ? [{ type: 'AlertFired', alert, account, price: last, tick: ports.tick }] : [];
  return { events: [placed, ...fired], reply: { type: 'AlertPlaced', alert, at } };
}

function refusalOf({ alerts }: State, { account, instrument }: PlaceAlert): Refusal | undefined {
  if (alerts.activeCountOf(account) >= MOST_ACTIVE_ALERTS) return { rule: 'TooManyAlerts', most: MOST_ACTIVE_ALERTS };
  return alerts.activeCountOn(instrument) >= MOST_ALERTS_ON_INSTRUMENT ? { rule: 'InstrumentFullOfAlerts' } : undefined;
}

/** The events of an alert to whose price a last traded price came. */
export function alertFired({ alerts }: State, { number }: StandingTrigger, { price, tick }: SeenPrice): AlertFired[] {
  const { number: alert, account } = alerts.activeOf(number as AlertNumber);
  return [{ type: 'AlertFired', alert, account, price, tick }];
}

/** Ends an active alert. An alert of another client is treated as unknown. Source: contract W22. */
export function decideCancelAlert({ alerts }: State, { account, alert }: CancelAlert): AlertCancelled[] | Refusal {
  const known = alerts.get(account, alert);
  if (known === undefined) return { rule: 'AlertNotFound' };
  return known.end === undefined ? [{ type: 'AlertCancelled', alert, account }] : { rule: 'AlertHasEnded' };
}

/** Files an active alert and arms it. */
export function applyAlertPlaced(state: State, placedAt: EpochMs, event: AlertPlaced): void {
  const { alert: number, account, instrument, way, price, remarks } = event;
  fileAlert(state, { number, account, instrument, way, price, remarks, placedAt });
}

/** Files an alert that is new, or that a snapshot holds, and arms it while it is active. */
export function fileAlert({ alerts, standing }: State, alert: Alert): void {
  alerts.file(alert);
  if (alert.end === undefined) standing.arm(triggerOf(alert));
}

/** Ends an active alert at the price that fired it, in paise. Throws for another one. */
export function applyAlertFired(state: State, at: EpochMs, { alert, price }: AlertFired): void {
  end(state, alert, { how: 'Fired', at, price });
}

/** Ends an active alert that its user cancelled. Throws for another one. */
export function applyAlertCancelled(state: State, at: EpochMs, { alert }: AlertCancelled): void {
  end(state, alert, { how: 'Cancelled', at });
}

/** Ends an active alert whose time is over. Throws for another one. */
export function applyAlertExpired(state: State, at: EpochMs, { alert }: AlertExpired): void {
  end(state, alert, { how: 'Expired', at });
}

function end({ alerts, standing }: State, number: AlertNumber, how: AlertEnd): void {
  standing.disarm(triggerOf(alerts.activeOf(number)));
  alerts.end(number, how);
}
