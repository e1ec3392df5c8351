/**
 * The run of a market whose clock is set: from one instant that has work to the next. All work of an instant has its
 * stamp and comes into one group of the journal; a command comes between two instants, so its place does not depend on
 * how the machine's timers fell. Where nothing can happen the market goes on to the next instant that matters.
 */
import { type EpochMs, HOUR_MS, SECOND_MS } from '../../base/time.ts';
import { midnightOfTurn } from '../../core/broker/settlement/boundary.ts';
import { isMarkDue } from '../../core/clock/set-clock.ts';
import type { Event } from '../../core/event.ts';
import type { Duties } from '../duties.ts';
import type { Live } from '../live.ts';
import type { Sequencer } from '../sequencer.ts';
import { finish, type Pieces, type Slice } from '../slice.ts';
import { Agenda } from './agenda.ts';
import { type MarketClock, secondAfter } from './market-clock.ts';
import { isOwnEvent } from './own-event.ts';

/** A quiet market that runs is marked in the journal this often at most, in milliseconds of the wall. */
const MARK_MS = 250;

export interface MarketRunParts {
  readonly clock: MarketClock;
  readonly duties: Duties;
  readonly sequencer: Sequencer;
  readonly live: Live;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

/** Takes a command at its instant. */
type Take = (at: EpochMs) => void;

/** Leads a market from instant to instant. The engine gives it the slices, and the commands between two instants. */
export class MarketRun {
  private readonly parts: MarketRunParts;
  private readonly agenda = new Agenda<Take>();
  /** The work of the instant at which the clock stands. */
  private working: Pieces | undefined;
  /** The last record when that work began. */
  private before = 0;
  /** The next instant that has work of its own. */
  private next = 0 as EpochMs;
  private markedAt = Number.NEGATIVE_INFINITY;
  /** True when the account has met an event at which the step ends. */
  private isEventMet = false;
  private resting: (() => void)[] = [];

  constructor(parts: MarketRunParts) {
    this.parts = parts;
  }

  /** True for a market whose clock is set. */
  get isOn(): boolean {
    return this.parts.clock.isSet;
  }

  /** True while the work of an instant goes on, so that commands have to wait. */
  get isWorking(): boolean {
    return this.working !== undefined;
  }

  /** True when there is something to do now. */
  get isDue(): boolean {
    return this.parts.clock.isHeld();
  }

  /**
   * Begins in a new process, before anybody waits for an answer. The work of the last record's second is done, since it
   * is in the journal as a whole; that of an instant to which the clock has jumped is not. A market that a former
   * process, or a branch, left within the turn of a day begins at the midnight of that.
   */
  start(): void {
    const { clock, duties, live } = this.parts;
    const { at, day, clock: line } = live.state;
    const stands = Math.max(at, line?.market ?? 0) as EpochMs;
    const isMet = day !== 0 && stands === at;
    const from = clock.begin(isMet ? (midnightOfTurn(live.state) ?? at) : stands);
    this.beginFrom(from, isMet ? duties.resume(from) : duties.workOf(from));
    this.noteSetting();
    this.finishWork();
  }

  /** Goes on from the instant at which a clock is set that followed the wall. */
  takeOver(): void {
    const { clock, duties } = this.parts;
    const at = clock.begin(this.parts.live.at);
    this.beginFrom(at, duties.remains(at));
  }

  /**
   * Goes on from instant to instant until the slice is over, with commands that wait between two of them. True when
   * nothing is due. `takeHeld` takes waiting commands at an instant until work has to come first; true when none waits.
   */
  goOn(slice: Slice, takeHeld: () => boolean): boolean {
    for (;;) {
      if (this.working !== undefined && !this.workOn(slice)) return false;
      const isServed = takeHeld();
      // A command that failed may be applied in part: nothing is done over such a state.
      if (this.parts.sequencer.ending() !== undefined) return true;
      if (isServed && this.working === undefined) {
        if (!this.isDue) return true;
        if (this.parts.sequencer.isBehind) return false;
        this.beginNext();
      }
      if (slice.isOver) return false;
    }
  }

  /** Does the rest of the work of an instant in one go, for a command that waits for nothing. */
  finishWork(): void {
    while (this.working !== undefined) {
      finish(this.working);
      this.endWork();
    }
  }

  /** A command was taken: the next whole second may have work because of it, and its own instant may have too. */
  noteCommand(at: EpochMs): void {
    this.next = Math.min(this.next, secondAfter(at)) as EpochMs;
    const { clock, duties } = this.parts;
    this.expectAll(at);
    this.endStep(at);
    if (this.working !== undefined || !duties.hasWorkAt(at)) return;
    clock.begin(at);
    this.begin(duties.workBetween(at));
  }

  /** The clock was set: whoever waits for the end of a step goes on if there is none any more. */
  noteSetting(): void {
    const { live, sequencer } = this.parts;
    const { eventOf, until } = live.state.clock ?? {};
    this.isEventMet = false;
    sequencer.watch = eventOf === undefined ? undefined : (events) => this.lookFor(events);
    if (until !== undefined) return;
    const { resting } = this;
    this.resting = [];
    for (const rest of resting) rest();
  }

  /** Lets a command come at an instant that is ahead: after the work of that instant, before all that is later. */
  takeAt(at: EpochMs, take: Take): void {
    this.agenda.add(at, take);
    this.parts.clock.expect(at);
  }

  /** Resolves when no step goes on and all that was recorded by then is durable and handed to the feed. */
  async rest(): Promise<void> {
    const { live, sequencer } = this.parts;
    if (live.state.clock?.until !== undefined) await new Promise<void>((resolve) => this.resting.push(resolve));
    await sequencer.settled();
  }

  private beginNext(): void {
    const { clock, duties, live } = this.parts;
    const at = clock.begin();
    this.before = live.seq;
    // The end of a step and the instants of commands and of outcomes need not be whole seconds.
    this.begin(at % SECOND_MS === 0 ? duties.workOf(at) : duties.workBetween(at));
  }

  private beginFrom(at: EpochMs, work: Pieces): void {
    this.before = this.parts.live.seq;
    this.next = secondAfter(at);
    this.begin(work);
  }

  private begin(work: Pieces): void {
    this.parts.sequencer.withhold();
    this.working = work;
  }

  private workOn(slice: Slice): boolean {
    if (this.working === undefined || !slice.run(this.working)) return false;
    this.endWork();
    return true;
  }

  /** The commands of the instant come behind its work. One that leaves work behind is followed by that. */
  private endWork(): void {
    const { clock, sequencer } = this.parts;
    const at = clock.now();
    this.working = undefined;
    for (let take = this.agenda.take(at); take !== undefined; take = this.agenda.take(at)) {
      take(at);
      if (this.isWorking) return;
    }
    this.next = this.nextAfter(at);
    clock.end(this.next);
    this.expectAll(at);
    this.mark(at);
    this.endStep(at);
    sequencer.release();
  }

  private expectAll(now: EpochMs): void {
    const { clock, duties } = this.parts;
    clock.expect(this.next);
    if (this.agenda.next !== undefined) clock.expect(this.agenda.next);
    if (duties.nextOutcome > now) clock.expect(duties.nextOutcome as EpochMs);
  }

  private nextAfter(at: EpochMs): EpochMs {
    const { live, duties } = this.parts;
    const second = secondAfter(at);
    if (live.seq !== this.before) return second;
    if (at % SECOND_MS !== 0) return this.next;
    const quiet = duties.nextAfterQuiet(at);
    return Math.max(second, Math.ceil(quiet / SECOND_MS) * SECOND_MS) as EpochMs;
  }

  /**
   * Lets the journal know how far a market has come in which nothing happens. In a step that does not depend on the
   * machine: the same steps make the same records.
   */
  private mark(at: EpochMs): void {
    const { live, sequencer, elapsed } = this.parts;
    const isInStep = live.state.clock?.until !== undefined;
    const isTime = isInStep ? at % HOUR_MS === 0 : elapsed() - this.markedAt >= MARK_MS;
    if (!isTime || !isMarkDue(live.state, at)) return;
    this.markedAt = elapsed();
    sequencer.record({ type: 'MarkClock' }, at);
  }

  /** A step that is over leaves a market that stands still. */
  private endStep(at: EpochMs): void {
    const { live, sequencer } = this.parts;
    const line = live.state.clock;
    if (line?.until === undefined || (at < line.until && !this.isEventMet)) return;
    sequencer.record({ type: 'SetClock', speed: 0, by: line.by, why: line.why }, at);
    this.noteSetting();
  }

  private lookFor(events: readonly Event[]): void {
    const { state, views } = this.parts.live;
    const account = state.clock?.eventOf;
    if (account === undefined || this.isEventMet) return;
    this.isEventMet = events.some((event) => isOwnEvent(event, account, (order) => views.history.accountOf(order)));
  }
}
