/**
 * Ends a cluster: the last message of each lane, after everything that was read of it. No leader can append after it,
 * and no member leads that has read it, so the history is final. Source: docs/cluster/protocol.md.
 */
import type { WallMs } from '../../base/time.ts';
import type { Head } from '../../journal/journal.ts';
import type { Lane } from '../lanes/lane.ts';
import type { Epoch } from '../message.ts';
import { encodeMessage } from '../message-codec.ts';
import { appendOnce } from './append-once.ts';

/** A lane that was read to its end. */
export interface ReadLane {
  readonly lane: Lane;
  /** The position of its last message. */
  readonly position: number;
  /** The epoch of that message; 0 in an empty lane. */
  readonly epoch: number;
  /** True when the cluster was ended in it before. */
  readonly isEnded: boolean;
}

/**
 * Ends each lane, in the order in which leaders fence them. `head`: the end of what was read of all lanes together.
 * Gives a sentence for a lane that somebody else has written to meanwhile; the lanes after it are not ended then. May
 * be repeated. Rejects with `LaneUnreachable`.
 */
export async function endLanes(lanes: readonly ReadLane[], head: Head, wall: WallMs): Promise<string | undefined> {
  // The epoch of an end that stands in one of the lanes already is the highest of all.
  const isAgain = lanes.some(({ isEnded }) => isEnded);
  const epoch = (Math.max(...lanes.map((lane) => lane.epoch)) + (isAgain ? 0 : 1)) as Epoch;
  const bytes = encodeMessage({ type: 'End', epoch, wall, head });
  for (const { lane, position, isEnded } of lanes) {
    if (isEnded || (await appendOnce(lane, position, bytes))) continue;
    return `lane ${lane.name} was written to meanwhile: a member leads`;
  }
  return undefined;
}
