import { gttTriggered } from '../broker/gtt/fire-gtt.ts';
import type { Event } from '../event.ts';
import { alertFired } from '../lists/alerts.ts';
import type { State } from '../state.ts';
import type { SeenPrice, StandingTrigger, TriggerOwner } from './standing-trigger.ts';

/** The events that follow when a last traded price comes to a trigger. They must disarm it. */
type Follow = (state: State, trigger: StandingTrigger, seen: SeenPrice) => readonly Event[];

const FOLLOW: { readonly [Owner in TriggerOwner]: Follow } = {
  Gtt: gttTriggered,
  Alert: alertFired,
};

/** The events of a trigger that a price came to. Its owner decides them, and they disarm it. */
export function followTrigger(state: State, trigger: StandingTrigger, seen: SeenPrice): readonly Event[] {
  return FOLLOW[trigger.owner](state, trigger, seen);
}
