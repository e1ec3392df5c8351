import type { Event } from './event.ts';
import type { Reply } from './reply.ts';

/** The result of a command: its events and the answer. */
export interface Decision {
  readonly events: readonly Event[];
  readonly reply: Reply;
}
