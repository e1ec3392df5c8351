import { lastSeq } from '../../journal/chain.ts';
import { type Lane, type LaneMessage, LaneTrimmed } from '../lanes/lane.ts';
import { decodeMessage } from '../message-codec.ts';

/**
 * A position of a lane before which every group ends at or before `seq`, so a reader that has the history up to there
 * begins behind it. It is before the last message, which names the epoch. The numbers in a lane rise, so it is found
 * by halving. At the first position that the lane keeps when that is later. Rejects with `LaneUnreachable` and
 * `UnreadableMessage`.
 */
export async function findStart(lane: Lane, seq: number): Promise<number> {
  let low = 0;
  let high = Math.max(0, (await lane.last()) - 1);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await look(lane, middle);
    if (found === 'Trimmed') low = middle + 1;
    else if (found === undefined || found.seq > seq) high = middle;
    else low = Math.max(found.position, middle + 1);
  }
  return low;
}

interface Numbered {
  readonly position: number;
  readonly seq: number;
}

/** The first message behind a position that names a number; `undefined` when none of those that were read does. */
async function look(lane: Lane, after: number): Promise<Numbered | 'Trimmed' | undefined> {
  let messages: readonly LaneMessage[];
  try {
    messages = await lane.read(after);
  } catch (error) {
    if (error instanceof LaneTrimmed) return 'Trimmed';
    throw error;
  }
  for (const { position, bytes } of messages) {
    const message = decodeMessage(bytes);
    if (message.type === 'Group') return { position, seq: lastSeq(message.group) };
    if (message.type === 'Beat') return { position, seq: message.head.seq };
  }
  return undefined;
}
