import { GttBook } from '../../src/core/broker/gtt/gtt-book.ts';
import { AwaitedOutcomes } from '../../src/core/scenarios/awaited-outcomes.ts';
import { StandingTriggers } from '../../src/core/standing/standing-triggers.ts';
import type { State } from '../../src/core/state.ts';

/** The part of a state in which nothing waits for a price over days, or for an instant. */
export function nothingStanding(): Pick<State, 'gtts' | 'standing' | 'outcomes'> {
  return { gtts: new GttBook(), standing: new StandingTriggers(), outcomes: new AwaitedOutcomes() };
}
