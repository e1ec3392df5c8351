import type { IstDay } from '../../../base/time.ts';
import type { DecisionPorts } from '../../ports.ts';
import { standingEnds } from '../../standing/standing-ends.ts';
import type { State } from '../../state.ts';
import type { GttCancelled } from './gtt-events.ts';
import { isGttLive } from './gtt-life-cycle.ts';

/** The events that end GTTs as the day of the state begins. One whose trigger has fired outlives its year. */
export function gttsEnded(state: State, ports: DecisionPorts, dayBefore: IstDay): GttCancelled[] {
  const endOf = standingEnds(state, ports, dayBefore);
  const events: GttCancelled[] = [];
  for (const gtt of state.gtts.values()) {
    if (!isGttLive(gtt.status)) continue;
    const reason = endOf(gtt);
    if (reason === undefined || (reason === 'YearOver' && gtt.status === 'Triggered')) continue;
    events.push({ type: 'GttCancelled', gtt: gtt.number, account: gtt.account, reason });
  }
  return events;
}
