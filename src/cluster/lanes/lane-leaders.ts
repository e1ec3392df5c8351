/**
 * Which servers of the log are to lead the lanes. A lane whose server is lost stands still until the log has elected
 * another one, which takes longer than the service's takeover. So one loss is to stop one lane at most, and none when
 * it takes the leader of the service too: the lanes are led by two servers, and by none on the leader's machine.
 */

/** A lane as its servers report it. */
export interface LaneStanding {
  readonly name: string;
  /** The name of the server that leads it; blank while none does. */
  readonly leader: string;
  readonly servers: readonly string[];
  /** True while it has a leader and all its other servers have everything. */
  readonly isWhole: boolean;
}

/** The next step to good places. */
export type LaneMove =
  /** The lanes are led where they are to be. */
  | { readonly type: 'None' }
  /** Something is to be moved, and a server is away or behind: nothing is moved meanwhile. */
  | { readonly type: 'Later' }
  /** The lane in use is to be moved: the leader goes on in the other one first, so no append waits for the move. */
  | { readonly type: 'Leave' }
  | { readonly type: 'Move'; readonly lane: string; readonly server: string };

/**
 * The next step for the lane that the leader uses and the other one. `beside` is the name of the server on the leader's
 * machine; `undefined` where there is none.
 */
export function nextMove(used: LaneStanding, other: LaneStanding, beside: string | undefined): LaneMove {
  const isOtherMisplaced = other.leader === beside || other.leader === used.leader;
  if (!isOtherMisplaced && used.leader !== beside) return { type: 'None' };
  if (!used.isWhole || !other.isWhole) return { type: 'Later' };
  if (!isOtherMisplaced) return { type: 'Leave' };
  const server = other.servers.find((name) => name !== beside && name !== used.leader);
  return server === undefined ? { type: 'None' } : { type: 'Move', lane: other.name, server };
}
