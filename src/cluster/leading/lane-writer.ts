/**
 * The writing side of a leader: a message goes to the current lane, and when that does not answer in time, the same
 * bytes go to the other lane, where the leader goes on. Source: docs/cluster/protocol.md.
 */

import { assert, must } from '../../base/assert.ts';
import type { ClusterLimits } from '../cluster-limits.ts';
import type { ClusterTime } from '../cluster-time.ts';
import { Fenced } from '../fenced.ts';
import { type Lane, type LaneMessage, LaneTrimmed, LaneUnreachable } from '../lanes/lane.ts';
import type { ClusterMessage, Epoch } from '../message.ts';
import { decodeMessage, UnreadableMessage } from '../message-codec.ts';
import { pause, withPatience } from '../patience.ts';
import { LanePatience } from './lane-patience.ts';

/** A lane, and the position of the last message that its leader knows in it. */
export interface FencedLane {
  readonly lane: Lane;
  readonly position: number;
}

/**
 * The outcome of one attempt. `Stored`: more of the write is known to be stored, now or before. `Again`: other messages
 * of this leader stood there. `Late`: no answer, or none in time.
 */
type Attempt = 'Stored' | 'Again' | 'Late';

/** The end of one lane, as its leader knows it. */
class LaneEnd {
  readonly lane: Lane;
  private readonly parts: LaneWriterParts;
  private readonly patience: LanePatience;
  private position: number;
  /** The messages of the write that is tried. */
  private messages: readonly Uint8Array[] = [];
  /** How many of them are known to stand at the end of the lane, from the first one on and one after the other. */
  private held = 0;
  private running: Promise<Attempt> | undefined;
  /** When the last attempt began, and the bytes that it was to store. */
  private began: number;
  private bytes = 0;

  constructor({ lane, position }: FencedLane, parts: LaneWriterParts, patience: LanePatience) {
    this.lane = lane;
    this.parts = parts;
    this.patience = patience;
    this.position = position;
    this.began = parts.time.elapsed();
  }

  /** True when nothing was tried in this lane for a time after which it may keep no message at all. */
  get isRested(): boolean {
    const { time, limits } = this.parts;
    return time.elapsed() - this.began >= limits.restMs;
  }

  /** Begins with a write, or goes on with it after the messages of it that are stored. Only while the lane is free. */
  take(messages: readonly Uint8Array[]): void {
    if (this.messages === messages) return;
    this.messages = messages;
    this.held = 0;
  }

  /** The first message of the write that is not known to be stored; `undefined` when all are. */
  get missing(): Uint8Array | undefined {
    return this.messages[this.held];
  }

  /** Waits for an attempt that was left behind, as long as a lane is given. True when none runs any more. */
  async isFree(): Promise<boolean> {
    const { time } = this.parts;
    const left = this.began + this.patience.of(this.bytes) - time.elapsed();
    if (this.running !== undefined) await withPatience(time, Math.max(0, left), this.running, 'Late');
    return this.running === undefined;
  }

  /** Tries once to append the first message that is missing. Rejects with `Fenced`. */
  attempt(): Promise<Attempt> {
    assert(this.running === undefined, 'one attempt at a time');
    const { time } = this.parts;
    const bytes = must(this.missing, 'something is to be stored');
    this.began = time.elapsed();
    this.bytes = bytes.length;
    const running = this.append(bytes).finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return withPatience<Attempt, Attempt>(time, this.patience.of(bytes.length), running, 'Late');
  }

  private async append(bytes: Uint8Array): Promise<Attempt> {
    const outcome = await this.lane.append(this.position, bytes);
    if (outcome.type === 'Unknown') return 'Late';
    if (outcome.type === 'Conflict') return this.readOn();
    this.patience.count(this.parts.time.elapsed() - this.began, bytes.length);
    this.position = outcome.position;
    this.held += 1;
    return 'Stored';
  }

  /** Reads the messages that stand where one was to stand: some may be own ones whose answer was lost. */
  private async readOn(): Promise<Attempt> {
    const { held } = this;
    const found = await this.behind();
    for (const message of found) {
      const { type } = this.ownMessage(message);
      this.position = message.position;
      // Equal signs of life may be two, of a wall clock that stands still: an earlier one does not renew the lease.
      this.held = type === 'Beat' ? 0 : this.heldWith(message.bytes);
      if (this.missing === undefined) break;
    }
    // A message that is still on its way may stand there.
    if (found.length === 0) await pause(this.parts.time, 1);
    return this.held > held ? 'Stored' : 'Again';
  }

  /** As a reader puts parts together: a message that is not the next one begins the write again, or breaks it off. */
  private heldWith(found: Uint8Array): number {
    const isFound = (index: number): boolean => {
      const own = this.messages[index];
      return own !== undefined && Buffer.compare(own, found) === 0;
    };
    const index = [this.held, 0].find(isFound);
    return index === undefined ? 0 : index + 1;
  }

  /** The place of the lane's end does not move over a message of another leader, so no append comes after one. */
  private ownMessage({ position, bytes }: LaneMessage): ClusterMessage {
    const { epoch } = this.parts;
    const place = `position ${position} of lane ${this.lane.name}`;
    const found = messageIn(bytes);
    if (found === undefined)
      throw new Fenced(`an unreadable message stands at ${place}: no member may continue after it`);
    const other = found.epoch;
    if (other !== epoch) throw new Fenced(`epoch ${other} has begun at ${place}: this member led epoch ${epoch}`);
    return found;
  }

  /** The member whose fence stands after the last message of this leader; `undefined` while none is read. */
  async fencedBy(): Promise<string | undefined> {
    const found = await this.behind();
    return found.map(({ bytes }) => messageIn(bytes)).find((message) => message?.type === 'Epoch')?.member;
  }

  private async behind(): Promise<readonly LaneMessage[]> {
    try {
      return await this.lane.read(this.position);
    } catch (error) {
      if (error instanceof LaneUnreachable) return [];
      // The lane keeps messages longer than a leader waits: the messages that stood here are another leader's.
      if (error instanceof LaneTrimmed) throw new Fenced(error.message);
      throw error;
    }
  }
}

function messageIn(bytes: Uint8Array): ClusterMessage | undefined {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}

export interface LaneWriterParts {
  readonly lanes: readonly FencedLane[];
  readonly epoch: Epoch;
  readonly time: ClusterTime;
  readonly limits: ClusterLimits;
  /** Receives what an operator has to know. */
  readonly alarm: (words: string) => void;
}

/** Appends the messages of a leader. One write at a time. */
export class LaneWriter {
  private readonly parts: LaneWriterParts;
  private readonly ends: readonly LaneEnd[];
  private current = 0;
  private reported = 0;
  private isLeaving = false;
  private readonly patience: LanePatience;

  constructor(parts: LaneWriterParts) {
    const patience = new LanePatience(parts.limits, parts.lanes.length);
    this.parts = parts;
    this.patience = patience;
    this.ends = parts.lanes.map((lane) => new LaneEnd(lane, parts, patience));
  }

  /** The name of the lane that the leader writes to. */
  get lane(): string {
    return this.end.lane.name;
  }

  /** Begins the next write in the other lane. */
  leaveLane(): void {
    this.isLeaving = true;
  }

  /**
   * Resolves with true when all of `messages` are stored in one lane, one after the other. Tries until then, or while
   * `isWanted` holds: then it resolves with false, and the messages may be stored later. Rejects with `Fenced`, and
   * with nothing else.
   */
  async write(messages: readonly Uint8Array[], isWanted: () => boolean = () => true): Promise<boolean> {
    if (this.isLeaving || this.endOf(this.other).isRested) this.goOver();
    while (isWanted()) {
      if (await this.writeTo(this.end, messages, isWanted)) {
        this.report();
        return true;
      }
      if (isWanted()) await this.turnToOther();
    }
    return false;
  }

  /**
   * The member that fences the lane in use after the last message that was written; `undefined` when none has by the
   * time that `isWanted` ends. Rejects with `Fenced` when the lane has let go of what stood there.
   */
  async followedBy(isWanted: () => boolean): Promise<string | undefined> {
    const { time, limits } = this.parts;
    for (;;) {
      const member = await this.end.fencedBy();
      if (member !== undefined || !isWanted()) return member;
      await pause(time, limits.pollMs);
    }
  }

  private goOver(): void {
    this.isLeaving = false;
    this.current = this.other;
    this.reported = this.current;
  }

  private get other(): number {
    return (this.current + 1) % this.ends.length;
  }

  private async turnToOther(): Promise<void> {
    const { time, limits } = this.parts;
    this.current = this.other;
    // Lanes that refuse at once must not hold the loop.
    await pause(time, this.ends.length === 1 ? limits.pollMs : 1);
  }

  /**
   * Tries to store the messages in one lane, each within the time that a lane is given. Messages that this lane took
   * before it was left are not sent again.
   */
  private async writeTo(end: LaneEnd, messages: readonly Uint8Array[], isWanted: () => boolean): Promise<boolean> {
    if (!(await end.isFree())) return false;
    end.take(messages);
    for (let next = end.missing; next !== undefined; next = end.missing) {
      if (!(await this.settle(end, next.length, isWanted))) return false;
    }
    return true;
  }

  /** Tries a message of `bytes` bytes until more is stored. False when the time of the lane is over before. */
  private async settle(end: LaneEnd, bytes: number, isWanted: () => boolean): Promise<boolean> {
    const { time } = this.parts;
    const until = time.elapsed() + this.patience.of(bytes);
    for (;;) {
      const attempt = await end.attempt();
      if (attempt !== 'Again') return attempt === 'Stored';
      if (time.elapsed() >= until || !isWanted()) return false;
    }
  }

  private report(): void {
    if (this.reported === this.current) return;
    this.reported = this.current;
    this.parts.alarm(`a lane did not answer in time: this member goes on in lane ${this.lane}`);
  }

  private get end(): LaneEnd {
    return this.endOf(this.current);
  }

  private endOf(lane: number): LaneEnd {
    return must(this.ends[lane], 'a leader has a lane');
  }
}
