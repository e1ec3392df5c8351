/**
 * The way of a candidate to the place of the leader: it fences the lanes in their order, each after everything that
 * it has read of it, folds the rest, and waits until the lease of the leader before it is over. Source:
 * docs/cluster/protocol.md.
 */

import type { Replica } from '../../journal/replica.ts';
import type { ClusterLimits } from '../cluster-limits.ts';
import type { ClusterTime } from '../cluster-time.ts';
import type { Follower } from '../follower.ts';
import type { Epoch, EpochMessage } from '../message.ts';
import { encodeMessage } from '../message-codec.ts';
import { pause } from '../patience.ts';
import type { FencedLane } from './lane-writer.ts';

export interface CandidacyParts<R extends Replica> {
  readonly name: string;
  readonly follower: Follower<R>;
  readonly time: ClusterTime;
  readonly limits: ClusterLimits;
  /** True when the leader before gave its place to this member: then it has no lease any more. */
  readonly handedOver: boolean;
  /** When the last message of another member was read, in monotonic milliseconds. */
  readonly lastHeard: () => number;
  /** True while the leader before is heard of, so that a candidate that has stored nothing steps back. */
  readonly leaderLives: () => boolean;
  /** True when the member has ended. */
  readonly isOver: () => boolean;
  /** As of `MemberParts`. */
  readonly passed: (step: string) => void;
}

const OVER = 'this member has ended';

/** All lanes are fenced, and everything before the fences is folded. */
export interface Won {
  readonly epoch: Epoch;
  readonly lanes: readonly FencedLane[];
  /** When the last fence began, in monotonic milliseconds: the first lease counts from there. */
  readonly began: number;
}

/** One try to lead. Resolves with why it ended, when another member is ahead of it or the leader lives. */
export async function standForLeader<R extends Replica>(parts: CandidacyParts<R>): Promise<Won | string> {
  const { follower, time, name, handedOver, limits } = parts;
  const epoch = (follower.history.epoch + 1) as Epoch;
  const message: EpochMessage = { type: 'Epoch', epoch, member: name, wall: time.wall(), handedOver };
  const bytes = encodeMessage(message);
  const lanes: FencedLane[] = [];
  let began = time.elapsed();
  for (const [index, { lane }] of follower.places.entries()) {
    began = time.elapsed();
    const position = await fence(parts, index, message, bytes);
    if (typeof position === 'string') return position;
    lanes.push({ lane, position });
    parts.passed(`lane ${lane.name} fenced`);
  }
  // A fence stands right behind the last message that was read, so everything in front of the fences was read.
  if (follower.history.hasHole) throw follower.history.hole();
  await follower.folded();
  parts.passed('history folded');
  while (!handedOver && time.elapsed() < parts.lastHeard() + limits.silenceMs) await pause(time, limits.pollMs);
  if (parts.isOver()) return OVER;
  if (follower.history.epoch > epoch) return `epoch ${follower.history.epoch} has begun`;
  return { epoch, lanes, began };
}

/** Appends the fence to one lane. Gives its position, or why it gave up. */
async function fence<R extends Replica>(
  parts: CandidacyParts<R>,
  index: number,
  message: EpochMessage,
  bytes: Uint8Array,
): Promise<number | string> {
  const { follower, time, limits } = parts;
  const place = follower.place(index);
  let isSent = index > 0;
  for (;;) {
    const before = follower.history.fenceOf(index);
    if (follower.history.epochOf(index) >= message.epoch) {
      const isOwn = before?.epoch === message.epoch && isSame(before, message);
      return isOwn ? before.position : `epoch ${follower.history.epochOf(index)} has begun in lane ${place.lane.name}`;
    }
    if (parts.isOver()) return OVER;
    if (!isSent && parts.leaderLives()) return 'the leader lives';
    const outcome = await place.lane.append(place.position, bytes);
    if (outcome.type !== 'Stored') parts.passed(`fence of lane ${place.lane.name}: ${outcome.type}`);
    if (outcome.type === 'Stored') return outcome.position;
    // A fence that may be stored later has to be followed up: the leader cannot pass it.
    isSent ||= outcome.type === 'Unknown';
    if ((await follower.pull(index)) !== 'Messages') await pause(time, limits.pollMs);
  }
}

function isSame(stored: EpochMessage, own: EpochMessage): boolean {
  return stored.member === own.member && stored.wall === Math.trunc(own.wall);
}
