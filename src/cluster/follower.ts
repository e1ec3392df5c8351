/**
 * Reads the lanes into a replica and into the archive of a member. It says how far it is behind, and hands every
 * message to the member, which judges by them whether the leader lives.
 */

import { must } from '../base/assert.ts';
import { errorOf } from '../base/system-fault.ts';
import type { Replica } from '../journal/replica.ts';
import { JournalDamaged } from '../journal/upkeep/damage.ts';
import type { ClusterLimits } from './cluster-limits.ts';
import type { ClusterTime } from './cluster-time.ts';
import type { ArchiveWriter } from './history/archive-writer.ts';
import { findFence } from './history/find-fence.ts';
import { findStart } from './history/find-start.ts';
import { FoldQueue } from './history/fold-queue.ts';
import { LaneReader, type Pulled } from './history/lane-reader.ts';
import { SharedHistory } from './history/shared-history.ts';
import { type Lane, type LaneMessage, LaneTrimmed, LaneUnreachable } from './lanes/lane.ts';
import { ClusterOver } from './lifetime/cluster-over.ts';
import type { ClusterMessage } from './message.ts';
import { UnreadableMessage } from './message-codec.ts';
import { pause } from './patience.ts';

/** How far a follower is behind its leader. */
export interface Behind {
  /** Records that the leader has made and this member has not folded. */
  readonly records: number;
  /** How long the oldest of them that was read has waited, in milliseconds. */
  readonly ms: number;
}

export interface FollowerParts<R extends Replica> {
  readonly lanes: readonly Lane[];
  /** At the head of the archive. */
  readonly replica: R;
  readonly archive: ArchiveWriter;
  readonly time: ClusterTime;
  readonly limits: ClusterLimits;
  /** Receives each message as it is read. `isFresh`: as of `LaneReaderParts`. */
  readonly heard: (message: ClusterMessage, isFresh: boolean) => void;
  /** As of `MemberParts`. */
  readonly hasRoom: () => boolean;
  /** Called once with the fault of the history, which ends the member. */
  readonly failed: (error: Error) => void;
}

/** The reading side of a member. */
export class Follower<R extends Replica> {
  readonly history: SharedHistory;
  private readonly parts: FollowerParts<R>;
  private readonly folds: FoldQueue<R>;
  private readers: readonly LaneReader[] = [];
  /** The head after which a group is missing, and since when. */
  private hole: { readonly seq: number; readonly since: number } | undefined;
  private stopped = false;
  private hasFailed = false;

  constructor(parts: FollowerParts<R>) {
    const { archive, lanes, replica, time } = parts;
    this.parts = parts;
    this.history = new SharedHistory({
      head: archive.head(),
      lanes: lanes.map(({ name }) => name),
      hashAt: (seq) => archive.hashAt(seq),
      begin: () => archive.begin(),
    });
    this.folds = new FoldQueue({ replica, time, failed: (error) => this.fail(error) });
  }

  /** Finds its place in each lane, then reads until it is stopped. */
  start(): void {
    this.begin().catch((error: unknown) => this.fail(error));
  }

  get replica(): R {
    return this.parts.replica;
  }

  /** The places in the lanes; empty before they are found. */
  get places(): readonly LaneReader[] {
    return this.readers;
  }

  behind(): Behind {
    const records = Math.max(0, this.history.highestSeq - this.parts.replica.seq);
    return { records, ms: this.folds.delayMs };
  }

  /**
   * Why this member could not go on from what it has read; `undefined` when it could: it was at the end of each lane,
   * and has folded nearly all of it.
   */
  notCaughtUp(): string | undefined {
    const { limits, archive } = this.parts;
    if (this.readers.length === 0) return 'the lanes were not read yet';
    const unread = this.readers.find(({ foundNothingAt }) => foundNothingAt === Number.NEGATIVE_INFINITY);
    if (unread !== undefined) return `the end of lane ${unread.lane.name} was not read yet`;
    const { history } = this;
    if (history.isEnding) return 'the cluster was ended';
    if (!history.isShared) return `the lanes do not show the archive's end, sequence ${archive.head().seq}`;
    if (history.highestSeq > history.head.seq) return `record ${history.highestSeq} was named, and not read yet`;
    const { ms, records } = this.behind();
    if (ms > limits.caughtUpMs) return `${records} records are to be folded, the oldest for ${Math.round(ms)} ms`;
    return archive.isFull ? 'the disk of the archive is full' : undefined;
  }

  /** The monotonic instant of the oldest of the last looks that found the end of a lane. */
  foundNothingAt(): number {
    return Math.min(...this.readers.map(({ foundNothingAt }) => foundNothingAt));
  }

  place(lane: number): LaneReader {
    return must(this.readers[lane], 'the lanes were found');
  }

  /** Reads a lane once. Does not reject: a fault of the history ends the member. */
  async pull(lane: number): Promise<Pulled> {
    try {
      return await this.place(lane).pull();
    } catch (error) {
      this.fail(error);
      return 'Late';
    }
  }

  /** Resolves when all that was read is folded. */
  folded(): Promise<void> {
    return this.folds.empty();
  }

  /**
   * Ends the member when groups stay away that a lane must hold: groups after them were appended later. A machine of
   * the log may be behind for a while, and so may be a reader of one of the lanes.
   */
  watchHole(): void {
    const { history, hole } = this;
    if (this.stopped || !history.hasHole) this.hole = undefined;
    else if (hole?.seq !== history.head.seq) this.hole = { seq: history.head.seq, since: this.parts.time.elapsed() };
    else if (this.readers.every((reader, lane) => this.isSearched(reader, lane, hole.since))) this.fail(history.hole());
  }

  /** True when a lane has long shown that it has nothing for the hole. */
  private isSearched({ foundNothingAt }: LaneReader, lane: number, since: number): boolean {
    return this.history.waitingBytes(lane) > 0 || foundNothingAt >= since + this.parts.limits.holeMs;
  }

  /** Reads and folds nothing more. A read that is under way is dropped. */
  stop(): void {
    this.stopped = true;
    this.folds.stop();
  }

  private async begin(): Promise<void> {
    const { lanes, archive, time, limits } = this.parts;
    const wanted = archive.head().seq - 1;
    const readers = lanes.map(async (lane, index) => {
      const after = await this.asked(lane, () => findStart(lane, wanted));
      if (wanted < 0 && (after ?? 0) > 0) this.history.noteTrimmed();
      const fence = await this.asked(lane, () => findFence(lane, after ?? 0));
      if (fence !== undefined) this.history.noteFence(index, fence);
      return new LaneReader({
        lane,
        after: after ?? 0,
        time,
        limits,
        take: (message, isFresh) => this.take(index, message, isFresh),
      });
    });
    this.readers = await Promise.all(readers);
    await Promise.all(this.readers.map((_, index) => this.readOn(index)));
  }

  /** Asks a lane until it answers; `undefined` when this member is stopped before. */
  private async asked<T>(lane: Lane, ask: () => Promise<T>): Promise<T | undefined> {
    const { time, limits } = this.parts;
    while (!this.stopped) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof UnreadableMessage) throw this.unreadable(lane, error);
        if (!(error instanceof LaneUnreachable)) throw error;
        await pause(time, limits.pollMs);
      }
    }
    return undefined;
  }

  /** Reads a lane on and on. */
  private async readOn(index: number): Promise<void> {
    const { time, limits, archive, hasRoom } = this.parts;
    while (!this.stopped) {
      const isFull = archive.isFull || this.folds.bytes >= limits.unfoldedBytes || !hasRoom();
      const waits = isFull || this.history.waitingBytes(index) >= limits.unfoldedBytes;
      const pulled = waits ? 'Late' : await this.pull(index);
      if (pulled !== 'Messages') await pause(time, limits.pollMs);
    }
  }

  private take(lane: number, message: LaneMessage, isFresh: boolean): void {
    if (this.stopped) return;
    const { archive, heard } = this.parts;
    const taken = this.history.take(lane, message);
    for (let group = this.history.next(); group !== undefined; group = this.history.next()) {
      archive.add(group);
      this.folds.add(group);
    }
    heard(taken, isFresh);
    if (this.history.isOver) this.fail(new ClusterOver());
  }

  private unreadable(lane: Lane, { message }: UnreadableMessage): JournalDamaged {
    const { seq } = this.history.head;
    return new JournalDamaged({ file: `lane ${lane.name}`, seq: seq + 1, what: message, lastGood: seq });
  }

  private fail(thrown: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.stop();
    const { seq } = this.history.head;
    const what = thrown instanceof LaneTrimmed ? `${thrown.message}: this member needs a backup` : undefined;
    const error = errorOf(thrown);
    this.parts.failed(
      what === undefined ? error : new JournalDamaged({ file: 'lanes', seq: seq + 1, what, lastGood: seq }),
    );
  }
}
