import type { EpochMs } from '../base/time.ts';
import type { Event } from './event.ts';
import type { Refusal } from './refusals/refusal.ts';
import type { Reply } from './reply.ts';

/** The result of a command: its events and the answer. `step` adds the events that follow to the same list. */
export interface Decision {
  readonly events: Event[];
  readonly reply: Reply;
}

/** The decision of a refused command. `events`: those of the refusal itself; none when absent. */
export function refused(refusal: Refusal, at: EpochMs, events: Event[] = []): Decision {
  return { events, reply: { type: 'Refused', refusal, at } };
}
