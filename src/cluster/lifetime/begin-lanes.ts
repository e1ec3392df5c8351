/**
 * Begins the lanes of a cluster with the history of one machine: the first message of each lane names its end. The
 * history itself is in no lane, so each member has it from a copy. Source: docs/cluster/protocol.md.
 */

import { fail, ok, type Result } from '../../base/result.ts';
import type { WallMs } from '../../base/time.ts';
import type { Head } from '../../journal/journal.ts';
import { type Lane, LaneTrimmed } from '../lanes/lane.ts';
import type { ClusterMessage, Epoch, OriginMessage } from '../message.ts';
import { decodeMessage, encodeMessage, UnreadableMessage } from '../message-codec.ts';
import { appendOnce } from './append-once.ts';

/** The history of the machine that the cluster begins with. Nobody writes to it meanwhile. */
export interface OwnHistory {
  readonly head: Head;
  /** The chain hash of the group that ends with a number; `undefined` when none ends there. */
  readonly hashAt: (seq: number) => string | undefined;
}

/** Where the lanes begin, and whether they began there before this call. */
export interface Begun {
  readonly head: Head;
  readonly wasBegun: boolean;
}

/**
 * Writes the first message of each lane, in their order. May be repeated when it stopped halfway, also when the history
 * has gone on since. Fails with a sentence, and changes nothing, for lanes that hold anything else. Rejects with
 * `LaneUnreachable`.
 */
export async function beginLanes(
  lanes: readonly Lane[],
  own: OwnHistory,
  wall: WallMs,
): Promise<Result<Begun, string>> {
  const firsts: (ClusterMessage | 'Foreign' | undefined)[] = [];
  for (const lane of lanes) firsts.push(await firstOf(lane));
  const origin = originOf(firsts[0]);
  const fault = beginFault(lanes, firsts, origin, own);
  if (fault !== undefined) return fail(fault);
  const head = origin?.head ?? own.head;
  const bytes = encodeMessage({ type: 'Origin', epoch: 1 as Epoch, wall, head });
  for (const [index, lane] of lanes.entries()) {
    if (firsts[index] !== undefined || (await appendOnce(lane, 0, bytes))) continue;
    return fail(`lane ${lane.name} was begun by somebody else at the same moment: try again`);
  }
  return ok({ head, wasBegun: firsts.every((first) => first !== undefined) });
}

/**
 * True when a lane begins with a message that a history was begun with: then the history is the cluster's, also when
 * `beginLanes` stopped at another lane. Rejects with `LaneUnreachable`.
 */
export async function isBegunWith(lane: Lane, { hashAt }: OwnHistory): Promise<boolean> {
  const head = originOf(await firstOf(lane))?.head;
  return head !== undefined && hashAt(head.seq) === head.hash;
}

function beginFault(
  lanes: readonly Lane[],
  firsts: readonly unknown[],
  origin: OriginMessage | undefined,
  { hashAt }: OwnHistory,
): string | undefined {
  if (origin !== undefined) {
    if (hashAt(origin.head.seq) === origin.head.hash) return undefined;
    return `the lanes begin with the history of another folder, of ${origin.head.seq} records`;
  }
  const used = lanes[firsts.findIndex((first) => first !== undefined)];
  return used === undefined ? undefined : `lane ${used.name} is not empty: a cluster has begun in it`;
}

function originOf(first: ClusterMessage | 'Foreign' | undefined): OriginMessage | undefined {
  return typeof first === 'object' && first.type === 'Origin' ? first : undefined;
}

/** The first message that a lane ever took; `Foreign` when it is gone or is not one of this program. */
async function firstOf(lane: Lane): Promise<ClusterMessage | 'Foreign' | undefined> {
  try {
    const [first] = await lane.read(0);
    return first && decodeMessage(first.bytes);
  } catch (error) {
    if (error instanceof LaneTrimmed || error instanceof UnreadableMessage) return 'Foreign';
    throw error;
  }
}
