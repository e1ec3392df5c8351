import type { Event } from './event.ts';
import type { Reply } from './reply.ts';

/** The result of a command: its events and the answer. `step` adds the events that follow to the same list. */
export interface Decision {
  readonly events: Event[];
  readonly reply: Reply;
}
