/**
 * The content of the messages of a lane: groups of the journal, the fence of each leader, and signs of life. The codec
 * is in `message-codec.ts`.
 */
import type { Brand } from '../base/brand.ts';
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
  readonly wall: number;
  /** True when the leader before gave its place up in order, with everything acknowledged. */
  readonly handedOver: boolean;
}

/** A group of the journal as its leader committed it. Its chain hash names one content for each number. */
export interface GroupMessage {
  readonly type: 'Group';
  readonly epoch: Epoch;
  /** The wall's instant at the leader: followers compare their clocks with it. */
  readonly wall: number;
  readonly group: Omit<StoredGroup, 'place'>;
}

/** A sign of life of a leader that has nothing to append, and the renewal of its lease. */
export interface BeatMessage {
  readonly type: 'Beat';
  readonly epoch: Epoch;
  /** The end of the leader's history: every follower has the same hash there. */
  readonly head: Head;
  /** The wall's instant at the leader: followers compare their clocks with it. */
  readonly wall: number;
}

/** The last message of a leader that gives its place up: everything before it is acknowledged or was never taken. */
export interface HandOverMessage {
  readonly type: 'HandOver';
  readonly epoch: Epoch;
  /** The member that is to lead next. */
  readonly to: string;
}

export type ClusterMessage = EpochMessage | GroupMessage | BeatMessage | HandOverMessage;
