import type { EpochMs, WallMs } from '../../base/time.ts';
import type { Command } from '../../core/command.ts';
import type { Reply } from '../../core/reply.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { Origin } from '../port.ts';

/** The facts of a decision that the journal does not keep. */
export interface DecisionContext {
  readonly origin: Origin;
  /** Wall time of the decision. */
  readonly utc: WallMs;
  readonly reply: Reply;
}

/** A record that is durable. Its parts are shared: a subscriber changes nothing of it. */
export interface DurableRecord extends JournalRecord {
  /** Of a record that this process decided; absent when it was read from the journal. */
  readonly context?: DecisionContext;
}

/** A command that changed nothing, so that it has no record. */
export interface UnrecordedDecision {
  readonly at: EpochMs;
  readonly command: Command;
  readonly context: DecisionContext;
}
