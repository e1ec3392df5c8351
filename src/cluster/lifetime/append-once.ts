import { type Lane, LaneUnreachable } from '../lanes/lane.ts';

/** A lane that does not answer this number of appends of one message is not reached. */
const TRIES = 20;

/**
 * Appends a message after `expectedLast`, and tries the same bytes until the outcome is known. True when it stands
 * there, false when another message does. Rejects with `LaneUnreachable`.
 */
export async function appendOnce(lane: Lane, expectedLast: number, bytes: Uint8Array): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const outcome = await lane.append(expectedLast, bytes);
    if (outcome.type === 'Stored') return true;
    if (outcome.type === 'Unknown') continue;
    const [standing] = await lane.read(expectedLast);
    if (standing !== undefined) return Buffer.compare(standing.bytes, bytes) === 0;
  }
  throw new LaneUnreachable(`lane ${lane.name} does not say whether it took a message`);
}
