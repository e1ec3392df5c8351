import { assert } from '../base/assert.ts';
import type { Tick } from '../base/ids.ts';
import { instantOf } from '../base/tick.ts';
import type { EpochMs } from '../base/time.ts';
import { ordersToRelease } from '../core/broker/after-market.ts';
import type { Command } from '../core/command.ts';
import { decideBreaker } from '../core/market-breaker.ts';
import { daysOf, deskAt, type Ports } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import { closingCommands } from '../core/settlement/counter-orders.ts';
import type { State } from '../core/state.ts';
import { metBy, type Step } from '../core/step.ts';
import { killedOrders } from '../core/switches/cancel-killed.ts';
import type { Head, Journal } from '../journal/journal.ts';
import type { Views } from '../views/views.ts';
import { DayDriver, type LimitedShares, type SpanFilesOn } from './day-driver.ts';
import { type Log, logDay } from './day-notes.ts';
import { DurableFeed } from './durable-feed.ts';
import type { DecisionContext } from './durable-record.ts';
import { interestOf } from './interest.ts';
import type { Live } from './live.ts';
import { MarketDriver } from './market-driver.ts';
import { OpenGroup } from './open-group.ts';
import { type EnginePort, type Origin, SERVICE, type Submission, Unavailable } from './port.ts';
import { ReleaseQueue } from './release-queue.ts';

export interface EngineLimits {
  /** Records that are applied and not yet durable. Beyond that commands are refused. */
  readonly inFlight: number;
  /** Answers that wait for the disk, reads included. */
  readonly waiting: number;
  /** A commit that runs longer than this makes new commands be refused before they are sequenced. Source: reliability F15. */
  readonly commitStallMs: number;
}

/** How many more turns of the event loop a group waits at most for what they bring. A turn that brings nothing ends the wait. */
const GATHER_TURNS = 1;

const DEFAULT_LIMITS: EngineLimits = { inFlight: 10_000, waiting: 20_000, commitStallMs: 2_000 };

export interface EngineParts {
  /** Recovered to the head of the journal. */
  readonly live: Live;
  readonly journal: Journal;
  readonly ports: Ports;
  /** The SPAN files that are to be used on a day; those of the state stay in force when absent. */
  readonly spanFilesOn?: SpanFilesOn;
  /** The shares whose open interest is compared with its limit each day; none when absent. */
  readonly limitedShares?: LimitedShares;
  /** Wall time. */
  readonly clock: () => EpochMs;
  /** Ends the process: the storage failed, or a bug showed. Called once; nothing is acknowledged afterwards. */
  readonly failStop: (error: Error) => void;
  readonly limits?: Partial<EngineLimits>;
  /** Told of what the risk desk and the day's end did. */
  readonly log?: Log;
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number;
  /** Does work in the next turn of the event loop; the process's own loop when absent. */
  readonly defer?: (work: () => void) => void;
}

/** The engine's figures, for metrics and readiness. */
export interface EngineStatus {
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

/**
 * The one writer. Commands are decided and applied at once, in the order in which they come; their records are committed in groups, a
 * group being whatever came since the last commit began; replies leave in order when their group is durable.
 */
export class Engine implements EnginePort {
  /** Hands out what was recorded, when it is durable. */
  readonly feed: DurableFeed;
  private readonly parts: EngineParts;
  private readonly limits: EngineLimits;
  private readonly elapsed: () => number;
  private readonly defer: (work: () => void) => void;
  private readonly group = new OpenGroup();
  private readonly queue: ReleaseQueue;
  private readonly market: MarketDriver;
  private readonly days: DayDriver;
  private lastAt: EpochMs;
  private durableSeq: number;
  private commitStarted: number | undefined;
  private killsMet = false;
  /** The tick at which waiting orders were looked at last. */
  private releasedAt: Tick | undefined;
  /** The tick at which the indices were looked at last. */
  private breakerAt: Tick | undefined;
  private scheduled = false;
  private draining = false;
  private failed = false;
  private groups = 0;
  private lastCommitMs = 0;
  private longestCommitMs = 0;

  constructor(parts: EngineParts) {
    const { live, journal } = parts;
    assert(live.seq === journal.head().seq, 'the engine starts from the head of the journal');
    this.parts = parts;
    this.limits = { ...DEFAULT_LIMITS, ...parts.limits };
    this.elapsed = parts.elapsed ?? (() => performance.now());
    this.defer = parts.defer ?? setImmediate;
    this.lastAt = live.at;
    this.durableSeq = live.seq;
    this.queue = new ReleaseQueue(live.seq);
    const failStop = (error: unknown): void => this.fail(errorOf(error));
    this.feed = new DurableFeed({ journal, failStop, elapsed: this.elapsed, defer: this.defer });
    this.days = new DayDriver(() => live.state, daysOf(parts.ports), parts);
    this.market = new MarketDriver(interestOf(live.state), (move) => {
      this.decide(move, instantOf(move.tick));
    });
  }

  submit({ command, origin }: Submission): Promise<Reply> {
    // A switch is taken however full the queues are: it may be the one that stops what fills them.
    const obstacle = command.type === 'SetSwitch' ? this.ending() : this.obstacle();
    if (obstacle !== undefined) return Promise.reject(new Unavailable(obstacle));
    try {
      const reply = this.guarded(() => this.meet(command, origin));
      return Promise.resolve(this.queue.when(this.parts.live.seq, reply));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  read<T>(query: (state: State, views: Views) => T): T | Promise<T> {
    const { live } = this.parts;
    if (live.seq > this.durableSeq && this.queue.length >= this.limits.waiting) {
      return Promise.reject(new Unavailable('too many answers wait for the disk'));
    }
    return this.queue.when(live.seq, query(live.state, live.views));
  }

  glance<T>(query: (state: State) => T): T {
    return query(this.parts.live.state);
  }

  /** What the passing of a second brings: the turn of days, cut-offs, the market's moves, the end of sessions. Called by a timer. */
  passSecond(): void {
    if (this.obstacle() !== undefined) return;
    this.guarded(() => {
      const now = this.parts.clock();
      this.meetTheTime(now);
      this.market.advance(this.parts.ports.market.tickAt(this.stamp(now)), () => this.obstacle() === undefined);
      if (this.days.isTimeToLook(this.stamp(now))) this.closePositions(now);
      const review = this.days.dueReview();
      if (review !== undefined) this.decideDaily(review, now);
      const expiry = this.days.dueExpiry(now);
      if (expiry !== undefined) this.decide(expiry, now);
    });
  }

  /** Refuses new commands and resolves when everything that was taken is durable and answered. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.queue.when(this.parts.live.seq, undefined);
  }

  status(): EngineStatus {
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

  /** A command meets the present first, and an order command its book as the market has it now. */
  private meet(command: Command, origin: Origin): Reply {
    const now = this.parts.clock();
    this.meetTheTime(now);
    const instrument = metBy(this.parts.live.state, command);
    if (instrument !== undefined) this.market.catchUp(instrument, this.parts.ports.market.tickAt(this.stamp(now)));
    const reply = this.decide(command, now, origin);
    if (command.type === 'SetSwitch') this.cancelKilled(now);
    return reply;
  }

  /** What a kill switch holds up is cancelled in the same turn, before anything can trade it. */
  private cancelKilled(now: EpochMs): void {
    for (const cancel of killedOrders(this.parts.live.state)) this.decide(cancel, now);
  }

  private ending(): string | undefined {
    if (this.failed) return 'the service has failed';
    return this.draining ? 'the service is shutting down' : undefined;
  }

  private obstacle(): string | undefined {
    const ending = this.ending();
    if (ending !== undefined) return ending;
    if (this.parts.journal.isFull()) return 'the disk is full';
    const { inFlight, waiting, commitStallMs } = this.limits;
    if (this.parts.live.seq - this.durableSeq >= inFlight) return 'too many commands wait for the disk';
    if (this.queue.length >= waiting) return 'too many answers wait for the disk';
    return this.stalledMs() > commitStallMs ? 'the disk does not answer in time' : undefined;
  }

  /**
   * What the time brings comes before anything else: the last ticks of a day that is over, the steps of its end, the next day, and the
   * cut-offs that have come. A process that was away goes through every day that it missed, and one that ended between a kill switch and its
   * cancellations makes them.
   */
  private meetTheTime(now: EpochMs): void {
    const { days, market } = this;
    const clock = this.parts.ports.market;
    for (let due = days.dueBoundary(this.stamp(now)); due !== undefined; due = days.dueBoundary(this.stamp(now))) {
      if (due.command.type === 'EndDay') market.finishDay(clock.tickAt(due.at));
      this.decideDaily(due.command, due.at);
    }
    if (!this.killsMet) {
      this.killsMet = true;
      this.cancelKilled(now);
    }
    const duties = days.dueDuties(this.stamp(now));
    if (duties.length > 0) {
      market.advance(clock.tickAt(this.stamp(now)));
      for (const duty of duties) this.decideDaily(duty, now);
    }
    this.checkBreaker(now);
    this.releaseOrders(now);
  }

  /** Whether the indices halt the market is asked once a tick, before anything trades in it. */
  private checkBreaker(now: EpochMs): void {
    const { live, ports } = this.parts;
    const at = this.stamp(now);
    const tick = ports.market.tickAt(at);
    if (tick === this.breakerAt) return;
    this.breakerAt = tick;
    if (decideBreaker(live.state, deskAt(ports, live.state, at)).length > 0) {
      this.decideDaily({ type: 'CheckBreaker' }, now);
    }
  }

  /** Orders that waited for a session go to the exchange before any that come in it, each with its book at the present. Once a tick. */
  private releaseOrders(now: EpochMs): void {
    const { live, ports } = this.parts;
    if (live.state.afterMarket.size === 0) return;
    const at = this.stamp(now);
    const tick = ports.market.tickAt(at);
    if (tick === this.releasedAt) return;
    this.releasedAt = tick;
    const desk = deskAt(ports, live.state, at);
    for (const order of ordersToRelease(live.state, desk)) {
      if (this.obstacle() !== undefined) return;
      const instrument = live.state.orders.get(order)?.instrument;
      if (instrument !== undefined) this.market.catchUp(instrument, tick);
      this.decide({ type: 'ReleaseOrder', order }, now);
    }
  }

  /** Checks losses and, once their cut-off has come, deliveries; then closes what is to be squared off, each order with its book at the present. */
  private closePositions(now: EpochMs): void {
    const { live, ports } = this.parts;
    this.decideDaily({ type: 'CheckLosses' }, now);
    const { day, squaredOff } = live.state;
    const segment = 'UnfundedDeliveries';
    if (squaredOff.has(segment)) this.decideDaily({ type: 'SquareOff', day, segment }, now);
    const at = this.stamp(now);
    const desk = deskAt(ports, live.state, at);
    for (const command of closingCommands(live.state, desk)) {
      if (this.obstacle() !== undefined) return;
      const instrument = metBy(live.state, command);
      if (instrument !== undefined) this.market.catchUp(instrument, desk.tick);
      this.decide(command, now);
    }
  }

  private decideDaily(command: Command, wanted: EpochMs): void {
    const { live, log, ports } = this.parts;
    const { events } = this.record(command, wanted);
    if (log !== undefined) logDay(log, live.state, ports.instruments, events);
  }

  private stamp(wanted: EpochMs): EpochMs {
    return Math.max(this.lastAt, wanted) as EpochMs;
  }

  /** Gives a command its place, decides and applies it, and puts its record into the open group. */
  private decide(command: Command, wanted: EpochMs, origin: Origin = SERVICE): Reply {
    return this.record(command, wanted, origin).reply;
  }

  private record(command: Command, wanted: EpochMs, origin: Origin = SERVICE): Step {
    const { live, ports } = this.parts;
    const at = this.stamp(wanted);
    const seq = live.seq + 1;
    const step = live.step(ports, { seq, at, command });
    const { events } = step;
    this.lastAt = at;
    if (events.length === 0) {
      if (origin !== SERVICE) this.feed.unrecorded({ at, command, context: this.contextOf(origin, step) });
      return step;
    }
    assert(live.seq === seq, 'a record takes the next sequence number');
    this.group.add(seq, at, command, events);
    this.feed.decided({ seq, at, command, events, context: this.contextOf(origin, step) });
    this.schedule();
    return step;
  }

  private contextOf(origin: Origin, { reply }: Step): DecisionContext {
    return { origin, utc: this.parts.clock(), reply };
  }

  /** Lets the requests of this turn of the loop share a group, and those that the next turns bring while they bring any. */
  private schedule(): void {
    if (this.scheduled || this.commitStarted !== undefined) return;
    this.scheduled = true;
    this.defer(() => this.gather(0, 0));
  }

  /** Under load every turn brings requests, and those of clients that were just answered come in the next: a commit is made for all of them. */
  private gather(turns: number, before: number): void {
    const { size } = this.group;
    if (turns < GATHER_TURNS && size > before) {
      this.defer(() => this.gather(turns + 1, size));
      return;
    }
    this.scheduled = false;
    this.commit();
  }

  private commit(): void {
    if (this.failed || this.commitStarted !== undefined || this.group.size === 0) return;
    this.commitStarted = this.elapsed();
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

  private stalledMs(): number {
    return this.commitStarted === undefined ? 0 : this.elapsed() - this.commitStarted;
  }

  /** A command that throws may have been applied in part: nothing of this process's memory may be told any more. */
  private guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.fail(errorOf(error));
      throw error;
    }
  }

  private fail(error: Error): void {
    if (this.failed) return;
    this.failed = true;
    this.parts.failStop(error);
  }
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
