import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';

/** Records as lines of JSON. */
export const RECORD_VERSION = 1;

/** One command and its events: the unit of history. Recovery folds the events; the command can be decided again. */
export interface JournalRecord {
  /** Dense from 1. */
  readonly seq: number;
  /** Never before the record in front of it. */
  readonly at: EpochMs;
  readonly command: Command;
  /** At least one: a command that changed nothing is not recorded. */
  readonly events: readonly Event[];
}
