import { GttBook } from '../../src/core/broker/gtt/gtt-book.ts';
import { StandingTriggers } from '../../src/core/standing/standing-triggers.ts';
import type { State } from '../../src/core/state.ts';

/** The part of a state in which nothing waits for a price over days. */
export function nothingStanding(): Pick<State, 'gtts' | 'standing'> {
  return { gtts: new GttBook(), standing: new StandingTriggers() };
}
