/**
 * The content of the messages of a lane: groups of the journal, the fence of each leader, signs of life, and the begin
 * and the end of a cluster. The codec is in `message-codec.ts`.
 */
import type { Brand } from '../base/brand.ts';
import type { WallMs } from '../base/time.ts';
import type { Head, StoredGroup } from '../journal/journal.ts';

/** The number of a leader's time: each leader has a higher one than the leader before. The first is 1. */
export type Epoch = Brand<'Epoch'>;

/** The first message of an epoch: from here on no leader of an earlier epoch can append to this lane. */
export interface EpochMessage {
  readonly type: 'Epoch';
  readonly epoch: Epoch;
  /** The member that leads from here on: its name in the cluster file. */
  readonly member: string;
  /** The wall's instant at the member, for reports only. */
  readonly wall: WallMs;
  /** True when the leader before gave its place up in order, with everything acknowledged. */
  readonly handedOver: boolean;
}

/**
 * A group of the journal as its leader committed it, or a part of a group that is too large for one message. Its chain
 * hash names one content for each number.
 */
export interface GroupMessage {
  readonly type: 'Group';
  readonly epoch: Epoch;
  /** The wall's instant at the leader: followers compare their clocks with it. */
  readonly wall: WallMs;
  /** Which part this is, from 0, and how many there are. They follow each other in one lane. */
  readonly part: number;
  readonly parts: number;
  /** The group; its body is that of the part. */
  readonly group: LaneGroup;
}

/** A group as messages carry it. */
export type LaneGroup = Omit<StoredGroup, 'place'>;

/** A sign of life of a leader that has nothing to append, and the renewal of its lease. */
export interface BeatMessage {
  readonly type: 'Beat';
  readonly epoch: Epoch;
  /** The end of the leader's history: every follower has the same hash there. */
  readonly head: Head;
  /** The wall's instant at the leader: followers compare their clocks with it. */
  readonly wall: WallMs;
}

/** The last message of a leader that gives its place up: everything before it is acknowledged or was never taken. */
export interface HandOverMessage {
  readonly type: 'HandOver';
  readonly epoch: Epoch;
  /** The wall's instant at the leader, for reports only. */
  readonly wall: WallMs;
  /** The member that is to lead next. */
  readonly to: string;
}

/**
 * The first message of a lane whose cluster goes on from the journal of one machine: every member has that history. It
 * counts as a message of epoch 1, so the first leader has a higher one.
 */
export interface OriginMessage {
  readonly type: 'Origin';
  readonly epoch: Epoch;
  /** The end of the history with which the cluster begins. */
  readonly head: Head;
  /** The wall's instant at the command that wrote it, for reports only. */
  readonly wall: WallMs;
}

/** The last message of a lane for ever: the cluster is over, and one machine goes on alone from this history. */
export interface EndMessage {
  readonly type: 'End';
  /** Above the epoch of every leader, so none of them can append after it. */
  readonly epoch: Epoch;
  /** The end of the history. */
  readonly head: Head;
  /** The wall's instant at the command that wrote it, for reports only. */
  readonly wall: WallMs;
}

/** The last message of a leader that a defect ends: the command at which it failed, which has no record. */
export interface FatalMessage {
  readonly type: 'Fatal';
  readonly epoch: Epoch;
  /** The wall's instant at the leader, for reports only. */
  readonly wall: WallMs;
  /** The digest of the command, in hex: see `fatal-commands.ts`. */
  readonly command: string;
}

export type ClusterMessage =
  | EpochMessage
  | GroupMessage
  | BeatMessage
  | HandOverMessage
  | OriginMessage
  | EndMessage
  | FatalMessage;
