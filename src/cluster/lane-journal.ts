/**
 * The journal of a leader: each group goes to a lane, and is durable when the lane says so. The files of the leader are
 * the archive, which is written after the lane. A leader that has nothing to append gives signs of life.
 */

import { assert } from '../base/assert.ts';
import { chainHash, lastSeq } from '../journal/chain.ts';
import type { Group, Head, Journal, StoredGroup } from '../journal/journal.ts';
import { Fenced } from './fenced.ts';
import type { ArchiveWriter } from './history/archive-writer.ts';
import { LaneWriter, type LaneWriterParts } from './leading/lane-writer.ts';
import type { Lease } from './leading/lease.ts';
import { encodeGroupMessages, encodeMessage } from './message-codec.ts';

/** An append that takes this long is noted. In milliseconds. */
const SLOW_MS = 50;

export interface LaneJournalParts extends LaneWriterParts {
  /** Stands at the head of the history that the leader read to its fences. */
  readonly archive: ArchiveWriter;
  readonly lease: Lease;
  /** Called once, when another member is found to lead. */
  readonly fenced: (error: Fenced) => void;
  /** As of `MemberParts`. */
  readonly passed?: (step: string) => void;
}

/** Appends to lanes as the leader of one epoch. */
export class LaneJournal implements Journal {
  private readonly parts: LaneJournalParts;
  private readonly writer: LaneWriter;
  private durable: Head;
  /** The write that runs, a group's or a sign of life. */
  private writing: Promise<unknown> = Promise.resolve();
  /** Resolves when the append that runs is over. */
  private appending: Promise<unknown> = Promise.resolve();
  private isAppending = false;
  private isFailing = false;
  private isFirst = true;
  private ended: Error | undefined;
  private lastWrite: number;
  private cancelBeat: () => void = () => undefined;

  constructor(parts: LaneJournalParts) {
    this.parts = parts;
    this.writer = new LaneWriter(parts);
    this.durable = parts.archive.head();
    this.lastWrite = parts.time.elapsed();
    // The fences were signs of life. The first group, for which clients wait, is not to come behind another one.
    this.awaitBeat();
  }

  get name(): string {
    return this.parts.archive.name;
  }

  /** The last group that is in the files of this member. */
  archived(): Head {
    return this.parts.archive.written();
  }

  /** The name of the lane that groups go to. */
  get lane(): string {
    return this.writer.lane;
  }

  /** Goes on in the other lane with the next group or sign of life. */
  leaveLane(): void {
    this.writer.leaveLane();
  }

  head(): Head {
    return this.durable;
  }

  begin(): number {
    return this.parts.archive.begin();
  }

  /**
   * True when no further groups may wait for the archive. A full disk alone does not stop a leader: its groups are safe
   * in a lane, and wait for the archive in memory.
   */
  isFull(): boolean {
    return this.parts.archive.isFull;
  }

  /**
   * Resolves when a lane has the group. An append whose outcome is unknown is tried until it is known, so it rejects
   * with `Fenced` alone, or because the journal was closed.
   */
  async append(group: Group): Promise<Head> {
    assert(!this.isAppending, 'one append at a time');
    const { seq, hash: previous } = this.durable;
    assert(group.firstSeq === seq + 1 && group.count >= 1, `group ${group.firstSeq} after ${seq}`);
    if (this.ended !== undefined) throw this.ended;
    const hash = chainHash(previous, group);
    const { version, firstSeq, count } = group;
    const stored = { version, firstSeq, count, body: Buffer.from(group.body), hash };
    const { epoch, time, limits } = this.parts;
    if (this.isFirst) this.parts.passed?.('first group made');
    const messages = encodeGroupMessages({ epoch, wall: time.wall() }, stored, hash, limits.partBytes);
    this.isAppending = true;
    const written = this.write(messages, () => this.ended === undefined);
    this.appending = written.catch(() => undefined);
    try {
      await written;
    } finally {
      this.isAppending = false;
    }
    this.durable = { seq: lastSeq(stored), hash };
    if (this.isFirst) this.parts.passed?.('first group stored');
    this.isFirst = false;
    this.parts.archive.add(stored);
    return this.durable;
  }

  groups(after: number): Iterable<StoredGroup> {
    return this.parts.archive.groups(after);
  }

  hashAt(seq: number): string | undefined {
    return this.parts.archive.hashAt(seq);
  }

  /**
   * Writes the last message of this leader, which names its successor, and ends. Everything that was appended was
   * acknowledged before. Rejects with `Fenced`.
   */
  async handOver(to: string): Promise<void> {
    assert(!this.isAppending, 'hand over while an append runs');
    if (this.ended !== undefined) throw this.ended;
    const { epoch, time, lease } = this.parts;
    lease.drop();
    this.isAppending = true;
    try {
      await this.write([encodeMessage({ type: 'HandOver', epoch, wall: time.wall(), to })], () => true);
    } finally {
      this.isAppending = false;
    }
    this.end(new Fenced(`this member has handed its place over to ${to}`));
  }

  /**
   * The member that stands after the handover of this leader, which need not be the one that it named; `undefined`
   * when none has within `mostMs` milliseconds. Rejects as `LaneWriter.followedBy`.
   */
  followedBy(mostMs: number): Promise<string | undefined> {
    const { elapsed } = this.parts.time;
    const until = elapsed() + mostMs;
    return this.writer.followedBy(() => elapsed() < until);
  }

  /**
   * Writes, as the last message of this leader, the digest of the command at which it failed, after an append that
   * runs, and ends. Questions are answered no more from the call on. Rejects with `Fenced`.
   */
  async noteFatal(command: string): Promise<void> {
    if (this.ended !== undefined) throw this.ended;
    const { epoch, time, lease } = this.parts;
    lease.drop();
    this.isFailing = true;
    await this.appending;
    await this.write([encodeMessage({ type: 'Fatal', epoch, wall: time.wall(), command })], () => true);
    this.end(new Fenced('this member has failed'));
  }

  /** Appends nothing more, and closes the archive when it has everything. */
  async close(): Promise<void> {
    assert(!this.isAppending, 'close while an append runs');
    this.end(new Error('append to a closed journal'));
    await this.writing;
    await this.parts.archive.close();
  }

  /** Nothing is written or acknowledged from here on. */
  end(why: Error): void {
    this.ended ??= why;
    this.parts.lease.drop();
    this.cancelBeat();
  }

  /** Writes after a sign of life that runs, which gives way. */
  private async write(messages: readonly Uint8Array[], isWanted: () => boolean): Promise<void> {
    this.cancelBeat();
    await this.writing;
    const began = this.parts.time.elapsed();
    const writing = this.writer.write(messages, isWanted);
    this.writing = writing.catch(() => undefined);
    this.lastWrite = began;
    let isStored: boolean;
    try {
      isStored = await writing;
    } catch (error) {
      throw this.lose(error);
    }
    this.noteSlow(began);
    if (this.ended !== undefined) throw this.ended;
    if (isStored) this.parts.lease.renew(began);
    this.awaitBeat();
  }

  private noteSlow(began: number): void {
    const ms = this.parts.time.elapsed() - began;
    if (ms >= SLOW_MS) this.parts.passed?.(`slow append of ${Math.round(ms)} ms`);
  }

  private awaitBeat(): void {
    const { time, limits } = this.parts;
    if (this.ended !== undefined) return;
    this.cancelBeat();
    const left = this.lastWrite + limits.beatMs - time.elapsed();
    this.cancelBeat = time.after(Math.max(0, left), () => this.beat());
  }

  private beat(): void {
    if (this.isAppending || this.isFailing || this.ended !== undefined) return;
    const { epoch, time, lease } = this.parts;
    const bytes = encodeMessage({ type: 'Beat', epoch, wall: time.wall(), head: this.durable });
    const began = time.elapsed();
    this.lastWrite = began;
    this.writing = this.writer
      .write([bytes], () => !this.isAppending && !this.isFailing && this.ended === undefined)
      .then(
        (isStored) => {
          if (isStored) lease.renew(began);
          if (!this.isAppending) this.awaitBeat();
        },
        (error: unknown) => this.lose(error),
      );
  }

  /** Another member leads. */
  private lose(error: unknown): Fenced {
    const why = error instanceof Fenced ? error : new Fenced(String(error));
    const isFirst = this.ended === undefined;
    this.end(why);
    if (isFirst) this.parts.fenced(why);
    return why;
  }
}
