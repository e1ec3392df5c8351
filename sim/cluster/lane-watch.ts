import { assert } from '../../src/base/assert.ts';
import type { LaneMessage } from '../../src/cluster/lanes/lane.ts';
import type { ClusterMessage, Epoch, EpochMessage, GroupMessage, LaneGroup } from '../../src/cluster/message.ts';
import { decodeMessage } from '../../src/cluster/message-codec.ts';
import { LIVE } from '../../src/engine/live.ts';
import { chainFault, GENESIS, lastSeq } from '../../src/journal/chain.ts';
import { decodeGroup } from '../../src/journal/codec.ts';
import type { Head, StoredGroup } from '../../src/journal/journal.ts';
import type { JournalRecord } from '../../src/journal/record.ts';

/**
 * All that the lanes hold, as it is stored: one content for each number, one member for each epoch, nothing of an
 * earlier epoch after the fence of a later one, and the one history that comes of it with its state.
 */
export class LaneWatch {
  /** The records of the history, the first at index 0. */
  readonly records: JournalRecord[] = [];
  /** The groups of the history, in order. */
  readonly groups: StoredGroup[] = [];
  /** How many groups were stored a second time. */
  twice = 0;
  /** How many groups came in several messages. */
  inParts = 0;
  /** Called with the fence of each epoch as a lane stores it. */
  onEpoch: (message: EpochMessage) => void = () => undefined;
  private readonly oracle = LIVE.empty();
  /** The state hash at the end of each group. */
  private readonly hashes = new Map<number, string>();
  private readonly chains = new Map<number, string>();
  /** The parts of a group of which a lane does not have all yet. */
  private readonly parts = new Map<string, LaneGroup[]>();
  /** The chain hash of the group that holds each number. */
  private readonly contents: string[] = [];
  private readonly newest = new Map<string, Epoch>();
  /** The lanes in which the cluster was ended. */
  readonly ended = new Set<string>();
  private readonly leaders = new Map<Epoch, string>();
  private head: Head = GENESIS;

  /** The last number of the history. */
  get seq(): number {
    return this.head.seq;
  }

  /** How many epochs have begun. */
  get epochs(): number {
    return this.leaders.size;
  }

  get chain(): string {
    return this.head.hash;
  }

  /** The state hash of the history at the end of a group; `undefined` where none ends. */
  hashAt(seq: number): string | undefined {
    return this.hashes.get(seq);
  }

  /** The chain hash at the end of a group; `undefined` where none ends. */
  chainAt(seq: number): string | undefined {
    return seq === 0 ? GENESIS.hash : this.chains.get(seq);
  }

  /** The member whose epoch it is. */
  leaderOf(epoch: Epoch): string | undefined {
    return this.leaders.get(epoch);
  }

  /** A lane has stored a message. Returns what it is. */
  stored(lane: string, { bytes }: LaneMessage): ClusterMessage {
    const message = decodeMessage(bytes);
    assert(!this.ended.has(lane), `lane ${lane}: a ${message.type} follows the end of the cluster`);
    const newest = this.newest.get(lane) ?? 0;
    if (message.type === 'Epoch') {
      assert(message.epoch > newest, `lane ${lane}: epoch ${message.epoch} begins behind epoch ${newest}`);
      this.newest.set(lane, message.epoch);
      const leader = this.leaders.get(message.epoch) ?? message.member;
      assert(leader === message.member, `epoch ${message.epoch} is of ${leader} and of ${message.member}`);
      this.leaders.set(message.epoch, leader);
      this.onEpoch(message);
      return message;
    }
    if (message.type === 'End') {
      assert(message.epoch > newest, `lane ${lane}: the end of epoch ${message.epoch} stands behind epoch ${newest}`);
      this.ended.add(lane);
      return message;
    }
    assert(
      message.epoch === newest,
      `lane ${lane}: a ${message.type} of epoch ${message.epoch} is stored in epoch ${newest}`,
    );
    if (message.type === 'Group') this.takePart(lane, message);
    else this.parts.delete(lane);
    return message;
  }

  /** A group is stored with its last part; one that was left in the middle is not. */
  private takePart(lane: string, message: GroupMessage): void {
    const { part, parts, group } = message;
    const known = part === 0 ? [] : this.parts.get(lane);
    const isNext = known?.length === part && known.every((one) => one.hash === group.hash);
    if (known === undefined || !isNext) {
      this.parts.delete(lane);
      return;
    }
    known.push(group);
    this.parts.set(lane, known);
    if (known.length < parts) return;
    this.parts.delete(lane);
    this.inParts += parts > 1 ? 1 : 0;
    this.takeGroup(lane, { ...message, group: { ...group, body: Buffer.concat(known.map(({ body }) => body)) } });
  }

  private takeGroup(lane: string, { group, epoch }: GroupMessage): void {
    for (let seq = group.firstSeq; seq <= lastSeq(group); seq += 1) {
      const known = this.contents[seq];
      assert(
        known === undefined || known === group.hash,
        `lane ${lane}: number ${seq} has two contents, one of epoch ${epoch}`,
      );
      this.contents[seq] = group.hash;
    }
    if (group.firstSeq <= this.head.seq) {
      this.twice += 1;
      return;
    }
    const fault = chainFault(this.head, group);
    assert(fault === undefined, `lane ${lane}: the history of the lanes is not whole: ${fault}`);
    this.head = { seq: lastSeq(group), hash: group.hash };
    this.groups.push(group);
    for (const record of decodeGroup(group)) {
      this.records.push(record);
      this.oracle.fold(record);
    }
    this.hashes.set(this.head.seq, this.oracle.hash());
    this.chains.set(this.head.seq, this.head.hash);
  }

  /** The state of the whole history. */
  get state() {
    return this.oracle.state;
  }
}
