/**
 * One member of a cluster, and its way through the roles: it follows the leader, becomes a candidate when the leader
 * falls silent, fences the lanes and leads, and is gone when another member fences it. Source: docs/cluster-protocol.md.
 */

import type { Journal } from '../journal/journal.ts';
import type { Replica } from '../journal/replica.ts';
import type { ClusterLimits } from './cluster-limits.ts';
import type { ClusterTime } from './cluster-time.ts';
import type { LaneJournal } from './lane-journal.ts';
import type { Lane } from './lanes/lane.ts';
import type { Epoch } from './message.ts';

export type Role = 'Follower' | 'Candidate' | 'Leader' | 'Gone';

/** How far a follower is behind its leader. */
export interface Behind {
  /** Records that the leader has made and this member has not folded. */
  readonly records: number;
  /** How long the oldest of them that was read has waited, in milliseconds. */
  readonly ms: number;
}

/** Everything that a new leader's engine needs. */
export interface Promotion<R extends Replica> {
  readonly epoch: Epoch;
  /** At the head of the journal. */
  readonly replica: R;
  readonly journal: LaneJournal;
}

export interface MemberParts<R extends Replica> {
  /** The name of the member in the cluster file. */
  readonly name: string;
  /** The place of the member in the cluster file, from 0: members become candidates in this order. */
  readonly rank: number;
  /** One or two lanes, in the same order at all members: they are fenced in this order. */
  readonly lanes: readonly Lane[];
  /** Recovered to the head of the archive. */
  readonly replica: R;
  /** The files of this member, opened and recovered. Written behind the lanes. */
  readonly archive: Journal;
  readonly time: ClusterTime;
  readonly limits?: Partial<ClusterLimits>;
  /** Called once, when this member leads: the caller makes the engine. */
  readonly promote: (won: Promotion<R>) => void;
  /**
   * Called once, when the member is gone: `Fenced`, `JournalDamaged`, a failure of the archive, or `undefined` after a
   * handover in order. Nothing is acknowledged afterwards.
   */
  readonly gone: (error: Error | undefined) => void;
  /** Receives what an operator has to know. */
  readonly alarm: (words: string) => void;
}

export interface MemberStatus {
  readonly role: Role;
  /** The newest epoch that was read; 0 before the first. */
  readonly epoch: number;
  /** The member that leads that epoch; `undefined` before the first. */
  readonly leader: string | undefined;
  readonly behind: Behind;
  readonly isCaughtUp: boolean;
  /** The leader's clock as seen from here, in milliseconds; `undefined` before anything was heard. */
  readonly clockApartMs: number | undefined;
  readonly mayAnswerReads: boolean;
  /** Why this member would not become a candidate now; `undefined` when it would. */
  readonly notElectable: string | undefined;
}

export declare class Member<R extends Replica> {
  constructor(parts: MemberParts<R>);
  /** Begins to read the lanes. Returns at once. */
  start(): void;
  get role(): Role;
  status(): MemberStatus;
  /** True while no other member can have led: see `lease.ts`. */
  mayAnswerReads(): boolean;
  /**
   * Gives the place of the leader to the member `to`. The engine was drained before. Rejects with `Fenced`. The member
   * is gone afterwards.
   */
  handOver(to: string): Promise<void>;
  /** Reads and writes nothing more, and closes the archive. The lanes stay open. */
  close(): Promise<void>;
}
