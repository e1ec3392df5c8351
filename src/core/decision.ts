import type { Event } from './event.ts';
import type { Reply } from './reply.ts';

/** What a command comes to: what happened, and the answer. */
export interface Decision {
  readonly events: readonly Event[];
  readonly reply: Reply;
}
