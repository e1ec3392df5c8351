import { assert } from '../src/base/assert.ts';
import type { AccountId } from '../src/base/ids.ts';
import { type Paise, quantity } from '../src/base/money.ts';
import { Random } from '../src/base/random.ts';
import { type EpochMs, HOUR_MS, istDay, istInstant, MINUTE_MS, SECOND_MS } from '../src/base/time.ts';
import type { Command } from '../src/core/command.ts';
import { isGathering } from '../src/core/exchange/phase.ts';
import type { Instrument } from '../src/core/instrument.ts';
import type { State } from '../src/core/state.ts';
import type { EngineLimits } from '../src/engine/sequencer.ts';
import { AckLedger } from './checks/ack-ledger.ts';
import { checkQuestions, decideAgain } from './checks/full-checks.ts';
import { LockStep } from './checks/lock-step.ts';
import { Oracle, textOf } from './checks/oracle.ts';
import { RuledMarket } from './checks/ruled-market.ts';
import { checkSpan } from './checks/span-check.ts';
import { WatchedLive, Witness } from './checks/witness.ts';
import type { Controls } from './controls.ts';
import { Crowd, registration } from './crowd.ts';
import { type Ending, FaultyDisk, MachineDied } from './faulty-disk.ts';
import { Follower } from './follower.ts';
import { ALPHA, CASH } from './listed.ts';
import { Machine, VirtualJournal } from './machine.ts';
import { type Visit, visits } from './plan.ts';
import { Situations } from './situations.ts';
import { type Stage, stageOf } from './stage.ts';
import { Starter } from './starter.ts';
import { Trouble } from './trouble.ts';
import { settled, VirtualLoop } from './virtual-loop.ts';
import type { Scene } from './wishes.ts';

export interface EpisodeTerms {
  readonly seed: number;
  /** How many commands clients and operators send. */
  readonly commands: number;
  /** Of a hundred placements those that ask for an outcome, beyond the usual ones; 0 when absent. */
  readonly outcomePercent?: number;
  readonly controls?: Controls;
}

export interface EpisodeResult {
  readonly met: Situations;
  /** Commands that were sent, and all that were decided, moves of the market among them. */
  readonly sent: number;
  /** Placements among them that asked for an outcome. */
  readonly outcomes: number;
  readonly decided: number;
  readonly compared: number;
  readonly starts: number;
  /** The chain hash at the end: the same seed gives the same. */
  readonly chain: string;
}

/** A run that failed, and where. */
export class EpisodeFailed extends Error {
  override readonly name = 'EpisodeFailed';
  readonly seed: number;

  constructor(seed: number, message: string, cause: unknown) {
    super(message, { cause });
    this.seed = seed;
  }
}

const USERS = [1, 2, 5, 12, 30, 50];
const FULL_CHECK_EVERY = 600;
/**
 * How long a look at the steady clock takes, by the seed: what a second brings is done at once, in a few slices, or in
 * many. In milliseconds.
 */
const PACES = [0, 0.05, 1.5];

/**
 * One whole run of the service with its clients, its market, its days and its disk, from nothing to the end, all from
 * one seed.
 */
export class Episode {
  private readonly terms: EpisodeTerms;
  private readonly random: Random;
  private readonly stage: Stage;
  private readonly met = new Situations();
  private readonly oracle = new Oracle();
  private readonly ledger = new AckLedger();
  readonly disk = new FaultyDisk();
  private readonly loop: VirtualLoop;
  private readonly witness: Witness;
  private readonly lockStep: LockStep;
  private readonly followers: readonly Follower[];
  private readonly crowd: Crowd;
  private readonly starter: Starter;
  private readonly trouble: Trouble;
  private machine: Machine;
  private durableSeq = 0;
  private checkedAt = 0;
  private snapshotAt = 0;
  /** How far the wall clock is off. */
  private skew = 0;
  private readonly limits: Partial<EngineLimits>;
  private hot: readonly Instrument[] = CASH;

  constructor(terms: EpisodeTerms) {
    const { seed, controls = {} } = terms;
    this.terms = terms;
    this.random = new Random(seed);
    this.stage = stageOf(this.random, seed);
    const { ports, first } = this.stage;
    this.limits = { inFlight: this.random.pick([10_000, 10_000, 25]), waiting: this.random.pick([20_000, 20_000, 40]) };
    this.loop = new VirtualLoop(istInstant(first, 8 * 60 * MINUTE_MS));
    const ruled = new RuledMarket(ports);
    this.lockStep = new LockStep(ruled.ports, controls.judge);
    const durableSeq = (): number => this.durableSeq;
    // One takes no time, the other takes two turns of the loop for whatever it is handed.
    const pause = (goOn: () => void): void => this.loop.defer(() => this.loop.defer(goOn));
    this.followers = [new Follower(durableSeq), new Follower(durableSeq, pause)];
    this.witness = new Witness(ruled, this.met, this.oracle, this.lockStep, controls.spoil);
    this.crowd = new Crowd(this.random, this.met, this.ledger, durableSeq, terms.outcomePercent);
    this.starter = new Starter(this.disk, this.random, this.met, controls);
    this.trouble = new Trouble(this.disk, this.random, this.met, controls);
    this.machine = this.start();
  }

  /** Throws `EpisodeFailed` at the first thing that is not as it must be. */
  async run(): Promise<EpisodeResult> {
    try {
      await this.live();
      return this.result();
    } catch (error) {
      const { regime, first } = this.stage;
      const where = `seed ${this.terms.seed}, after ${this.crowd.sent} commands, record ${this.machine.live.seq} (${regime} from day ${first})`;
      const what = error instanceof Error ? error.message : String(error);
      throw new EpisodeFailed(this.terms.seed, `${where}: ${what}`, error);
    }
  }

  private result(): EpisodeResult {
    const { met, crowd, witness, lockStep, starter } = this;
    const chain = this.machine.journal.head().hash;
    return {
      met,
      sent: crowd.sent,
      outcomes: crowd.outcomes,
      decided: witness.decided,
      compared: lockStep.compared,
      starts: starter.starts,
      chain,
    };
  }

  private async live(): Promise<void> {
    await this.register(this.random.pick(USERS));
    for (const visit of visits(this.random, this.stage.regime, this.stage.first)) {
      if (this.crowd.sent >= this.terms.commands) break;
      await this.visit(visit);
    }
    await this.endInOrder();
    this.checkAll();
    const { live, journal } = this.machine;
    for (let left = 1_000; left > 0 && this.followers.some(({ seq }) => seq < live.seq); left -= 1) await this.turns(3);
    for (const follower of this.followers) follower.check(journal.groups(0));
    const replayed = this.starter.storage.replay();
    assert(replayed.hash() === live.hash(), 'a replay from the first record gives the live state');
    assert(textOf(replayed) === textOf(live), 'a replay from the first record gives the live views');
    if (this.terms.seed % 3 === 0) decideAgain(journal.groups(0), this.stage.ports, live.hash());
  }

  private async register(users: number): Promise<void> {
    const { random } = this;
    for (let user = 0; user < users; user += 1) {
      await this.sure(registration(`USER${user}`));
      const account = user as AccountId;
      const most = random.pick([1_00, 8_00_000_00, 20_00_000_00, 6_00_00_000_00]);
      const amount = random.between(1, most);
      await this.sure({ type: 'DepositCash', account, amount: amount as Paise, opening: true });
      for (const { id } of CASH) {
        if (!random.chance(40)) continue;
        const units = random.between(1, 800);
        const cost = (units * 200_00) as Paise;
        await this.sure({ type: 'CreditHolding', account, instrument: id, quantity: quantity(units), cost });
      }
    }
  }

  /** Sends what the run cannot do without, and waits for the disk. */
  private async sure(command: Command): Promise<void> {
    this.crowd.send(this.machine, command);
    await this.quiet();
  }

  /** Wall time. It may jump, also back; time itself does not. */
  private wall(): EpochMs {
    return (this.loop.now + this.skew) as EpochMs;
  }

  private jump(): void {
    const before = this.skew;
    this.skew = this.random.pick([0, 0, -2_000, -HOUR_MS, HOUR_MS / 4]);
    this.met.metIf(this.skew < before, 'the wall clock goes back');
  }

  private async visit({ at, commands }: Visit): Promise<void> {
    const { random, met } = this;
    await this.comeTo(at);
    if (random.chance(6) || (this.skew !== 0 && random.chance(30))) this.jump();
    this.heat();
    for (let done = 0; done < commands && this.crowd.sent < this.terms.commands; ) {
      done += await this.surviving(() => this.instant());
      if (this.crowd.sent - this.checkedAt >= FULL_CHECK_EVERY) await this.surviving(() => this.checkNow());
      if (random.below(1_200) === 0) await this.surviving(() => this.drainAndStart());
    }
    met.metIf(this.machine.journal.largestGroup > 20, 'a group has more than twenty records');
  }

  /** The commands that arrive in one instant, and a little time after it. Returns their number. */
  private async instant(): Promise<number> {
    const { random } = this;
    let sent = 0;
    for (let bursts = random.pick([1, 1, 2, 6]); bursts > 0; bursts -= 1) {
      for (const command of this.crowd.burst(this.scene())) {
        this.crowd.send(this.machine, command);
        sent += 1;
      }
    }
    if (random.chance(6)) this.ask();
    this.trouble.stir(this.machine.journal.isBusy);
    await this.turns(random.between(0, 3));
    await this.pass(random.pick([0, 1, 3, 10, 40, 150, 700]));
    return Math.max(1, sent);
  }

  /** A query is answered when what it saw is durable. */
  private ask(): void {
    const { live, engine } = this.machine;
    const seq = live.seq;
    const answer = engine.read((state) => state.seq);
    if (!(answer instanceof Promise)) {
      assert(this.durableSeq >= seq, 'a query is answered at once when nothing is on its way');
      return;
    }
    answer.then(
      (seen) =>
        this.crowd.guarded(() => {
          assert(this.durableSeq >= seen, `a query names record ${seen}, the disk holds ${this.durableSeq}`);
          this.met.met('a query is answered after what it saw is durable');
        }),
      () => undefined,
    );
  }

  private async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) if (!this.loop.turn()) break;
    await settled();
    this.expectHealth();
  }

  /** Lets time pass, with what the passing of a second brings. */
  private async pass(ms: number): Promise<void> {
    const { loop } = this;
    const before = Math.floor(loop.now / SECOND_MS);
    loop.advanceTo((loop.now + ms) as EpochMs);
    if (Math.floor(loop.now / SECOND_MS) > before) this.second();
    await this.turns(2);
  }

  private second(): void {
    const { engine, journal } = this.machine;
    engine.passSecond();
    this.met.metIf(engine.status().marketLag > 0, 'books meet a second in more than one turn');
    journal.passSecond();
    if (this.durableSeq - this.snapshotAt < this.trouble.snapshotEvery) return;
    this.snapshotAt = this.durableSeq;
    this.trouble.beforeSnapshot();
    this.starter.takeSnapshot();
    this.trouble.afterSnapshot();
  }

  /** Brings the clock to a time that may be days ahead. */
  private async comeTo(at: EpochMs): Promise<void> {
    const { loop, random } = this;
    if (at <= loop.now) return;
    const away = istDay(at) - istDay(loop.now) > 1 && random.chance(60);
    if (away) {
      if (random.chance(50)) await this.surviving(() => this.quiet());
      const how = random.pick(['kill', 'power'] as const);
      this.trouble.noteCrash(this.machine, how, this.durableSeq, this.oracle.recordsPending);
      this.end(how);
      loop.now = at;
      this.machine = this.start();
      this.met.met('a service starts days after it ended');
    }
    await this.surviving(async () => {
      await this.quiet();
      loop.advanceTo(at);
      const { day } = this.machine.live.state;
      this.second();
      if (this.machine.live.state.day > day) this.trouble.atDayEnd();
      await this.turns(3);
    });
  }

  /** Waits until nothing is on its way. */
  private async quiet(): Promise<void> {
    for (let round = 0; round < 1_000; round += 1) {
      await this.turns(3);
      if (this.machine.isIdle) return;
      const due = this.loop.nextDue();
      if (due !== undefined) this.loop.advanceTo(due);
      else if (this.machine.journal.isFull()) {
        this.trouble.relent();
        this.loop.advanceTo((this.loop.now + SECOND_MS) as EpochMs);
        this.machine.journal.passSecond();
      }
    }
    throw new Error('what is on its way does not come through');
  }

  /** Does something during which the machine may die or the storage fail: then it is started again. */
  private async surviving<T>(work: () => Promise<T>): Promise<T | 0> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MachineDied || error instanceof StorageGaveUp)) throw error;
      this.crash();
      return 0;
    }
  }

  /** A service that ended itself must have had a reason outside of it. */
  private expectHealth(): void {
    const { failure, journal } = this.machine;
    if (this.crowd.problem !== undefined) throw this.crowd.problem;
    if (failure === undefined) {
      if (this.trouble.pulled) throw new MachineDied('the plug was pulled');
      return;
    }
    if (!journal.failed) throw failure;
    throw new StorageGaveUp();
  }

  /** The machine ended at a bad moment, and another one starts. */
  private crash(): void {
    const { random, trouble } = this;
    const how: Ending = random.pick(['kill', 'power']);
    trouble.noteCrash(this.machine, how, this.durableSeq, this.oracle.recordsPending);
    this.met.metIf(this.oracle.dayEndPending, 'a crash comes at the end of a day');
    this.end(how);
    this.loop.now = (this.loop.now + random.pick([5, 2_000, 90_000])) as EpochMs;
    this.machine = this.start();
    for (const command of this.crowd.unanswered(this.scene())) this.crowd.send(this.machine, command);
  }

  private end(how: Ending): void {
    this.loop.forget();
    this.disk.end(how, this.random);
    this.trouble.ended();
  }

  private start(): Machine {
    const { loop, starter, oracle, ledger, met, stage } = this;
    const { committer, stored, head, recovered } = starter.open();
    const live = new WatchedLive(recovered.replica, this.witness);
    const pending = oracle.recordsPending;
    const kept = oracle.restarted(live);
    met.metIf(kept > 0, 'records that were not acknowledged are there after a crash');
    met.metIf(kept < pending, 'records that were not acknowledged are gone after a crash');
    this.durableSeq = head.seq;
    this.snapshotAt = Math.min(this.snapshotAt, head.seq);
    ledger.check(live.state, this.witness.ended);
    this.witness.takeOver(live.state);
    const onDurable = (seq: number): void => {
      this.durableSeq = seq;
      oracle.durableTo(seq);
    };
    const repliesWait = this.terms.controls?.repliesAtOnce === undefined;
    const latency = (): number => this.trouble.latency();
    const journal = new VirtualJournal({ loop, committer, stored, head, latency, onDurable, repliesWait });
    const clock = (): EpochMs => this.wall();
    const pace = PACES[this.terms.seed % PACES.length] as number;
    const machine = new Machine(live, journal, { ports: stage.ports, loop, limits: this.limits, clock, pace });
    const phases = [...live.state.books.values()].map(({ phase }) => phase);
    met.metIf(phases.some(isGathering), 'a service starts while orders gather for an auction');
    for (const follower of this.followers) follower.join(machine.engine.feed);
    machine.engine.passSecond();
    return machine;
  }

  private async drainAndStart(): Promise<void> {
    await this.endInOrder();
    this.end('kill');
    this.machine = this.start();
    this.met.met('a service is drained and started again');
  }

  /** As on SIGTERM: nothing new is taken, what was taken comes through, the files are closed. */
  private async endInOrder(): Promise<void> {
    for (;;) {
      let drained = false;
      const done = await this.surviving(async () => {
        this.trouble.calmDown();
        this.machine.engine.drain().then(
          () => {
            drained = true;
          },
          () => undefined,
        );
        await this.quiet();
        assert(drained, 'a service that has nothing on its way is drained');
        await this.machine.journal.close();
        return 1;
      });
      if (done === 1) break;
    }
  }

  private async checkNow(): Promise<void> {
    this.checkedAt = this.crowd.sent;
    await this.quiet();
    this.checkAll();
  }

  private checkAll(): void {
    const { live } = this.machine;
    const { ports } = this.stage;
    this.ledger.check(live.state, this.witness.ended);
    this.oracle.check(live, ports);
    for (const account of live.state.accounts) checkSpan(live.state, ports, account);
    const [command] = this.crowd.burst(this.scene());
    if (command !== undefined) checkQuestions(live.state, ports, this.random, command);
  }

  private scene(): Scene {
    const { random, machine, stage } = this;
    const { state }: { state: State } = machine.live;
    const { market, exchange } = stage;
    const tick = market.tickAt(Math.max(state.at, this.wall()) as EpochMs);
    return { random, market, tick, state, traded: this.hot, instrumentOf: (id) => exchange.get(id) };
  }

  /** For a while most of the trade is in a few instruments, so that users meet. */
  private heat(): void {
    const { random, stage, loop } = this;
    const contracts = stage.exchange.contracts(istDay(loop.now));
    const tick = stage.market.tickAt(loop.now);
    const listed: readonly Instrument[] = [...CASH, ...contracts];
    const open = listed.filter(({ id }) => stage.market.phase(id, tick) !== 'Closed');
    const all = open.length > 0 && random.chance(80) ? open : listed;
    const focus = Array.from({ length: 3 }, () => random.pick(all));
    this.hot = [
      ...focus,
      ...focus,
      random.pick(all),
      random.pick<Instrument>(contracts.length > 0 ? contracts : [ALPHA]),
    ];
  }
}

/** The service ended itself because its storage failed. */
class StorageGaveUp extends Error {
  override readonly name = 'StorageGaveUp';
}
