import type { InstrumentId, Tick } from '../base/ids.ts';
import { instantOf } from '../base/tick.ts';
import type { EpochMs } from '../base/time.ts';
import { ordersToRelease } from '../core/broker/after-market.ts';
import type { Command } from '../core/command.ts';
import { decideBreaker } from '../core/market-breaker.ts';
import { type Desk, daysOf, deskAt, type Ports } from '../core/ports.ts';
import { closingCommands } from '../core/settlement/counter-orders.ts';
import type { State } from '../core/state.ts';
import { metBy } from '../core/step.ts';
import { killedOrders } from '../core/switches/cancel-killed.ts';
import { DayDriver, type LimitedShares, type SpanFilesOn } from './day-driver.ts';
import { type Log, logDay } from './day-notes.ts';
import { interestOf } from './interest.ts';
import { MarketDriver } from './market-driver.ts';
import type { Sequencer } from './sequencer.ts';

/*
 * What time brings to the books and the accounts, as commands that nobody sends: the end of a day and the next one, cut-offs, the breaker,
 * the release of orders that waited, the moves of the market, closing orders, reviews, and the end of sessions. Each gets its place from the
 * sequencer like any other command.
 */

export interface DutiesParts {
  /** The state that the sequencer's commands change. */
  readonly state: State;
  readonly ports: Ports;
  /** The SPAN files that are to be used on a day; those of the state stay in force when absent. */
  readonly spanFilesOn?: SpanFilesOn;
  /** The shares whose open interest is compared with its limit each day; none when absent. */
  readonly limitedShares?: LimitedShares;
  /** Told of what the risk desk and the day's end did. */
  readonly log?: Log;
}

/** Does what the time brings, before anything else is done in it. */
export class Duties {
  private readonly parts: DutiesParts;
  private readonly sequencer: Sequencer;
  private readonly market: MarketDriver;
  private readonly days: DayDriver;
  private killsMet = false;
  /** The tick at which waiting orders were looked at last. */
  private releasedAt: Tick | undefined;
  /** The tick at which the indices were looked at last. */
  private breakerAt: Tick | undefined;

  constructor(sequencer: Sequencer, parts: DutiesParts) {
    const { state, ports } = parts;
    this.parts = parts;
    this.sequencer = sequencer;
    this.days = new DayDriver(() => state, daysOf(ports), parts);
    this.market = new MarketDriver(interestOf(state), (move) => {
      sequencer.record(move, instantOf(move.tick));
    });
  }

  /** What the passing of a second brings. */
  passSecond(now: EpochMs): void {
    this.meetTime(now);
    this.market.advance(this.tickAt(now), () => this.mayGoOn());
    if (this.days.isTimeToLook(this.sequencer.stamp(now))) this.closePositions(now);
    const review = this.days.dueReview();
    if (review !== undefined) this.recordDaily(review, now);
    const expiry = this.days.dueExpiry(now);
    if (expiry !== undefined) this.sequencer.record(expiry, now);
  }

  /**
   * What the time brings comes before anything else: the last ticks of a day that is over, the steps of its end, the next day, and the
   * cut-offs that have come. A process that was away goes through every day that it missed, and one that ended between a kill switch and its
   * cancellations makes them.
   */
  meetTime(now: EpochMs): void {
    const { days, market, sequencer } = this;
    const clock = this.parts.ports.market;
    const dueBoundary = () => days.dueBoundary(sequencer.stamp(now));
    for (let due = dueBoundary(); due !== undefined; due = dueBoundary()) {
      if (due.command.type === 'EndDay') market.finishDay(clock.tickAt(due.at));
      this.recordDaily(due.command, due.at);
    }
    if (!this.killsMet) {
      this.killsMet = true;
      this.cancelKilled(now);
    }
    const duties = days.dueDuties(sequencer.stamp(now));
    if (duties.length > 0) {
      market.advance(this.tickAt(now));
      for (const duty of duties) this.recordDaily(duty, now);
    }
    this.checkBreaker(now);
    this.releaseOrders(now);
  }

  /** Brings the book that a command meets to the present. */
  meetBook(command: Command, now: EpochMs): void {
    const instrument = metBy(this.parts.state, command);
    if (instrument !== undefined) this.catchUp(instrument, this.tickAt(now));
  }

  /** What a kill switch holds up is cancelled in the same turn, before anything can trade it. */
  cancelKilled(now: EpochMs): void {
    for (const cancel of killedOrders(this.parts.state)) this.sequencer.record(cancel, now);
  }

  /** Whether the indices halt the market is asked once a tick, before anything trades in it. */
  private checkBreaker(now: EpochMs): void {
    const tick = this.tickAt(now);
    if (tick === this.breakerAt) return;
    this.breakerAt = tick;
    if (decideBreaker(this.parts.state, this.deskAt(now)).length > 0) this.recordDaily({ type: 'CheckBreaker' }, now);
  }

  /** Orders that waited for a session go to the exchange before any that come in it, each with its book at the present. Once a tick. */
  private releaseOrders(now: EpochMs): void {
    const { state } = this.parts;
    if (state.afterMarket.size === 0) return;
    const tick = this.tickAt(now);
    if (tick === this.releasedAt) return;
    this.releasedAt = tick;
    for (const order of ordersToRelease(state, this.deskAt(now))) {
      if (!this.mayGoOn()) return;
      const instrument = state.orders.get(order)?.instrument;
      if (instrument !== undefined) this.catchUp(instrument, tick);
      this.sequencer.record({ type: 'ReleaseOrder', order }, now);
    }
  }

  /** Checks losses and, once their cut-off has come, deliveries; then closes what is to be squared off, each order with its book at the present. */
  private closePositions(now: EpochMs): void {
    const { state } = this.parts;
    this.recordDaily({ type: 'CheckLosses' }, now);
    const { day, squaredOff } = state;
    const segment = 'UnfundedDeliveries';
    if (squaredOff.has(segment)) this.recordDaily({ type: 'SquareOff', day, segment }, now);
    const desk = this.deskAt(now);
    for (const command of closingCommands(state, desk)) {
      if (!this.mayGoOn()) return;
      const instrument = metBy(state, command);
      if (instrument !== undefined) this.catchUp(instrument, desk.tick);
      this.sequencer.record(command, now);
    }
  }

  private catchUp(instrument: InstrumentId, tick: Tick): void {
    this.market.catchUp(instrument, tick);
  }

  private recordDaily(command: Command, wanted: EpochMs): void {
    const { state, log, ports } = this.parts;
    const { events } = this.sequencer.record(command, wanted);
    if (log !== undefined) logDay(log, state, ports.instruments, events);
  }

  private mayGoOn(): boolean {
    return this.sequencer.obstacle() === undefined;
  }

  private tickAt(now: EpochMs): Tick {
    return this.parts.ports.market.tickAt(this.sequencer.stamp(now));
  }

  private deskAt(now: EpochMs): Desk {
    const { ports, state } = this.parts;
    return deskAt(ports, state, this.sequencer.stamp(now));
  }
}
