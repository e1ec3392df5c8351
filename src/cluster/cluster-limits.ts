/** The waits and bounds of a member. Times are in milliseconds; all members of a cluster have the same. */

export interface ClusterLimits {
  /**
   * A leader of which nothing was heard for this long is taken to be gone. It must be longer than the longest turn of
   * the leader's event loop, and longer than `beatMs` and `giveUpMs` together.
   */
  readonly silenceMs: number;
  /** A leader that has had nothing to append for this long gives a sign of life. */
  readonly beatMs: number;
  /**
   * A leader of which nothing was heard for this long may be gone: requests that come to the others wait for a leader.
   * Longer than `beatMs` with what a loaded log needs, and shorter than the silence.
   */
  readonly suspectMs: number;
  /**
   * For this long after the place of the leader was given away or taken, work that can wait leaves the processors and
   * the disk to those who wait for a leader.
   */
  readonly settleMs: number;
  /** Nobody waits for a leader any more when nothing was heard of one for this long after the silence. */
  readonly awaitMs: number;
  /** A lane that has not answered for this long is left: an append goes to the other lane, a read is tried again. */
  readonly giveUpMs: number;
  /** The same for an append where the log answers quickly as a rule (`leading/lane-patience.ts`). */
  readonly leastGiveUpMs: number;
  /**
   * A lane that its leader has not tried for this long gets the next message. Below the time for which lanes keep
   * messages: a reader that begins finds no end in a lane that has let go of all.
   */
  readonly restMs: number;
  /** A member waits longer than the one before it in the cluster file by this time before it becomes a candidate. */
  readonly staggerMs: number;
  /** The pause of a reader at the end of a lane. */
  readonly pollMs: number;
  /** A follower is caught up while no group has waited longer than this to be folded. */
  readonly caughtUpMs: number;
  /** Groups that no lane shows for this long, although later ones are there, are lost. */
  readonly holeMs: number;
  /** A member whose clock is further than this from the leader's lets every other member stand before it. */
  readonly clockApartMs: number;
  /**
   * It waits longer than the others by this time. It must be longer than the staggers of all members and a candidacy
   * together.
   */
  readonly clockHoldMs: number;
  /**
   * A group whose body is longer goes in several messages. In bytes, below what a lane takes, and so that a slow log
   * stores one well within the silence: each is a sign of life.
   */
  readonly partBytes: number;
  /** The groups that may wait for the archive, in bytes of their bodies. */
  readonly archiveBytes: number;
  /** The groups that a follower may have read and not folded, in bytes of their bodies, for each lane. */
  readonly unfoldedBytes: number;
}

export const CLUSTER_LIMITS: ClusterLimits = {
  silenceMs: 600,
  beatMs: 200,
  suspectMs: 400,
  settleMs: 1_000,
  awaitMs: 1_500,
  giveUpMs: 250,
  leastGiveUpMs: 80,
  restMs: 20 * 60_000,
  staggerMs: 100,
  pollMs: 10,
  caughtUpMs: 200,
  holeMs: 10_000,
  clockApartMs: 1_000,
  clockHoldMs: 2_500,
  partBytes: 1024 * 1024,
  archiveBytes: 256 * 1024 * 1024,
  unfoldedBytes: 64 * 1024 * 1024,
};
