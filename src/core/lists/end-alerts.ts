import type { IstDay } from '../../base/time.ts';
import type { DecisionPorts } from '../ports.ts';
import { standingEnds } from '../standing/standing-ends.ts';
import type { State } from '../state.ts';
import type { AlertExpired } from './list-events.ts';

/** The events of the alerts that end as the day of the state begins. */
export function alertsEnded(state: State, ports: DecisionPorts, dayBefore: IstDay): AlertExpired[] {
  const endOf = standingEnds(state, ports, dayBefore);
  const events: AlertExpired[] = [];
  for (const alert of state.alerts.values()) {
    if (alert.end !== undefined || endOf(alert) === undefined) continue;
    events.push({ type: 'AlertExpired', alert: alert.number, account: alert.account });
  }
  return events;
}
