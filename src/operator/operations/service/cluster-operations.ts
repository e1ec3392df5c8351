/** How operators read where a member stands in its cluster, and how they move the leader. */

/** A log of the cluster as this member reaches it. */
export interface LaneReport {
  readonly name: string;
  /** The position of the last message; absent when the lane did not answer. */
  readonly last?: number;
  /** The server of the log that leads it; absent when the log did not answer, or has no servers. */
  readonly ledBy?: string;
  /** True when that server is on this member's machine; absent like `ledBy`. */
  readonly isLedBeside?: boolean;
}

/** Where one member stands. */
export interface ClusterReport {
  /** The name of this member in the cluster file. */
  readonly member: string;
  readonly role: 'Follower' | 'Candidate' | 'Leader' | 'Gone';
  /** The number of the leader's time; 0 before the first leader. */
  readonly epoch: number;
  /** The member that leads, and its V1 address; both absent while none is known. */
  readonly leader?: string;
  readonly leaderAddress?: string;
  /** Records that the leader has made and this member has not taken, and the age of the oldest of them. */
  readonly behindRecords: number;
  readonly behindMs: number;
  readonly isCaughtUp: boolean;
  /** Why this member would not lead now; absent when it would. */
  readonly notElectable?: string;
  /** The leader's clock as seen from here; absent before anything was heard. */
  readonly clockApartMs?: number;
  /** Whether a leader may answer questions: no other member can lead now. */
  readonly mayAnswerReads: boolean;
  /** How the log is not as it must be, in sentences; absent when it is, and at a follower, which does not ask. */
  readonly logFaults?: readonly string[];
  readonly lanes: readonly LaneReport[];
  /** The names of all members. */
  readonly members: readonly string[];
}

/** The cluster as operators see it at one member. */
export interface ClusterOperations {
  report(): Promise<ClusterReport>;
  /** The same without the lanes, at once: for figures. */
  standing(): Omit<ClusterReport, 'lanes'>;
  /**
   * Gives the leader's place to another member; this one finishes what it took, and ends. Resolves with the reason when
   * it is refused: this member does not lead, or there is no such member.
   */
  handOver(to: string): Promise<string | undefined>;
}
