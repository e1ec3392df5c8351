/**
 * The order of all commands. A command gets its place and its time, is decided and applied at once, and its record goes
 * into the open group. Groups are committed one after the other, and answers leave when the records that they depend on
 * are durable. The sequencer knows no rule of trading: its users bring the commands.
 */

import { assert } from '../base/assert.ts';
import { errorOf } from '../base/system-fault.ts';
import { type EpochMs, type WallMs, wallOf } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Ports } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { Step } from '../core/step.ts';
import type { Head, Journal } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { Views } from '../views/views.ts';
import { DurableFeed } from './feed/durable-feed.ts';
import type { DecisionContext } from './feed/durable-record.ts';
import type { Live } from './live.ts';
import { OpenGroup } from './open-group.ts';
import { type Origin, SERVICE, type Submission, Unavailable } from './port.ts';
import { ReleaseQueue } from './release-queue.ts';
import { wallStamped } from './wall-stamps.ts';

export interface EngineLimits {
  /** Records that are applied and not yet durable. Beyond that commands are refused. */
  readonly inFlight: number;
  /** Answers that wait for the disk, reads included. */
  readonly waiting: number;
  /**
   * A commit that runs longer than this makes new commands be refused before they are sequenced. Source: reliability
   * F15.
   */
  readonly commitStallMs: number;
}

/**
 * A group waits at most this number of further turns of the event loop for more commands. A turn without any ends the
 * wait.
 */
const GATHER_TURNS = 1;

const DEFAULT_LIMITS: EngineLimits = { inFlight: 10_000, waiting: 20_000, commitStallMs: 2_000 };

export interface SequencerParts {
  /** Recovered to the head of the journal. */
  readonly live: Live;
  readonly journal: Journal;
  readonly ports: Ports;
  /** The market's clock. */
  readonly clock: () => EpochMs;
  /**
   * The wall's instant while the market's clock differs from it, as of a `MarketClock`; always one clock when absent.
   */
  readonly wallApart?: () => WallMs | undefined;
  /** Ends the process: the storage failed, or a bug showed. Called once; nothing is acknowledged afterwards. */
  readonly failStop: (error: Error) => void;
  readonly limits?: Partial<EngineLimits>;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Does work in the next turn of the event loop. */
  readonly defer: (work: () => void) => void;
}

/** The figures of commands and commits, for metrics and readiness. */
export interface SequencerStatus {
  readonly lastSeq: number;
  readonly durableSeq: number;
  /** Answers held for the disk. */
  readonly waiting: number;
  readonly groups: number;
  readonly lastCommitMs: number;
  readonly longestCommitMs: number;
  /** How long the commit that runs has been running; 0 when none runs. */
  readonly stalledMs: number;
  /** Why commands are refused now; `undefined` when they are taken. */
  readonly unavailable: string | undefined;
}

/** The one writer. A group holds all records since the last commit began. */
export class Sequencer {
  /** Hands out records when they are durable. */
  readonly feed: DurableFeed;
  /** Sees the events of each record as it is made; it must not throw. */
  watch: ((events: readonly Event[]) => void) | undefined;
  private readonly parts: SequencerParts;
  private readonly limits: EngineLimits;
  private readonly group = new OpenGroup();
  private readonly queue: ReleaseQueue;
  private lastAt: EpochMs;
  private durableSeq: number;
  private commitStarted: number | undefined;
  private scheduled = false;
  private draining = false;
  /** True while the records that are made belong together: they come into one group. */
  private withheld = false;
  /** True when a commit was due while they came. */
  private overdue = false;
  private failed = false;
  private groups = 0;
  private lastCommitMs = 0;
  private longestCommitMs = 0;

  constructor(parts: SequencerParts) {
    const { live, journal, elapsed, defer } = parts;
    assert(live.seq === journal.head().seq, 'the sequencer starts from the head of the journal');
    this.parts = parts;
    this.limits = { ...DEFAULT_LIMITS, ...parts.limits };
    this.lastAt = live.at;
    this.durableSeq = live.seq;
    this.queue = new ReleaseQueue(live.seq);
    const failStop = (error: unknown): void => this.fail(errorOf(error));
    this.feed = new DurableFeed({ journal, failStop, elapsed, defer });
  }

  /** The instant of a record that is wanted for `wanted`: time does not go back. */
  stamp(wanted: EpochMs): EpochMs {
    return Math.max(this.lastAt, wanted) as EpochMs;
  }

  /**
   * Does the work of a request and resolves with its reply when everything that it saw is durable. Rejects with
   * `Unavailable` before anything was done while there is an obstacle; work that is `urgent` is done however full the
   * queues are. Work that has to wait gives the promise of its reply, and is taken again when it is done. `unrecorded`:
   * as of `Submission`.
   */
  take(work: () => Reply | Promise<Reply>, urgent: boolean, unrecorded?: Submission['unrecorded']): Promise<Reply> {
    const obstacle = urgent ? this.ending() : this.obstacle();
    if (obstacle !== undefined) return Promise.reject(new Unavailable(obstacle));
    const { live } = this.parts;
    const { seq } = live;
    try {
      const reply = this.guarded(work);
      if (reply instanceof Promise) return reply;
      const released = Promise.resolve(this.queue.when(live.seq, reply));
      return unrecorded === undefined || live.seq > seq ? released : released.then(unrecorded);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** As `EnginePort.read`. */
  read<T>(query: (state: State, views: Views) => T, concerns?: (record: JournalRecord) => boolean): T | Promise<T> {
    const { live } = this.parts;
    const waits = live.seq > this.durableSeq && (concerns === undefined || this.feed.hasInFlight(concerns));
    if (!waits) return query(live.state, live.views);
    if (this.queue.length >= this.limits.waiting) {
      return Promise.reject(new Unavailable('too many answers wait for the disk'));
    }
    return this.queue.when(live.seq, query(live.state, live.views));
  }

  /**
   * Gives a command its place, decides and applies it, and puts its record into the open group. Only within `guarded`
   * work.
   */
  record(taken: Command, wanted: EpochMs, origin: Origin = SERVICE): Step {
    const { live, ports, clock, wallApart } = this.parts;
    const apart = wallApart?.();
    const command = wallStamped(taken, apart);
    const at = this.stamp(wanted);
    const seq = live.seq + 1;
    const step = live.step(ports, { seq, at, command });
    const { events, reply } = step;
    this.lastAt = at;
    const contextOf = (): DecisionContext => ({ origin, utc: wallOf(clock(), apart), reply });
    if (events.length === 0) {
      if (origin !== SERVICE) this.feed.unrecorded({ at, command, context: contextOf() });
      return step;
    }
    assert(live.seq === seq, 'a record takes the next sequence number');
    this.group.add(seq, at, command, events);
    this.watch?.(events);
    this.feed.decided({ seq, at, command, events, context: contextOf() });
    this.schedule();
    return step;
  }

  /** Why commands are refused now; `undefined` when they are taken. */
  obstacle(): string | undefined {
    const ending = this.ending();
    if (ending !== undefined) return ending;
    if (this.parts.journal.isFull()) return 'the disk is full';
    const { inFlight, waiting, commitStallMs } = this.limits;
    if (this.parts.live.seq - this.durableSeq >= inFlight) return 'too many commands wait for the disk';
    if (this.queue.length >= waiting) return 'too many answers wait for the disk';
    return this.stalledMs() > commitStallMs ? 'the disk does not answer in time' : undefined;
  }

  /**
   * A command that throws may have been applied in part, so nothing of this process's memory may be given out any more.
   */
  guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.fail(errorOf(error));
      throw error;
    }
  }

  /**
   * Lets the records from now on wait for each other until `release`, so that a crash leaves all of them or none. Where
   * they are more than half of those that may wait for the disk, they are committed on the way.
   */
  withhold(): void {
    this.withheld = true;
  }

  release(): void {
    this.withheld = false;
    if (this.overdue) this.commit();
    else if (this.group.size > 0) this.schedule();
  }

  /** True when many records wait for the disk: work that nobody asked for should wait too. */
  get isBehind(): boolean {
    return (this.parts.live.seq - this.durableSeq) * 2 >= this.limits.inFlight;
  }

  /** Resolves when every record that was made by now is durable and handed to the feed. */
  async settled(): Promise<void> {
    await this.queue.when(this.parts.live.seq, undefined);
  }

  /** Refuses new commands and resolves when everything that was taken is durable and answered. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.settled();
  }

  status(): SequencerStatus {
    return {
      lastSeq: this.parts.live.seq,
      durableSeq: this.durableSeq,
      waiting: this.queue.length,
      groups: this.groups,
      lastCommitMs: this.lastCommitMs,
      longestCommitMs: this.longestCommitMs,
      stalledMs: this.stalledMs(),
      unavailable: this.obstacle(),
    };
  }

  /** Why not even urgent commands are taken, which is for good; `undefined` when they are. */
  ending(): string | undefined {
    if (this.failed) return 'the service has failed';
    return this.draining ? 'the service is shutting down' : undefined;
  }

  /** Lets the requests of this turn of the loop share a group, and those of the next turns while they bring any. */
  private schedule(): void {
    if (this.scheduled || this.commitStarted !== undefined) return;
    this.scheduled = true;
    this.parts.defer(() => this.gather(0, 0));
  }

  /**
   * Under load every turn brings requests, and those of clients that were just answered come in the next: a commit is
   * made for all of them.
   */
  private gather(turns: number, before: number): void {
    const { size } = this.group;
    if (turns < GATHER_TURNS && size > before) {
      this.parts.defer(() => this.gather(turns + 1, size));
      return;
    }
    this.scheduled = false;
    this.commit();
  }

  private commit(): void {
    if (this.failed || this.commitStarted !== undefined || this.group.size === 0) return;
    this.overdue = !this.mayCommit;
    if (this.overdue) return;
    this.commitStarted = this.parts.elapsed();
    const group = this.group.take();
    const lastSeq = group.firstSeq + group.count - 1;
    const bytes = group.body.length;
    this.parts.journal.append(group).then(
      (head) => this.guarded(() => this.committed(head, lastSeq, bytes)),
      (error: Error) => this.fail(error),
    );
  }

  private committed(head: Head, lastSeq: number, bytes: number): void {
    assert(head.seq === lastSeq, 'the journal took the whole group');
    this.lastCommitMs = this.stalledMs();
    this.longestCommitMs = Math.max(this.longestCommitMs, this.lastCommitMs);
    this.commitStarted = undefined;
    this.groups += 1;
    this.durableSeq = head.seq;
    this.queue.advance(head.seq);
    if (this.group.size > 0) this.schedule();
    this.feed.advance(head, bytes);
  }

  private get mayCommit(): boolean {
    return !this.withheld || this.group.size * 2 >= this.limits.inFlight;
  }

  private stalledMs(): number {
    return this.commitStarted === undefined ? 0 : this.parts.elapsed() - this.commitStarted;
  }

  private fail(error: Error): void {
    if (this.failed) return;
    this.failed = true;
    this.parts.failStop(error);
  }
}
