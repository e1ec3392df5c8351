/**
 * The engine: the sequencer together with the duties that time brings. A command gets its place after the present's
 * duties are done, and waits for them when they take long. The work of a second is done in slices, and requests are
 * answered between two slices.
 */

import { type EpochMs, SECOND_MS } from '../base/time.ts';
import type { SetClock } from '../core/command.ts';
import { type DecisionPorts, portsAt } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { Views } from '../views/views.ts';
import { Duties, type DutiesParts } from './duties.ts';
import type { DurableFeed } from './feed/durable-feed.ts';
import { HeldCommands } from './held-commands.ts';
import { type EnginePort, OPERATOR, type Submission } from './port.ts';
import { Sequencer, type SequencerParts, type SequencerStatus } from './sequencer.ts';
import { Slice } from './slice.ts';
import { type MarketClock, secondOf } from './time/market-clock.ts';

/** `elapsed` and `defer` are the process's own when absent. */
export type EngineParts = Omit<SequencerParts, OfTheLoop> & Partial<Pick<SequencerParts, OfTheLoop>> & EngineDuties;
type OfTheLoop = 'elapsed' | 'defer';
type EngineDuties = Omit<DutiesParts, 'state'> & {
  /** The market's clock where it can be set; it waits for nothing when absent. */
  readonly pace?: Pick<MarketClock, 'meet' | 'lastMet' | 'lostMs'>;
};

interface EngineStatus extends SequencerStatus {
  /** Commands that wait until the duties of the present are done. */
  readonly held: number;
  /** The seconds since the last one that every book with orders has met; 1 or less when nothing is late. */
  readonly marketLag: number;
  /** Seconds that books did not meet since the start, because they were more than a minute behind. */
  readonly ticksLeftOut: number;
  /** How much slower than its speed a market went whose clock is set, in milliseconds of the market. */
  readonly timeLostMs: number;
}

/** Decides commands and answers queries over the live state. */
export class Engine implements EnginePort {
  private readonly parts: SequencerParts;
  private readonly sequencer: Sequencer;
  private readonly duties: Duties;
  /** The ports that queries were handed last. */
  private shown: DecisionPorts | undefined;
  private readonly held = new HeldCommands();
  private readonly slice: Slice;
  private readonly pace: EngineDuties['pace'];
  /** The second of the market whose work has begun last and is not known to be done. */
  private begun: number | undefined;
  /** True while a slice is to come in the next turn of the loop. */
  private isSliceDue = false;

  constructor({ elapsed = () => performance.now(), defer = setImmediate, ...others }: EngineParts) {
    this.parts = { ...others, elapsed, defer };
    this.sequencer = new Sequencer(this.parts);
    this.duties = new Duties(this.sequencer, { ...others, state: others.live.state });
    this.slice = new Slice(elapsed);
    this.pace = others.pace;
  }

  now(): EpochMs {
    return this.sequencer.stamp(this.parts.clock());
  }

  /** Hands out records once they are durable. */
  get feed(): DurableFeed {
    return this.sequencer.feed;
  }

  submit(submission: Submission): Promise<Reply> {
    // A switch is taken however full the queues are, and waits for nothing: it may be the one that stops the flood.
    const isUrgent = submission.command.type === 'SetSwitch';
    return this.sequencer.take(() => {
      const now = this.parts.clock();
      if (isUrgent) this.duties.meetTimeAtOnce(now);
      else if (!this.isTimeMet(now)) return this.hold(submission);
      return this.decide(submission, now);
    }, isUrgent);
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T | Promise<T> {
    return this.sequencer.read((state, views) => query(state, views, this.portsNow()));
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    const { state, views } = this.parts.live;
    return query(state, this.portsNow(), views);
  }

  /** The ports of a decision at this moment; the same ones while a second and the figures for margins last. */
  private portsNow(): DecisionPorts {
    const { live, ports } = this.parts;
    const { riskTick, riskFiles } = live.state;
    const at = this.now();
    const { shown } = this;
    const isCurrent = shown?.tick === ports.market.tickAt(at) && shown.riskTick === riskTick;
    if (isCurrent && shown.riskFiles === riskFiles) return shown;
    this.shown = portsAt(ports, live.state, at);
    return this.shown;
  }

  /**
   * Does the work of a second: the turn of days, cut-offs, the market's moves, closing orders, the end of sessions.
   * Called by a timer. Work beyond one slice is done in later turns of the loop.
   */
  passSecond(): void {
    if (this.sequencer.obstacle() !== undefined || this.isSecondCared()) return;
    this.beginSecond();
    if (!this.isSliceDue) this.runSlice();
  }

  /**
   * Brings the day and the books to the present before it returns: for a start, when nobody waits for an answer yet.
   */
  meetPresent(): void {
    if (this.sequencer.obstacle() !== undefined) return;
    const now = this.parts.clock();
    this.sequencer.guarded(() => this.duties.meetPresent(now));
    this.pace?.meet(secondOf(now));
  }

  /**
   * Sets the clock for a start, before anything is done for the present: the record has the instant of the one before,
   * so that all that lies between there and the new instant gets its own. In a new journal it has the new instant.
   */
  setClockFirst(command: SetClock): void {
    const { at } = this.parts.live.state;
    const wanted = at > 0 ? at : (command.market ?? this.parts.clock());
    this.sequencer.guarded(() => this.sequencer.record(command, wanted, OPERATOR));
  }

  /** Lets the journal know how far a market clock has come that is set: for a stop. */
  markClock(): void {
    if (this.pace?.lastMet() === undefined || this.sequencer.obstacle() !== undefined) return;
    this.sequencer.guarded(() => {
      const now = this.parts.clock();
      this.duties.meetTimeAtOnce(now);
      this.sequencer.record({ type: 'MarkClock' }, now);
    });
  }

  /** Refuses new commands and resolves when everything that was taken is durable and answered. */
  drain(): Promise<void> {
    return this.sequencer.drain();
  }

  status(): EngineStatus {
    const { seconds, ticksLeftOut } = this.duties.lagAt(this.parts.clock());
    const timeLostMs = this.pace?.lostMs ?? 0;
    return { ...this.sequencer.status(), held: this.held.size, marketLag: seconds, ticksLeftOut, timeLostMs };
  }

  /** True when a command may come now. While others wait, it waits after them. */
  private isTimeMet(now: EpochMs): boolean {
    if (this.held.size > 0 || this.duties.isMeeting) return false;
    this.slice.begin();
    return this.duties.meetTime(now, this.slice);
  }

  private hold(submission: Submission): Promise<Reply> {
    this.awaitSlice();
    return this.held.hold((now) => this.sequencer.take(() => this.decide(submission, now), false));
  }

  /**
   * A command first meets the present, whose duties are done by now; an order command also meets its book at the
   * present.
   */
  private decide({ command, origin }: Submission, now: EpochMs): Reply {
    const { sequencer, duties } = this;
    duties.meetBook(command, now);
    const { reply } = sequencer.record(command, now, origin);
    if (command.type === 'SetSwitch') duties.cancelKilled(now);
    if (this.parts.live.state.gtts.triggered.size > 0) this.awaitSlice();
    return reply;
  }

  private awaitSlice(): void {
    if (this.isSliceDue) return;
    this.isSliceDue = true;
    this.parts.defer(() => this.runSlice());
  }

  /** Does the work of one slice. While there is an obstacle nothing is done: the next second tries again. */
  private runSlice(): void {
    const { sequencer, held } = this;
    this.isSliceDue = false;
    if (sequencer.obstacle() !== undefined) held.takeAll(this.parts.clock());
    else if (!sequencer.guarded(() => this.goOn())) this.awaitSlice();
    else this.endSecond();
  }

  private beginSecond(): void {
    this.begun = secondOf(this.parts.clock());
    this.duties.beginSecond();
  }

  /** True when the clock is set and the work of its present second is done, or goes on. */
  private isSecondCared(): boolean {
    const met = this.pace?.lastMet();
    if (met === undefined) return false;
    const second = secondOf(this.parts.clock());
    return second <= met || (second === this.begun && this.isSliceDue);
  }

  /**
   * Lets a clock that is set go on when every book has met the second, and begins the next one where that has come
   * already. Work that an obstacle broke off is taken up by the ticker.
   */
  private endSecond(): void {
    const { pace, begun } = this;
    if (begun === undefined || pace?.lastMet() === undefined || this.sequencer.obstacle() !== undefined) return;
    if (this.duties.lagAt((begun * SECOND_MS) as EpochMs).seconds === 0) {
      pace.meet(begun);
      this.begun = undefined;
    }
    if (this.isSecondCared()) return;
    this.beginSecond();
    this.awaitSlice();
  }

  /**
   * True when all is done: the duties of the present, the commands that waited for them, and the other work of the
   * second.
   */
  private goOn(): boolean {
    const { duties, slice } = this;
    slice.begin();
    if (!this.held.takeWhile(slice, () => this.meetTime())) return false;
    const now = this.meetTime();
    return now !== undefined && duties.goOn(now, slice);
  }

  /** The present instant when its duties are done. */
  private meetTime(): EpochMs | undefined {
    const now = this.parts.clock();
    return this.duties.meetTime(now, this.slice) ? now : undefined;
  }
}
