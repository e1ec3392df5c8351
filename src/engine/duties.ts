/**
 * The work that time brings to books and accounts, as commands that nobody sends: the end of a day and the next one,
 * cut-offs, the breaker, the release of orders that waited, the orders of GTTs, the moves of the market, closing
 * orders, reviews, and the end of sessions. Each gets its place from the sequencer like any other command.
 */

import { must } from '../base/assert.ts';
import type { InstrumentId, Tick } from '../base/ids.ts';
import { instantOf } from '../base/tick.ts';
import { type EpochMs, istDay, MINUTE_MS, type WallMs, wallOf } from '../base/time.ts';
import { EXPIRED_IN_RECORD } from '../core/access/sessions.ts';
import { ordersToRelease } from '../core/broker/orders/after-market.ts';
import { midnightOfTurn } from '../core/broker/settlement/boundary.ts';
import { closingSteps } from '../core/broker/settlement/counter-orders.ts';
import { lossChecks } from '../core/broker/settlement/losses.ts';
import { unfundedLooks } from '../core/broker/settlement/unfunded-delivery.ts';
import type { Command, ReviewBan } from '../core/command.ts';
import { breakerQuietUntil, decideBreaker } from '../core/exchange/guards/market-breaker.ts';
import type { DecisionPorts, Ports } from '../core/ports.ts';
import type { State } from '../core/state.ts';
import { metBy } from '../core/step.ts';
import { DayDriver, type LimitedShares, type SpanFilesOn } from './day-driver.ts';
import { type Log, logDay, warnOfEndingKeys } from './day-notes.ts';
import { interestOf } from './interest.ts';
import { Kills } from './kills.ts';
import { MarketDriver } from './market-driver.ts';
import type { Sequencer } from './sequencer.ts';
import { finish, type Pieces, type Slice } from './slice.ts';

export interface DutiesParts {
  /** The state that the sequencer's commands change. */
  readonly state: State;
  readonly ports: Ports;
  /** The SPAN files that are to be used on a day; those of the state stay in force when absent. */
  readonly spanFilesOn?: SpanFilesOn;
  /** The shares whose open interest is compared with its limit each day; none when absent. */
  readonly limitedShares?: LimitedShares;
  /**
   * The wall's instant while the market's clock differs from it, as of a `MarketClock`; always one clock when absent.
   */
  readonly wallApart?: () => WallMs | undefined;
  /** Receives the actions of the risk desk and of the day's end. */
  readonly log?: Log;
}

/** How far books with orders are behind the market. */
interface MarketLag {
  /**
   * The seconds since the last one that every book has met; 1 or less where a second is done before the next one comes.
   */
  readonly seconds: number;
  /** Seconds that books did not meet since the start, because they were more than a minute behind. */
  readonly ticksLeftOut: number;
}

/**
 * Does this work in pieces. First the work that comes before any command of the present: the turn of days, cut-offs,
 * the breaker, releases, and the orders of GTTs that have fired. A command waits until it is done. Then the
 * work of each second beside commands: the market's moves, closing orders, reviews, expiries. Commands may come between
 * its pieces, each with its own book at the present.
 *
 * A record is one piece. The cancellations of a kill switch come in pieces before all other work, so nothing trades
 * between the switch and the last of them.
 */
export class Duties {
  readonly kills: Kills;
  private readonly parts: DutiesParts;
  private readonly sequencer: Sequencer;
  private readonly market: MarketDriver;
  private readonly days: DayDriver;
  private readonly presentPorts: DecisionPorts;
  /** The instant of the work that is being done. */
  private now = 0 as EpochMs;
  /** The work that comes before commands, while it is not done. */
  private meeting: Pieces | undefined;
  /** The market moves of the second, and its other work, while they are not done. */
  private moves: Pieces | undefined;
  private others: Pieces | undefined;
  /** The warning of API keys that end, while a day that has begun waits for it. */
  private endingKeys: Pieces | undefined;
  /** True when the work of the second before was not done when this second came. */
  private isLate = false;
  /** True for a market whose clock is set: it waits for its work, so nothing is left for later. */
  private isSet = false;
  /** The instant of the first work: what was due before it, while no process ran, happens then. */
  private began: EpochMs | undefined;
  /** The tick at which waiting orders were checked last. */
  private releasedAt: Tick | undefined;
  /** The tick at which the indices were checked last. */
  private breakerAt: Tick | undefined;

  constructor(sequencer: Sequencer, parts: DutiesParts) {
    const { state, ports } = parts;
    this.parts = parts;
    this.sequencer = sequencer;
    this.days = new DayDriver(() => state, ports.days, parts);
    this.market = new MarketDriver(interestOf(state, ports.market), (move) => {
      sequencer.record(move, instantOf(move.tick));
    });
    this.presentPorts = presentPorts(ports, state, () => this.tick());
    this.kills = new Kills(state, sequencer);
  }

  /**
   * Does the work that the present requires before a command is decided: the last ticks of a day that is over, the
   * steps of its end, the next day, the cut-offs that have come, and orders that waited for a session. A process that
   * was away goes through every day that it missed. Cancellations of a kill switch that are left come first. False when
   * the slice is over first: the next call goes on with the instant at which this one began, as if no time had passed,
   * and then with the present.
   */
  doDue(now: EpochMs, slice: Slice): boolean {
    if (!this.kills.goOn(slice)) return false;
    if (this.meeting !== undefined && !slice.run(this.meeting)) return false;
    this.now = now;
    this.meeting = this.dueWork();
    const isMet = slice.run(this.meeting);
    if (isMet) this.meeting = undefined;
    return isMet;
  }

  /** True while `doDue` has more to do before a command may come. */
  get isMeeting(): boolean {
    return this.meeting !== undefined;
  }

  /** As `doDue`, in one go. */
  doAllDue(now: EpochMs): void {
    this.kills.finish();
    if (this.meeting !== undefined) finish(this.meeting);
    this.meeting = undefined;
    this.now = now;
    finish(this.dueWork());
  }

  /** All work of the present, in one go. */
  doAllPresent(now: EpochMs): void {
    this.doAllDue(now);
    this.beginSecond();
    if (this.moves !== undefined) finish(this.moves);
    if (this.others !== undefined) finish(this.others);
    this.moves = undefined;
    this.others = undefined;
  }

  /** A second has passed: there is more for `continueSecond` to do. */
  beginSecond(): void {
    this.isLate = this.moves !== undefined;
    this.moves ??= this.moveMarket();
    this.others ??= this.bringOthers();
  }

  /**
   * Goes on with the work of the second, after `doDue`. Where moves take longer than a second the other work does
   * not wait for them. False when the slice is over first.
   */
  continueSecond(now: EpochMs, slice: Slice): boolean {
    this.now = now;
    return this.isLate ? this.runOthers(slice) && this.runMoves(slice) : this.runMoves(slice) && this.runOthers(slice);
  }

  /**
   * All work of an instant of a market whose clock is set, in its order and with that stamp. No command comes between
   * its pieces.
   */
  *workOf(at: EpochMs): Pieces {
    this.isSet = true;
    this.now = at;
    yield* this.kills.pieces();
    yield* this.dueWork();
    yield* this.moveMarket();
    yield* this.bringOthers();
  }

  /**
   * The work of an instant that need not be a whole second: the cancellations of a kill switch, outcomes that are due,
   * and the orders of GTTs that have fired.
   */
  *workBetween(at: EpochMs): Pieces {
    this.now = at;
    yield* this.kills.pieces();
    yield* this.meetOutcomes(at);
    yield* this.fireGtts();
  }

  /** The instant of the next outcome, which need not be a whole second. Infinite when none waits. */
  get nextOutcome(): number {
    return this.parts.state.outcomes.first?.due ?? Number.POSITIVE_INFINITY;
  }

  /** True when a command has left work behind at its own instant. */
  hasWorkAt(at: EpochMs): boolean {
    return this.kills.isOn || this.parts.state.gtts.triggered.size > 0 || this.nextOutcome <= at;
  }

  /** The work of the wall's present that is not done, for the instant at which a clock is set. */
  *remains(at: EpochMs): Pieces {
    this.isSet = true;
    this.now = at;
    yield* this.kills.pieces();
    if (this.meeting !== undefined) yield* this.meeting;
    if (this.moves !== undefined) yield* this.moves;
    if (this.others !== undefined) yield* this.others;
    this.meeting = undefined;
    this.moves = undefined;
    this.others = undefined;
  }

  /**
   * Goes on with a market whose clock is set, where a former process did the work of all seconds up to the instant.
   * Work in portions that it left is finished first, with all that comes behind it in its second: before a square-off
   * every book had met that. `at` is the midnight of a turn of the day that is not done; no book has met it.
   */
  *resume(at: EpochMs): Pieces {
    this.isSet = true;
    this.now = at;
    const { state } = this.parts;
    const isTurning = midnightOfTurn(state) !== undefined;
    if (!isTurning) this.market.resume(this.tick());
    if (isTurning || state.portion !== undefined) {
      yield* this.workOf(at);
      return;
    }
    this.days.resume(at);
    yield* this.kills.pieces();
    yield* this.fireGtts();
  }

  /**
   * The next instant that has work, where all of this one's is done and nothing was recorded at it: a whole minute at
   * the latest, since losses are checked there.
   */
  nextAfterQuiet(at: EpochMs): EpochMs {
    this.now = at;
    const tick = this.tick();
    const quiet = Math.min(
      this.market.quietUntil(tick),
      breakerQuietUntil(this.parts.state, this.presentPorts),
      this.waitingQuietUntil(tick),
    );
    const minute = at - (at % MINUTE_MS) + MINUTE_MS;
    return Math.min(minute, this.days.nextDuty, instantOf((quiet + 1) as Tick)) as EpochMs;
  }

  /** The last tick up to which no order that waits for a session can be released. */
  private waitingQuietUntil(tick: Tick): number {
    const { state, ports } = this.parts;
    let until = Number.POSITIVE_INFINITY;
    for (const { instruments } of state.afterMarket.batches()) {
      for (const instrument of instruments.keys()) {
        const reach = ports.market.reach?.(instrument, tick);
        if (!reach?.isClosed) return tick;
        until = Math.min(until, reach.until);
      }
    }
    return until;
  }

  /** Brings the book that a command meets to the present. */
  meetBook(command: Command, now: EpochMs): void {
    this.now = now;
    const instrument = metBy(this.parts.state, command);
    if (instrument !== undefined) this.market.catchUp(instrument, this.tick());
  }

  /** How far the books are behind the market. */
  lagAt(now: EpochMs): MarketLag {
    return { seconds: this.market.lagAt(this.tick(now)), ticksLeftOut: this.market.ticksLeftOut };
  }

  private *dueWork(): Pieces {
    const { days, market, sequencer } = this;
    const clock = this.parts.ports.market;
    const dueBoundary = () => days.dueBoundary(sequencer.stamp(this.now));
    this.began ??= this.now;
    for (let due = dueBoundary(); due !== undefined; due = dueBoundary()) {
      yield* this.meetOutcomes(due.at);
      // The first record of a day's end closes its market: no book meets a tick once some orders are gone.
      if (due.command.type === 'EndDay' && due.command.portion === undefined) {
        yield* market.finishDay(clock.tickAt(due.at));
      }
      this.recordDaily(due.command, due.at);
      yield;
    }
    yield* this.meetOutcomes(this.now);
    const cutOffs = days.dueDuties(sequencer.stamp(this.now));
    if (cutOffs.length > 0) {
      yield* market.bringAll(this.tick());
      for (const cutOff of cutOffs) {
        if (cutOff.type === 'SquareOff' && cutOff.segment === 'UnfundedDeliveries') {
          yield* this.lookForUnfunded();
          continue;
        }
        this.recordDaily(cutOff, this.now);
        yield* this.goOnWithPortions();
      }
    }
    this.checkBreaker();
    yield* this.releaseOrders();
    yield* this.fireGtts();
  }

  /** Looks for deliveries that are not paid for, some accounts at a time. */
  private *lookForUnfunded(): Pieces {
    const { state } = this.parts;
    const { day } = state;
    for (const look of unfundedLooks(state)) {
      if (state.day !== day) return;
      this.recordDaily(look, this.now);
      yield* this.goOnWithPortions();
      yield;
    }
  }

  /** The portions that are left of work that has begun. */
  private *goOnWithPortions(): Pieces {
    const { days, sequencer } = this;
    while (this.parts.state.portion !== undefined) {
      yield;
      const due = must(days.dueBoundary(sequencer.stamp(this.now)), 'work that has begun goes on');
      this.recordDaily(due.command, due.at);
    }
  }

  /**
   * Lets the outcomes happen whose instants have come, each at its instant, when all books have met the second in which
   * that lies. Those of a time without a process come first of all.
   */
  private *meetOutcomes(until: EpochMs): Pieces {
    const { state } = this.parts;
    let brought: Tick | undefined;
    let changed: InstrumentId | undefined;
    for (let next = state.outcomes.first; next !== undefined; next = state.outcomes.first) {
      const at = this.sequencer.stamp(Math.max(next.due, this.began ?? 0) as EpochMs);
      if (at > until || !this.mayGoOn()) return;
      const tick = this.tick(at);
      if (tick !== brought) yield* this.market.bringAll(tick);
      else if (changed !== undefined) this.market.catchUp(changed, tick);
      brought = tick;
      changed = undefined;
      if (state.outcomes.first !== next) continue;
      const { order, outcome } = next;
      const command = { type: 'MeetOutcome', order, outcome } as const;
      // Only its own book may be one afterwards that has not met the tick.
      changed = metBy(state, command);
      this.sequencer.record(command, at);
      yield;
    }
  }

  /** Asks once a tick, before anything trades in it, whether the indices halt the market. */
  private checkBreaker(): void {
    const tick = this.tick();
    if (tick === this.breakerAt) return;
    this.breakerAt = tick;
    if (decideBreaker(this.parts.state, this.presentPorts).length > 0) {
      this.recordDaily({ type: 'CheckBreaker' }, this.now);
    }
  }

  /**
   * Sends orders that waited for a session to the exchange, before any order that comes in it, each with its book at
   * the present. Once a tick.
   */
  private *releaseOrders(): Pieces {
    const { state } = this.parts;
    if (state.afterMarket.size === 0) return;
    const tick = this.tick();
    if (tick === this.releasedAt) return;
    this.releasedAt = tick;
    for (const order of ordersToRelease(state, this.presentPorts)) {
      if (order !== undefined) {
        if (!this.mayGoOn()) return;
        this.recordInBook({ type: 'ReleaseOrder', order });
      }
      yield;
    }
  }

  /** Moves the market, and places the orders of GTTs that a move fires after it. */
  private *moveMarket(): Pieces {
    const present = () => this.tick();
    for (const _ of this.market.advance(present, () => this.mayGoOn())) {
      yield* this.fireGtts();
      yield;
    }
    yield* this.fireGtts();
  }

  /** Places the orders of GTTs whose triggers have fired, in the order of firing, each with its book at the present. */
  private *fireGtts(): Pieces {
    for (const gtt of this.parts.state.gtts.triggered) {
      if (!this.mayGoOn()) return;
      this.recordInBook({ type: 'FireGtt', gtt });
      yield;
    }
  }

  private runMoves(slice: Slice): boolean {
    if (this.moves !== undefined && !slice.run(this.moves)) return false;
    this.moves = undefined;
    return true;
  }

  private runOthers(slice: Slice): boolean {
    if (this.others !== undefined && !slice.run(this.others)) return false;
    this.others = undefined;
    return true;
  }

  private *bringOthers(): Pieces {
    if (this.endingKeys !== undefined) yield* this.endingKeys;
    this.endingKeys = undefined;
    if (this.days.isTimeToLook(this.sequencer.stamp(this.now))) yield* this.closePositions();
    for (let review = this.days.dueReview(); review !== undefined; review = this.nextReview()) {
      this.recordDaily(review, this.now);
      yield;
    }
    const expiry = this.days.dueExpiry(wallOf(this.now, this.parts.wallApart?.()));
    while (expiry !== undefined && this.mayGoOn()) {
      const { events } = this.sequencer.record(expiry, this.now);
      if (events.length < EXPIRED_IN_RECORD) return;
      yield;
    }
  }

  /**
   * Checks losses and, once their cut-off has come, deliveries; then closes what is to be squared off, each order with
   * its book at the present.
   */
  private *closePositions(): Pieces {
    const { state } = this.parts;
    for (const check of lossChecks(state)) {
      this.recordDaily(check, this.now);
      yield;
    }
    const { day, squaredOff } = state;
    if (squaredOff.has('UnfundedDeliveries')) yield* this.lookForUnfunded();
    for (const step of closingSteps(state, this.presentPorts)) {
      for (const command of step) {
        if (!this.mayGoOn()) return;
        this.recordInBook(command);
      }
      yield;
      if (state.day !== day) return;
    }
  }

  /** A market that waits has all reviews in one second, another one a second. */
  private nextReview(): ReviewBan | undefined {
    return this.isSet ? this.days.dueReview() : undefined;
  }

  /** Records a command for an order with its book at the present. */
  private recordInBook(command: Command): void {
    this.meetBook(command, this.now);
    this.sequencer.record(command, this.now);
  }

  private recordDaily(command: Command, wanted: EpochMs): void {
    const { state, log, ports, wallApart } = this.parts;
    const { events } = this.sequencer.record(command, wanted);
    if (log === undefined) return;
    logDay(log, state, ports.instruments, events);
    if (events.some(({ type }) => type === 'DayRolled')) {
      const wall = wallApart?.();
      this.endingKeys = warnOfEndingKeys(log, state, wall === undefined ? state.day : istDay(wall));
    }
  }

  private mayGoOn(): boolean {
    return this.isSet || this.sequencer.obstacle() === undefined;
  }

  private tick(now = this.now): Tick {
    return this.parts.ports.market.tickAt(this.sequencer.stamp(now));
  }
}

/** Ports that are always at the present: work that pauses keeps them. */
function presentPorts(ports: Ports, state: State, tick: () => Tick): DecisionPorts {
  return {
    ...ports,
    get tick() {
      return tick();
    },
    get riskTick() {
      return state.riskTick;
    },
    get riskFiles() {
      return state.riskFiles;
    },
  };
}
