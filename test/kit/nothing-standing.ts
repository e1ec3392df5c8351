import { GttBook } from '../../src/core/broker/gtt/gtt-book.ts';
import { AccountSet } from '../../src/core/portions/account-set.ts';
import { AwaitedOutcomes } from '../../src/core/scenarios/awaited-outcomes.ts';
import { StandingTriggers } from '../../src/core/standing/standing-triggers.ts';
import type { State } from '../../src/core/state.ts';

/** The part of a state in which nothing waits for a price over days, for an instant, or for the risk desk. */
export function nothingStanding(): Pick<State, 'gtts' | 'standing' | 'outcomes' | 'watched'> {
  const standing = new StandingTriggers();
  return { gtts: new GttBook(), standing, outcomes: new AwaitedOutcomes(), watched: new AccountSet() };
}
