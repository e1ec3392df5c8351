/**
 * One member of a cluster, and its way through the roles: it follows the leader, becomes a candidate when the leader
 * falls silent, fences the lanes and leads, and is gone when another member fences it. Source:
 * docs/cluster/protocol.md.
 */

import { must } from '../base/assert.ts';
import { errorOf } from '../base/system-fault.ts';
import type { Journal } from '../journal/journal.ts';
import type { Replica } from '../journal/replica.ts';
import { CLUSTER_LIMITS, type ClusterLimits } from './cluster-limits.ts';
import type { ClusterTime } from './cluster-time.ts';
import { FatalCommands } from './fatal-commands.ts';
import { Fenced } from './fenced.ts';
import { type Behind, Follower } from './follower.ts';
import { ArchiveWriter } from './history/archive-writer.ts';
import { LaneJournal } from './lane-journal.ts';
import type { Lane } from './lanes/lane.ts';
import { standForLeader, type Won } from './leading/candidacy.ts';
import { ClockGuard } from './leading/clock-guard.ts';
import { Lease } from './leading/lease.ts';
import type { ClusterMessage, Epoch, HandOverMessage } from './message.ts';

export type Role = 'Follower' | 'Candidate' | 'Leader' | 'Gone';

/** Everything that a new leader's engine needs. */
export interface Promotion<R extends Replica> {
  readonly epoch: Epoch;
  /** At the head of the journal. */
  readonly replica: R;
  readonly journal: LaneJournal;
}

export interface MemberParts<R extends Replica> {
  /** The name of the member in the cluster file. */
  readonly name: string;
  /** The place of the member in the cluster file, from 0: members become candidates in this order. */
  readonly rank: number;
  /** One or two lanes, in the same order at all members: they are fenced in this order. */
  readonly lanes: readonly Lane[];
  /** Recovered to the head of the archive. */
  readonly replica: R;
  /** The files of this member, opened and recovered. Written after the lanes. */
  readonly archive: Journal;
  readonly time: ClusterTime;
  readonly limits?: Partial<ClusterLimits>;
  /** Why this member could not lead, its place in the lanes aside; `undefined` when it could. Asked again and again. */
  readonly lacks?: () => string | undefined;
  /** False while records that were folded pile up behind the replica: then no more are read. True when absent. */
  readonly hasRoom?: () => boolean;
  /** Called once, when this member leads: the caller makes the engine. */
  readonly promote: (won: Promotion<R>) => void;
  /**
   * Called once, when the member is gone: `Fenced`, `ClusterOver`, `JournalDamaged`, a failure of the archive, or
   * `undefined` after a handover in order. Nothing is acknowledged afterwards.
   */
  readonly gone: (error: Error | undefined) => void;
  /** Receives what an operator has to know. */
  readonly alarm: (words: string) => void;
  /** Receives each step of a takeover as it is done, in words, so that its time can be accounted for. */
  readonly passed?: (step: string) => void;
}

export interface MemberStatus {
  readonly role: Role;
  /** The newest epoch that was read; 0 before the first. */
  readonly epoch: number;
  /** The member that leads that epoch, or that its leader has named to lead next; `undefined` before the first. */
  readonly leader: string | undefined;
  readonly behind: Behind;
  readonly isCaughtUp: boolean;
  /** The leader's clock as seen from here, in milliseconds; `undefined` before anything was heard. */
  readonly clockApartMs: number | undefined;
  readonly mayAnswerReads: boolean;
  /**
   * True while somebody is about to lead who does not yet, for a bounded time: requests may wait for that. True for the
   * leader too, whose server is about to be made.
   */
  readonly awaitsLeader: boolean;
  /** True while the place of the leader changes, and for a while afterwards: work that can wait is left for later. */
  readonly isChanging: boolean;
  /** Why this member does not stand in its turn; `undefined` when it would. */
  readonly notElectable: string | undefined;
}

/** Follows, stands for the leader, and leads. Made of an archive and a replica that were recovered. */
export class Member<R extends Replica> {
  /** The commands at which other leaders have failed. */
  readonly fatal = new FatalCommands();
  private readonly parts: MemberParts<R>;
  private readonly limits: ClusterLimits;
  private readonly archive: ArchiveWriter;
  private readonly follower: Follower<R>;
  private readonly clock: ClockGuard;
  private now: Role = 'Follower';
  private heardAt: number;
  /** When the last step to another leader was seen, in monotonic milliseconds. */
  private changedAt = Number.NEGATIVE_INFINITY;
  /** The last handover that was read. */
  private handedOver: HandOverMessage | undefined;
  private epoch: Epoch | undefined;
  private lease: Lease | undefined;
  private journal: LaneJournal | undefined;
  private troubles = new Set<string>();
  private cancelTick: () => void = () => undefined;

  constructor(parts: MemberParts<R>) {
    const { archive: files, lanes, replica, time } = parts;
    this.parts = parts;
    this.limits = { ...CLUSTER_LIMITS, ...parts.limits };
    const { limits } = this;
    const failed = (error: Error): void => this.leave(error);
    this.archive = new ArchiveWriter({ files, time, mostBytes: limits.archiveBytes, failed });
    this.clock = new ClockGuard(time);
    const heard = (message: ClusterMessage, isFresh: boolean): void => this.hear(message, isFresh);
    const { archive } = this;
    const hasRoom = parts.hasRoom ?? (() => true);
    this.follower = new Follower({ lanes, replica, archive, time, limits, heard, hasRoom, failed });
    this.heardAt = time.elapsed();
  }

  /** Begins to read the lanes. Returns at once. */
  start(): void {
    this.heardAt = this.parts.time.elapsed();
    this.follower.start();
    this.tick();
  }

  get role(): Role {
    return this.now;
  }

  status(): MemberStatus {
    const { history } = this.follower;
    const leads = this.now === 'Leader';
    return {
      role: this.now,
      epoch: this.epoch ?? history.epoch,
      leader: leads ? this.parts.name : (this.successor() ?? history.leader),
      behind: leads ? { records: 0, ms: 0 } : this.follower.behind(),
      isCaughtUp: leads || this.follower.notCaughtUp() === undefined,
      clockApartMs: this.clock.apartMs(),
      mayAnswerReads: this.mayAnswerReads(),
      awaitsLeader: this.awaitsLeader(),
      isChanging: this.parts.time.elapsed() - this.changedAt < this.limits.settleMs,
      notElectable: leads ? undefined : this.notElectable(),
    };
  }

  /** True while no other member can have led: see `lease.ts`. */
  mayAnswerReads(): boolean {
    return this.now === 'Leader' && this.lease?.isHeld === true;
  }

  /** Called before the engine is drained for `handOver`: work that can wait is put off from now on. */
  beforeHandOver(): void {
    this.changedAt = this.parts.time.elapsed();
  }

  /**
   * Gives the place of the leader to the member `to`. The engine was drained before. Rejects with `Fenced`. The member
   * is gone afterwards.
   */
  async handOver(to: string): Promise<void> {
    try {
      await must(this.journal, 'a leader hands over').handOver(to);
    } catch (error) {
      this.leave(errorOf(error));
      throw error;
    }
    this.leave(undefined);
  }

  /**
   * After `handOver`: the member that stands for leader now, and so lets requests wait for itself; `undefined` when
   * none does within `mostMs` milliseconds.
   */
  followedBy(mostMs: number): Promise<string | undefined> {
    return must(this.journal, 'a leader was followed').followedBy(mostMs);
  }

  /**
   * Notes in a lane at which command this leader failed, for the members that follow. The process ends afterwards.
   * Rejects with `Fenced`.
   */
  async noteFatal(command: string): Promise<void> {
    await must(this.journal, 'a leader fails at a command').noteFatal(command);
  }

  /** Reads and writes nothing more, and closes the archive. The lanes stay open. */
  async close(): Promise<void> {
    this.end();
    if (this.journal === undefined) await this.archive.close();
    else await this.journal.close();
  }

  private hear(message: ClusterMessage, isFresh: boolean): void {
    const { name, time } = this.parts;
    const isOwnFence = message.type === 'Epoch' && message.member === name;
    if (!isOwnFence) this.heardAt = time.elapsed();
    if (message.type === 'Beat' || message.type === 'Group') this.clock.heard(message.wall, isFresh);
    if (isFresh && (message.type === 'HandOver' || message.type === 'Epoch')) this.changedAt = time.elapsed();
    if (message.type === 'HandOver') this.hearHandOver(message);
    if (message.type === 'Fatal') this.fatal.note(message.command);
  }

  /** The successor stands as soon as the reader has taken the message: clients wait for it. */
  private hearHandOver(message: HandOverMessage): void {
    this.handedOver = message;
    if (message.to !== this.parts.name) return;
    this.passed('invitation read');
    this.parts.time.defer(() => this.standInTurn());
  }

  private tick(): void {
    if (this.now === 'Gone') return;
    this.cancelTick = this.parts.time.after(this.limits.pollMs, () => this.tick());
    this.watch();
    this.follower.watchHole();
    this.standInTurn();
  }

  private standInTurn(): void {
    if (this.now === 'Follower' && this.isTimeToStand()) this.stand();
  }

  /** True when the leader has been silent for long enough, or has named this member its successor. */
  private isTimeToStand(): boolean {
    if (this.notAble() !== undefined) return false;
    const isApart = this.clockFault() !== undefined;
    if (this.isInvited() && !isApart) return true;
    const { silenceMs, staggerMs, clockHoldMs } = this.limits;
    const silentAt = this.heardAt + silenceMs;
    // The clock that was wrong may be that of a leader that is gone, or its last message is old: somebody has to lead.
    const hold = isApart ? clockHoldMs : 0;
    const isDue = this.parts.time.elapsed() >= silentAt + this.parts.rank * staggerMs + hold;
    return isDue && this.follower.foundNothingAt() >= silentAt;
  }

  /** The member to which the leader of the newest epoch has given its place. */
  private successor(): string | undefined {
    const { handedOver } = this;
    return handedOver?.epoch === this.follower.history.epoch ? handedOver?.to : undefined;
  }

  private isInvited(): boolean {
    return this.successor() === this.parts.name;
  }

  private awaitsLeader(): boolean {
    if (this.now === 'Leader') return true;
    if (this.now === 'Gone') return false;
    const { suspectMs, silenceMs, awaitMs } = this.limits;
    const silentMs = this.parts.time.elapsed() - this.heardAt;
    return (silentMs >= suspectMs || this.now === 'Candidate' || this.isInvited()) && silentMs < silenceMs + awaitMs;
  }

  private notElectable(): string | undefined {
    return this.notAble() ?? this.clockFault();
  }

  /** Why this member could not go on as the leader at all. */
  private notAble(): string | undefined {
    return this.follower.notCaughtUp() ?? this.parts.lacks?.();
  }

  private clockFault(): string | undefined {
    const apart = this.clock.apartMs();
    if (apart === undefined || Math.abs(apart) <= this.limits.clockApartMs) return undefined;
    return `the clock of this member is ${Math.round(Math.abs(apart))} ms ${apart > 0 ? 'ahead' : 'behind'}`;
  }

  private stand(): void {
    this.now = 'Candidate';
    this.changedAt = this.parts.time.elapsed();
    this.passed('candidate');
    const { follower, limits } = this;
    const { name, time } = this.parts;
    const { heardAt } = this;
    standForLeader({
      name,
      follower,
      time,
      limits,
      handedOver: this.isInvited(),
      lastHeard: () => this.heardAt,
      leaderLives: () => this.heardAt !== heardAt,
      isOver: () => this.now !== 'Candidate',
      passed: (step) => this.passed(step),
    })
      .then((result) => {
        if (this.now !== 'Candidate') return;
        if (typeof result === 'string') this.followOn();
        else this.lead(result);
      })
      .catch((error: unknown) => this.leave(errorOf(error)));
  }

  private passed(step: string): void {
    this.parts.passed?.(step);
  }

  private followOn(): void {
    this.now = 'Follower';
    this.heardAt = this.parts.time.elapsed();
  }

  private lead({ epoch, lanes, began }: Won): void {
    const { time, promote, alarm } = this.parts;
    const { limits, archive, follower } = this;
    this.now = 'Leader';
    this.epoch = epoch;
    follower.stop();
    const lease = new Lease(time.elapsed, limits.silenceMs, began);
    this.lease = lease;
    const fenced = (error: Fenced): void => this.leave(error);
    this.journal = new LaneJournal({
      lanes,
      epoch,
      time,
      limits,
      alarm,
      archive,
      lease,
      fenced,
      passed: (step) => this.passed(step),
    });
    promote({ epoch, replica: follower.replica, journal: this.journal });
  }

  /** Reports a trouble of an operator's when it begins. */
  private watch(): void {
    const late = this.archive.isLate ? 'the disk of the archive is full: groups wait in memory' : undefined;
    const isApart = this.now !== 'Leader' && this.clockFault() !== undefined;
    const clock = !isApart ? undefined : "the clock of this member is not the leader's";
    const found = new Set([late, clock].filter((one) => one !== undefined));
    for (const trouble of found) if (!this.troubles.has(trouble)) this.parts.alarm(trouble);
    this.troubles = found;
  }

  private leave(error: Error | undefined): void {
    if (this.now === 'Gone') return;
    this.end();
    this.parts.gone(error);
  }

  private end(): void {
    this.now = 'Gone';
    this.cancelTick();
    this.follower.stop();
    this.lease?.drop();
    this.journal?.end(new Fenced('this member has ended'));
  }
}
