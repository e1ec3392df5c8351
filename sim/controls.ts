import type { Command } from '../src/core/command.ts';
import type { Event } from '../src/core/event.ts';
import type { State } from '../src/core/state.ts';
import type { NaiveJudge } from './checks/lock-step.ts';

/** Something that is taken away or spoiled in a run that must fail: the proof that a check bites. */
export interface Controls {
  /** Flushes of the disk do nothing. */
  readonly liesInFlushes?: true;
  /** Flushes of the journal's segments do nothing; those of the mark do. */
  readonly liesInSegments?: true;
  /** Replies do not wait for the disk. */
  readonly repliesAtOnce?: true;
  /** The oracle's naive books follow another rule. */
  readonly judge?: NaiveJudge;
  /** Spoils the state behind the back of the records, once they were applied. */
  readonly spoil?: (state: State, command: Command, events: readonly Event[]) => void;
  /** No crash, no fault. */
  readonly calm?: true;
}
