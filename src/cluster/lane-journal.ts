/**
 * The journal of a leader: each group goes to a lane, and is durable when the lane says so. The files of the leader are
 * the archive, which is written behind the lane.
 */

import type { Group, Head, Journal, StoredGroup } from '../journal/journal.ts';

export declare class LaneJournal implements Journal {
  readonly name: string;
  head(): Head;
  begin(): number;
  /** Rejects with `Fenced` alone: an append whose outcome is unknown is tried until it is known. */
  append(group: Group): Promise<Head>;
  isFull(): boolean;
  groups(after: number): Iterable<StoredGroup>;
  hashAt(seq: number): string | undefined;
  close(): Promise<void>;
}
