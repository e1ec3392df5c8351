import { lastSeq } from '../../journal/chain.ts';
import type { Lane, LaneMessage } from '../lanes/lane.ts';
import { decodeMessage } from '../message-codec.ts';
import { halveLane, type Looked } from './halve-lane.ts';

/**
 * A position of a lane before which every group ends at or before `seq`, so a reader that has the history up to there
 * begins after it. It is before the last message, which names the epoch. The numbers in a lane rise, so it is found
 * by halving. At the first position that the lane keeps when that is later. Rejects with `LaneUnreachable` and
 * `UnreadableMessage`.
 */
export async function findStart(lane: Lane, seq: number): Promise<number> {
  return halveLane(lane, Math.max(0, (await lane.last()) - 1), (messages) => firstNumbered(messages, seq));
}

/** The first message that names a number; `undefined` when none of those that were read does. */
function firstNumbered(messages: readonly LaneMessage[], seq: number): Looked | undefined {
  for (const { position, bytes } of messages) {
    const message = decodeMessage(bytes);
    if (message.type === 'Group') return { position, isBeyond: lastSeq(message.group) > seq };
    if ('head' in message) return { position, isBeyond: message.head.seq > seq };
  }
  return undefined;
}
