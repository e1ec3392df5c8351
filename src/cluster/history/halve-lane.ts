import { type Lane, type LaneMessage, LaneTrimmed } from '../lanes/lane.ts';

/** A message of a lane, and whether it is beyond the place that is looked for. */
export interface Looked {
  readonly position: number;
  readonly isBeyond: boolean;
}

/**
 * The last position of a lane, not above `high`, before which no message is beyond what is looked for; found by
 * halving, since messages that are beyond follow those that are not. At the first position that the lane keeps when
 * that is later. `look`: judges the messages after a position; `undefined`, when it can judge none, counts as beyond.
 * Rejects with `LaneUnreachable`, and with what `look` throws.
 */
export async function halveLane(
  lane: Lane,
  high: number,
  look: (messages: readonly LaneMessage[]) => Looked | undefined,
): Promise<number> {
  let low = 0;
  let end = high;
  while (low < end) {
    const middle = Math.floor((low + end) / 2);
    const messages = await readBehind(lane, middle);
    const found = messages && look(messages);
    if (messages === undefined) low = middle + 1;
    else if (found === undefined || found.isBeyond) end = middle;
    else low = Math.max(found.position, middle + 1);
  }
  return low;
}

/** The next messages after a position; `undefined` when the lane does not keep them any more. */
export async function readBehind(lane: Lane, after: number): Promise<readonly LaneMessage[] | undefined> {
  try {
    return await lane.read(after);
  } catch (error) {
    if (error instanceof LaneTrimmed) return undefined;
    throw error;
  }
}
