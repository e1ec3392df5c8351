/**
 * The engine: the sequencer together with the duties that time brings. A command gets its place after the present's
 * duties are done, and waits for them when they take long. The work of a second is done in slices, and requests are
 * answered between two slices.
 */

import type { EpochMs } from '../base/time.ts';
import type { Command, SetClock } from '../core/command.ts';
import { type DecisionPorts, portsAt } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { Views } from '../views/views.ts';
import { Duties, type DutiesParts } from './duties.ts';
import type { DurableFeed } from './feed/durable-feed.ts';
import { HeldCommands } from './held-commands.ts';
import { type EnginePort, LeftToNextStart, OPERATOR, type Submission } from './port.ts';
import { Sequencer, type SequencerParts, type SequencerStatus } from './sequencer.ts';
import { Slice } from './slice.ts';
import type { MarketClock } from './time/market-clock.ts';
import { MarketRun } from './time/market-run.ts';

/** `elapsed` and `defer` are the process's own when absent. */
export type EngineParts = Omit<SequencerParts, OfTheLoop | 'failStop'> &
  Partial<Pick<SequencerParts, OfTheLoop>> &
  EngineDuties & {
    /** As of `SequencerParts`. `command`: the one that somebody asked for, where it failed at one. */
    readonly failStop: (error: Error, command?: Command) => void;
  };
type OfTheLoop = 'elapsed' | 'defer';
type EngineDuties = Omit<DutiesParts, 'state'> & {
  /** The market's clock where it can be set: the same that `clock` and `wallApart` read. */
  readonly pace?: MarketClock;
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
  private readonly parts: SequencerParts & Pick<EngineDuties, 'pace'>;
  private readonly sequencer: Sequencer;
  private readonly duties: Duties;
  private readonly held = new HeldCommands();
  private readonly slice: Slice;
  /** The run of a market whose clock can be set. */
  private readonly run: MarketRun | undefined;
  /** The answers of switches whose cancellations are not done: whether they are, or are left to the next process. */
  private awaitingKills: ((areDone: boolean) => void)[] = [];
  /** True while a slice is to come in the next turn of the loop. */
  private isSliceDue = false;
  /** The command that is decided just now, or at which the core threw. */
  private deciding: Command | undefined;

  constructor({ elapsed = () => performance.now(), defer = setImmediate, ...others }: EngineParts) {
    const failStop = (error: Error): void => others.failStop(error, this.deciding);
    this.parts = { ...others, elapsed, defer, failStop };
    this.sequencer = new Sequencer(this.parts);
    this.duties = new Duties(this.sequencer, { ...others, state: others.live.state });
    this.slice = new Slice(elapsed);
    const { pace: pacing, live } = others;
    const { sequencer, duties } = this;
    this.run = pacing && new MarketRun({ clock: pacing, duties, sequencer, live, elapsed });
  }

  now(): EpochMs {
    return this.sequencer.stamp(this.parts.clock());
  }

  /** Hands out records once they are durable. */
  get feed(): DurableFeed {
    return this.sequencer.feed;
  }

  submit(submission: Submission): Promise<Reply> {
    // A switch is taken however full the queues are, and one that is set waits for nothing: it may stop the flood.
    const { command } = submission;
    const isUrgent = command.type === 'SetSwitch';
    const isSet = isUrgent && command.on;
    return this.sequencer.take(
      () => {
        if (isSet) this.meetForSwitch();
        const now = this.parts.clock();
        if (!isSet && !this.isTimeMet(now)) return this.hold(submission);
        return this.decide(submission, now);
      },
      isUrgent,
      submission.unrecorded,
    );
  }

  /**
   * As `submit`, at an instant of a market whose clock is set: after the work of that instant. One that is not ahead
   * is submitted now.
   */
  submitAt(at: EpochMs, submission: Submission): Promise<Reply> {
    const { run } = this;
    if (!run?.isOn || at <= this.parts.clock()) return this.submit(submission);
    return new Promise((resolve) => {
      run.takeAt(at, (now) => resolve(this.takeAt(submission, now)));
    });
  }

  /**
   * Resolves when no step of the market clock goes on, and all that was recorded by then is durable and handed to the
   * feed.
   */
  rest(): Promise<void> {
    return this.run === undefined ? this.sequencer.settled() : this.run.rest();
  }

  read<T>(
    query: (state: State, views: Views, ports: DecisionPorts) => T,
    concerns?: (record: JournalRecord) => boolean,
  ): T | Promise<T> {
    return this.sequencer.read((state, views) => query(state, views, this.portsNow()), concerns);
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    const { state, views } = this.parts.live;
    return query(state, this.portsNow(), views);
  }

  /** The ports of a decision at this moment. */
  private portsNow(): DecisionPorts {
    const { live, ports } = this.parts;
    return portsAt(ports, live.state, this.now());
  }

  /**
   * Does the work of a second: the turn of days, cut-offs, the market's moves, closing orders, the end of sessions.
   * Called by a timer. Work beyond one slice is done in later turns of the loop.
   */
  passSecond(): void {
    if (this.sequencer.obstacle() !== undefined) return;
    if (!this.run?.isOn) this.duties.beginSecond();
    else if (!this.run.isDue) return;
    if (!this.isSliceDue) this.runSlice();
  }

  /**
   * Brings the day and the books to the present before it returns: for a start, when nobody waits for an answer yet.
   */
  doAllPresent(): void {
    if (this.sequencer.obstacle() !== undefined) return;
    this.sequencer.guarded(() => {
      if (this.run?.isOn) this.run.start();
      else this.duties.doAllPresent(this.parts.clock());
    });
  }

  /**
   * For a start that clients wait for: a market clock that is set goes on before it returns. Where the market follows
   * the wall, the first command meets the day, an order meets its book, and the rest is the work of the next second.
   */
  goOnAtOnce(): void {
    if (this.run?.isOn) this.doAllPresent();
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
    if (!this.run?.isOn || this.sequencer.obstacle() !== undefined) return;
    this.sequencer.guarded(() => {
      this.meetAtOnce();
      this.sequencer.record({ type: 'MarkClock' }, this.parts.clock());
    });
  }

  /**
   * Refuses new commands and resolves when everything that was taken is durable and answered. The cancellations of a
   * kill switch that are not made by now are left to the next process, and its answer says so.
   */
  drain(): Promise<void> {
    const drained = this.sequencer.drain();
    this.answerKills();
    this.answerEach(false);
    return drained;
  }

  status(): EngineStatus {
    const { seconds, ticksLeftOut } = this.duties.lagAt(this.parts.clock());
    // A clock that is set waits for the books.
    const marketLag = this.run?.isOn ? 0 : seconds;
    const timeLostMs = this.parts.pace?.lostMs ?? 0;
    return { ...this.sequencer.status(), held: this.held.size, marketLag, ticksLeftOut, timeLostMs };
  }

  /** True when a command may come now. While others wait, it waits after them. */
  private isTimeMet(now: EpochMs): boolean {
    if (this.held.size > 0) return false;
    if (this.run?.isOn) return !this.run.isWorking;
    if (this.duties.isMeeting) return false;
    this.slice.begin();
    return this.duties.doDue(now, this.slice);
  }

  /**
   * All work that comes before a switch is set. The cancellations of another one are not part of it: they continue
   * after both.
   */
  private meetForSwitch(): void {
    if (this.awaitingKills.length === 0) this.meetAtOnce();
  }

  /** All work that comes before a command of the present, for one that waits for nothing. */
  private meetAtOnce(): void {
    if (this.run?.isOn) this.run.finishWork();
    else this.duties.doAllDue(this.parts.clock());
  }

  private hold(submission: Submission): Promise<Reply> {
    this.awaitSlice();
    return this.held.hold((now) => this.takeAt(submission, now));
  }

  /** Takes a command at an instant whose duties are done. */
  private takeAt(submission: Submission, now: EpochMs): Promise<Reply> {
    return this.sequencer.take(() => this.decide(submission, now), false, submission.unrecorded);
  }

  /**
   * A command first meets the present, whose duties are done by now; an order command also meets its book at the
   * present.
   */
  private decide(submission: Submission, now: EpochMs): Reply | Promise<Reply> {
    const outer = this.deciding;
    this.deciding = submission.command;
    const reply = this.decided(submission, now);
    // It is not taken back where the core throws: then the failure is that of this command.
    this.deciding = outer;
    return reply;
  }

  private decided({ command: asked, made, origin }: Submission, now: EpochMs): Reply | Promise<Reply> {
    const { sequencer, duties } = this;
    const { live, ports } = this.parts;
    const at = sequencer.stamp(now);
    const command = made === undefined ? asked : made(live.state, portsAt(ports, live.state, at), at);
    if (command === undefined) return { type: 'Done', at };
    const wasSet = this.run?.isOn;
    duties.meetBook(command, now);
    const { reply } = sequencer.record(command, now, origin);
    if (command.type === 'SetSwitch' && command.on) this.cancelKilled(now);
    if (this.run?.isOn) this.goOnBehind(command, now, wasSet === true);
    else if (this.parts.live.state.gtts.triggered.size > 0) this.awaitSlice();
    return command.type === 'SetSwitch' && duties.kills.isOn ? this.whenKilled(reply) : reply;
  }

  /** The answer of a switch, when its cancellations are durable too. */
  private whenKilled(reply: Reply): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.awaitingKills.push((areDone) => {
        const answer = areDone ? () => resolve(reply) : () => reject(new LeftToNextStart());
        void this.sequencer.settled().then(answer);
      });
    });
  }

  private answerKills(): void {
    if (!this.duties.kills.isOn) this.answerEach(true);
  }

  private answerEach(areDone: boolean): void {
    const { awaitingKills } = this;
    this.awaitingKills = [];
    for (const answer of awaitingKills) answer(areDone);
  }

  /**
   * Cancels the orders that a switch stops: as many as a slice has room for now, and the others before any other
   * command.
   */
  private cancelKilled(now: EpochMs): void {
    const { duties, slice, run } = this;
    duties.kills.begin();
    if (run?.isOn) return;
    slice.begin();
    if (!duties.doDue(now, slice)) this.awaitSlice();
  }

  /** Lets the run of a market whose clock is set go on behind a command. */
  private goOnBehind({ type }: Command, now: EpochMs, wasSet: boolean): void {
    const { run } = this;
    if (run === undefined) return;
    if (wasSet) run.noteCommand(now);
    else run.takeOver();
    if (type === 'SetClock') run.noteSetting();
    if (type === 'SetClock' || run.isWorking) this.awaitSlice();
  }

  private awaitSlice(): void {
    if (this.isSliceDue) return;
    this.isSliceDue = true;
    this.parts.defer(() => this.runSlice());
  }

  /**
   * Does the work of one slice. While there is an obstacle only the cancellations of a kill switch go on: the next
   * second tries the rest again.
   */
  private runSlice(): void {
    const { sequencer, held } = this;
    this.isSliceDue = false;
    const isHindered = sequencer.obstacle() !== undefined;
    if (isHindered) held.takeAll(this.parts.clock());
    if (!sequencer.guarded(() => (isHindered ? this.goOnWithKills() : this.goOn()))) this.awaitSlice();
    this.answerKills();
  }

  /**
   * As `goOn`, with the work that is done however full the queues are. A process that ends leaves it to the next one.
   */
  private goOnWithKills(): boolean {
    const { sequencer, duties, slice } = this;
    if (sequencer.ending() !== undefined) return true;
    slice.begin();
    return duties.kills.goOn(slice);
  }

  /**
   * True when all is done: the duties of the present, the commands that waited for them, and the other work of the
   * second.
   */
  private goOn(): boolean {
    const { duties, slice, run } = this;
    slice.begin();
    if (run?.isOn) return run.goOn(slice, () => this.takeHeld(run));
    if (!this.held.takeWhile(slice, () => this.doDue())) return false;
    const now = this.doDue();
    return now !== undefined && duties.continueSecond(now, slice);
  }

  private takeHeld(run: MarketRun): boolean {
    if (this.held.size === 0) return true;
    return this.held.takeWhile(this.slice, () => (run.isWorking ? undefined : this.parts.clock()));
  }

  /** The present instant when its duties are done. */
  private doDue(): EpochMs | undefined {
    const now = this.parts.clock();
    // A command that failed may be applied in part: nothing is done over such a state.
    if (this.sequencer.ending() !== undefined) return undefined;
    return this.duties.doDue(now, this.slice) ? now : undefined;
  }
}
