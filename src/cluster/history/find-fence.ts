import type { Lane, LaneMessage } from '../lanes/lane.ts';
import type { ClusterMessage, EpochMessage } from '../message.ts';
import { decodeMessage } from '../message-codec.ts';
import { halveLane, readBehind } from './halve-lane.ts';

/** A fence and its position in its lane. */
export type PlacedFence = EpochMessage & { readonly position: number };

/**
 * The fence of the epoch in which a reader of a lane begins after the position `after`: it names the leader, and it
 * may lie far before. Epochs in a lane rise, so it is found by halving. `undefined` when the reader meets it by itself,
 * and when the lane does not keep it any more. Rejects with `LaneUnreachable` and `UnreadableMessage`.
 */
export async function findFence(lane: Lane, after: number): Promise<PlacedFence | undefined> {
  const begin = firstOf(await readBehind(lane, after));
  if (begin === undefined || begin.message.type === 'Epoch') return undefined;
  const { epoch } = begin.message;
  const place = await halveLane(lane, after, (messages) => {
    const first = firstOf(messages);
    return first && { position: first.position, isBeyond: first.message.epoch >= epoch };
  });
  const first = firstOf(await readBehind(lane, place));
  if (first?.message.type !== 'Epoch' || first.message.epoch !== epoch) return undefined;
  return { ...first.message, position: first.position };
}

function firstOf(
  messages: readonly LaneMessage[] | undefined,
): { readonly position: number; readonly message: ClusterMessage } | undefined {
  const first = messages?.[0];
  return first && { position: first.position, message: decodeMessage(first.bytes) };
}
