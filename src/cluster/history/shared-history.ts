/**
 * One history out of the messages of all lanes. In each lane the numbers of groups rise, so the next group is at the
 * front of some lane. A group that lies in two lanes is taken once. It does no input or output.
 */

import { chainFault, lastSeq } from '../../journal/chain.ts';
import type { Head } from '../../journal/journal.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';
import type { LaneMessage } from '../lanes/lane.ts';
import type { ClusterMessage, GroupMessage, LaneGroup } from '../message.ts';
import { decodeMessage, UnreadableMessage } from '../message-codec.ts';
import type { PlacedFence } from './find-fence.ts';

/** The parts of a group that came by now. */
interface Assembly {
  readonly first: GroupMessage;
  readonly bodies: Uint8Array[];
}

/** One lane as far as it was read. */
interface LaneTrack {
  readonly name: string;
  /** The epoch of its last message; 0 before the first. */
  epoch: number;
  /** The last fence that was read, and its position. */
  fence: PlacedFence | undefined;
  /** The last number of its groups; 0 before the first. */
  lastSeq: number;
  /** True when the cluster was ended in it. */
  isEnded: boolean;
  assembly: Assembly | undefined;
  /** Groups that were not taken yet, in order. */
  readonly waiting: LaneGroup[];
  waitingBytes: number;
}

export interface SharedHistoryParts {
  /** The end of the history that this member has. */
  readonly head: Head;
  /** The names of the lanes, in their order. */
  readonly lanes: readonly string[];
  /** The chain hash of the group that ends with a number; `undefined` when no group of this member ends there. */
  readonly hashAt: (seq: number) => string | undefined;
  /** The number after which this member has groups. */
  readonly begin: () => number;
}

/** Reads messages lane by lane and gives the groups in the order of history. Throws `JournalDamaged`. */
export class SharedHistory {
  private readonly parts: SharedHistoryParts;
  private readonly tracks: readonly LaneTrack[];
  private known: Head;
  private highest: number;
  /** The part of the history that this member had before it read the lanes. */
  private readonly own: Head;
  private shared: boolean;

  constructor(parts: SharedHistoryParts) {
    this.parts = parts;
    this.own = parts.head;
    this.known = parts.head;
    this.highest = parts.head.seq;
    this.shared = parts.head.seq === 0;
    this.tracks = parts.lanes.map((name) => {
      return {
        name,
        epoch: 0,
        fence: undefined,
        lastSeq: 0,
        isEnded: false,
        assembly: undefined,
        waiting: [],
        waitingBytes: 0,
      };
    });
  }

  /** The last group that was given. */
  get head(): Head {
    return this.known;
  }

  /** The highest number that any message named. */
  get highestSeq(): number {
    return this.highest;
  }

  /** The newest epoch of all lanes; 0 before the first. */
  get epoch(): number {
    return Math.max(...this.tracks.map(({ epoch }) => epoch));
  }

  /** The member that leads the newest epoch; `undefined` when its fence was not read. */
  get leader(): string | undefined {
    const { epoch } = this;
    return this.tracks.find(({ fence }) => fence?.epoch === epoch)?.fence?.member;
  }

  /** True once the lanes have shown that they hold the end of the history that this member had. */
  get isShared(): boolean {
    return this.shared;
  }

  /** True once the cluster was ended in a lane: no member leads from here on but the one that does. */
  get isEnding(): boolean {
    return this.tracks.some(({ isEnded }) => isEnded);
  }

  /** True once the cluster was ended in every lane: nothing can be appended any more. */
  get isOver(): boolean {
    return this.tracks.every(({ isEnded }) => isEnded);
  }

  /** The last fence of a lane, with its position; `undefined` when none was read. */
  fenceOf(lane: number): PlacedFence | undefined {
    return this.track(lane).fence;
  }

  /** True once the cluster was ended in a lane. */
  isEndedIn(lane: number): boolean {
    return this.track(lane).isEnded;
  }

  /** The epoch of the last message of a lane; 0 before the first. */
  epochOf(lane: number): number {
    return this.track(lane).epoch;
  }

  /** The bytes of groups of a lane that wait for groups of another lane. */
  waitingBytes(lane: number): number {
    return this.track(lane).waitingBytes;
  }

  /** True while groups wait for a group that no lane has shown. */
  get hasHole(): boolean {
    return this.tracks.some(({ waiting }) => waiting.length > 0);
  }

  /**
   * A lane has let go of its first messages: a member without any history is not one of a new cluster, and has to be
   * shown the first record. Called before `take`.
   */
  noteTrimmed(): void {
    if (this.own.seq === 0) this.shared = false;
  }

  /** Notes the fence in front of the place from which a lane is read: it names the leader. Called before `take`. */
  noteFence(lane: number, fence: PlacedFence): void {
    this.track(lane).fence = fence;
  }

  /** Takes the next message of a lane. Returns it. */
  take(lane: number, { position, bytes }: LaneMessage): ClusterMessage {
    const track = this.track(lane);
    const message = this.decoded(track, position, bytes);
    this.expectInTurn(track, position, message);
    track.epoch = message.epoch;
    if (message.type === 'Epoch') track.fence = { ...message, position };
    if (message.type === 'Group') this.takePart(track, position, message);
    else track.assembly = undefined;
    if (message.type === 'Origin') this.expectOrigin(track, position, message.head);
    if ('head' in message) this.compare(track, position, message.head);
    track.isEnded = message.type === 'End';
    return message;
  }

  /** Refuses a message that its lane cannot have at this place. */
  private expectInTurn(track: LaneTrack, position: number, { type, epoch }: ClusterMessage): void {
    if (track.isEnded) throw this.damaged(track, position, 'a message follows the end of the cluster');
    if (type === 'Origin' && track.epoch !== 0) {
      throw this.damaged(track, position, `a cluster begins in epoch ${track.epoch}`);
    }
    const begins = type === 'Epoch' || type === 'End';
    if (begins && epoch <= track.epoch) {
      throw this.damaged(track, position, `epoch ${epoch} begins after epoch ${track.epoch}`);
    }
    if (!begins && track.epoch !== 0 && epoch !== track.epoch) {
      throw this.damaged(track, position, `a message of epoch ${epoch} in epoch ${track.epoch}`);
    }
  }

  /** The history with which the cluster began is in no lane, so this member must have brought it. */
  private expectOrigin(track: LaneTrack, position: number, { seq }: Head): void {
    if (seq <= this.known.seq) return;
    const what = `the cluster began with ${seq} records of one machine, and this member's archive ends at ${this.own.seq}`;
    throw this.damaged(track, position, `${what}: make its folder with sauda cluster provision`);
  }

  /** The next group of the history, checked against the chain; `undefined` when it was not read yet. */
  next(): LaneGroup | undefined {
    for (const track of this.tracks) this.dropTaken(track);
    for (const track of this.tracks) {
      const [group] = track.waiting;
      if (group === undefined || group.firstSeq > this.known.seq + 1) continue;
      const fault = chainFault(this.known, group);
      if (fault !== undefined) throw this.damaged(track, undefined, fault, group.firstSeq);
      if (group.firstSeq > this.own.seq) this.shared = true;
      shift(track);
      this.known = { seq: lastSeq(group), hash: group.hash };
      return group;
    }
    if (this.tracks.every(({ waiting }) => waiting.length > 0)) throw this.hole();
    return undefined;
  }

  /** The fault of groups that no lane holds, once all lanes were read to their ends. */
  hole(): JournalDamaged {
    const firsts = this.tracks.flatMap(({ waiting }) => waiting.slice(0, 1).map(({ firstSeq }) => firstSeq));
    const [track] = this.tracks;
    const next = Math.min(...firsts);
    const { seq } = this.known;
    const isOld = seq === this.own.seq;
    const what = isOld
      ? `the lanes go on with ${next}: this member's archive is too old for them and needs a backup`
      : `the groups up to ${next - 1} lie in no lane`;
    return new JournalDamaged({ file: `lane ${track?.name}`, seq: seq + 1, what, lastGood: seq });
  }

  private decoded(track: LaneTrack, position: number, bytes: Uint8Array): ClusterMessage {
    try {
      return decodeMessage(bytes);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      throw this.damaged(track, position, error.message);
    }
  }

  /** A leader that went to the other lane in the middle of a group leaves parts behind: the first part begins again. */
  private takePart(track: LaneTrack, position: number, message: GroupMessage): void {
    const { part, parts, group } = message;
    if (part === 0) track.assembly = { first: message, bodies: [group.body] };
    else if (track.assembly?.bodies.length === part && track.assembly.first.group.hash === group.hash) {
      track.assembly.bodies.push(group.body);
    } else track.assembly = undefined;
    if (track.assembly?.bodies.length !== parts) return;
    const { bodies } = track.assembly;
    track.assembly = undefined;
    this.takeGroup(track, position, parts === 1 ? group : { ...group, body: Buffer.concat(bodies) });
  }

  private takeGroup(track: LaneTrack, position: number, group: LaneGroup): void {
    if (group.firstSeq <= track.lastSeq) {
      throw this.damaged(track, position, `a group of ${group.firstSeq} follows ${track.lastSeq} in its lane`);
    }
    track.lastSeq = lastSeq(group);
    this.highest = Math.max(this.highest, track.lastSeq);
    track.waiting.push(group);
    track.waitingBytes += group.body.length;
  }

  /** A leader's head is the same here. One that lies ahead is compared by the chain, as its groups come. */
  private compare(track: LaneTrack, position: number, head: Head): void {
    this.highest = Math.max(this.highest, head.seq);
    if (head.seq > this.known.seq) return;
    const own = this.ownHash(head.seq);
    if (own !== undefined && own !== head.hash)
      throw this.damaged(track, position, `another history at ${head.seq}`, head.seq);
    if (head.seq >= this.own.seq) this.shared = true;
  }

  private dropTaken(track: LaneTrack): void {
    for (let [group] = track.waiting; group !== undefined; [group] = track.waiting) {
      const last = lastSeq(group);
      if (last > this.known.seq) return;
      const own = this.ownHash(last);
      if (own !== undefined && own !== group.hash)
        throw this.damaged(track, undefined, `two contents for ${last}`, group.firstSeq);
      if (last >= this.own.seq) this.shared = true;
      shift(track);
    }
  }

  /** The chain hash of this member at a number; no hash at all where none of its groups ends there. */
  private ownHash(seq: number): string | undefined {
    if (seq === this.known.seq) return this.known.hash;
    return seq <= this.parts.begin() ? undefined : (this.parts.hashAt(seq) ?? 'none');
  }

  private damaged(track: LaneTrack, position: number | undefined, what: string, seq?: number): JournalDamaged {
    const place = position === undefined ? {} : { offset: position };
    const { seq: lastGood } = this.known;
    return new JournalDamaged({ file: `lane ${track.name}`, ...place, seq: seq ?? lastGood + 1, what, lastGood });
  }

  private track(lane: number): LaneTrack {
    const track = this.tracks[lane];
    if (track === undefined) throw new RangeError(`lane ${lane} of ${this.tracks.length}`);
    return track;
  }
}

function shift(track: LaneTrack): void {
  track.waitingBytes -= track.waiting.shift()?.body.length ?? 0;
}
