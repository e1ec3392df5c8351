/**
 * A lane: a log that several machines share, in which a message is taken only after the message that its writer saw
 * last. It is all that the service asks of a replicated log; consensus is inside the log.
 */

/** A message as it lies in a lane. Its position is that of no other message of the lane, for ever. */
export interface LaneMessage {
  /** Above the position of the message before it; the first message of a lane has a position of at least 1. */
  readonly position: number;
  readonly bytes: Uint8Array;
}

/**
 * The outcome of an append. `Unknown`: no answer came in time, or the connection broke, so the message may be stored
 * now or later. Its writer appends the same bytes at the same place again, and the conflict shows what stands there.
 */
export type AppendOutcome =
  | { readonly type: 'Stored'; readonly position: number }
  /**
   * `expectedLast` is not the position of the last message; nothing was stored. The message after it may still be on
   * its way: then a read does not show it before its writer has an answer, or never does.
   */
  | { readonly type: 'Conflict' }
  | { readonly type: 'Unknown' };

/** A lane could not be read in time. The reader tries again, as often as it wants. */
export class LaneUnreachable extends Error {
  override readonly name = 'LaneUnreachable';
}

/** A reader asks for messages that the lane let go of because of their age. Nothing brings them back. */
export class LaneTrimmed extends Error {
  override readonly name = 'LaneTrimmed';
}

/** The most bytes of a message: a writer with more to say appends several. In bytes. */
export const MOST_MESSAGE_BYTES = 4 * 1_048_576;
/** How long a lane waits for the answer to a short append, or to a read from one machine. In milliseconds. */
export const LANE_PATIENCE_MS = 250;

/** How long a lane waits for the answer to an append of `bytes` bytes: as long again for each MiB. In milliseconds. */
export function appendPatienceMs(bytes: number): number {
  return LANE_PATIENCE_MS * (1 + bytes / 1_048_576);
}

/** An answer to a read ends with the message that brings it to this size or above it. In bytes. */
export const READ_BYTES = 2 * 1_048_576;

/** `test/kit/cluster/lane-contract.ts` is its contract. No promise of a lane waits for ever. */
export interface Lane {
  /** The name of the lane in messages and reports. */
  readonly name: string;
  /**
   * Stores `bytes` after the message at `expectedLast` (0 in an empty lane), durably on a majority of the log's
   * machines. Of several writers that expect the same position one is taken. One append at a time, of 1 to
   * `MOST_MESSAGE_BYTES` bytes; else it rejects with `InvariantError`, and for no other cause.
   */
  append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * The messages after `after`, in order and without gaps, at most a few MB of them; empty when there are none. A
   * replica that is behind may answer, so the end of an answer is not the end of the lane. Rejects with
   * `LaneUnreachable`, and with `LaneTrimmed` when the first of them is gone.
   */
  read(after: number): Promise<readonly LaneMessage[]>;
  /**
   * The position of the last message as a majority has it; 0 in an empty lane. It is never beyond the end, and it may
   * be short of it while machines of the log lose each other: only an append is sure of the end. Rejects with
   * `LaneUnreachable`.
   */
  last(): Promise<number>;
  /** Lets go of connections and timers. Appends under way settle as `Unknown`. */
  close(): Promise<void>;
}
