import { assert } from '../../src/base/assert.ts';
import type { AccountId } from '../../src/base/ids.ts';
import { type Paise, price, quantity } from '../../src/base/money.ts';
import { hashWords, Random } from '../../src/base/random.ts';
import { errorOf } from '../../src/base/system-fault.ts';
import { type EpochMs, istDay, istInstant, MINUTE_MS } from '../../src/base/time.ts';
import { CLUSTER_LIMITS, type ClusterLimits } from '../../src/cluster/cluster-limits.ts';
import { digestOf } from '../../src/cluster/fatal-commands.ts';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import type { Command } from '../../src/core/command.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import { registration } from '../crowd.ts';
import { EpisodeFailed } from '../episode.ts';
import type { FaultyDisk } from '../faulty-disk.ts';
import { ALPHA, CASH } from '../listed.ts';
import { type Stage, stageOf } from '../stage.ts';
import { settled, VirtualLoop } from '../virtual-loop.ts';
import type { Scene } from '../wishes.ts';
import { ClockWatch } from './clock-watch.ts';
import type { ClusterControls } from './cluster-controls.ts';
import { ClusterCrowd } from './cluster-crowd.ts';
import { ClusterEnding } from './cluster-ending.ts';
import { ClusterSituations } from './cluster-situations.ts';
import { ClusterTrouble, type Trouble } from './cluster-trouble.ts';
import { CommandLedger } from './command-ledger.ts';
import type { Answer } from './gateway.ts';
import { LaneWatch } from './lane-watch.ts';
import type { MemberProcess } from './member-process.ts';
import { type Link, LogAccess, SharedLog } from './shared-log.ts';
import { type Life, SimMember } from './sim-member.ts';

export interface ClusterEpisodeTerms {
  readonly seed: number;
  /** After each of them everything is checked. */
  readonly steps: number;
  readonly controls?: ClusterControls;
  /** The kinds of trouble that come, instead of all. */
  readonly troubles?: readonly Trouble[];
}

export interface ClusterEpisodeResult {
  readonly met: ClusterSituations;
  readonly steps: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly records: number;
  readonly epochs: number;
  /** How long the cluster took to answer once all was well, in milliseconds. */
  readonly healedMs: number;
  /** The chain hash of the history at the end: the same seed gives the same. */
  readonly chain: string;
}

/** How fast steady clocks may go: a lease leaves a tenth for it. */
const RATES = [0.95, 0.98, 1, 1.02, 1.05];
/** When the last member begins in a run in which it begins late, in milliseconds. */
const LATE_MS = [500, 5_000, 15_000];
/** Short, so that a leader changes its lane in most runs. */
const REST_MS = 1_500;
const NAMES = ['one', 'two', 'three'];
const USERS = 3;
/** From the end of all faults to the first answer. */
const LIVELY_MS = 5_000;
/** How long a cluster that is well has for its followers and archives to have everything. */
const SETTLE_MS = 4_000;
/** How long it has where a member needs the files of another one: a hole is one after ten seconds. */
const CATCH_UP_MS = 25_000;
/** Of the runs. */
const ENDING_PERCENT = 15;
/** Names the draws beside those of the episode. */
const BESIDE = 7;
/** The time from one step to the next, in milliseconds. */
const STEPS_MS = [5, 20, 60, 150, 400];
const SMALL_PART_BYTES = 300;
const LITTLE_ROOM_BYTES = 3_000;
/** A loop that is not at rest after this many turns never will be. */
const MOST_TURNS = 10_000;

/**
 * One whole run of three members on two shared logs, with their clients and all that goes wrong between them, from one
 * seed.
 */
export class ClusterEpisode {
  private readonly terms: ClusterEpisodeTerms;
  private readonly random: Random;
  /** Draws beside those of the episode. */
  private readonly beside: Random;
  /** True when the steady clocks of the members go differently. */
  private readonly isUneven: boolean;
  /** How long the leader leaves a lane alone, in milliseconds. */
  private readonly restMs: number;
  private readonly archived = { needed: 0, isTrimmed: false };
  private readonly stage: Stage;
  private readonly met = new ClusterSituations();
  private readonly loop: VirtualLoop;
  private readonly watch = new LaneWatch();
  private readonly ledger = new CommandLedger();
  private readonly clocks: ClockWatch;
  private readonly logs: readonly SharedLog[];
  private readonly links: readonly (readonly Link[])[];
  private readonly isTogether: boolean;
  /** True when few groups may wait for an archive. */
  private readonly hasLittleRoom: boolean;
  /** True when most groups take several messages. */
  private readonly inParts: boolean;
  private readonly members: readonly SimMember[];
  private readonly crowd: ClusterCrowd;
  private readonly trouble: ClusterTrouble;
  private readonly hot: readonly Instrument[];
  /** The last number at which the state of each member was compared. */
  private readonly compared = new Map<SimMember, number>();
  /** The commands at which leaders have failed, as the lanes have them. */
  private readonly fatal: { readonly digest: string; readonly epoch: Epoch; readonly storedAt: number }[] = [];
  private steps = 0;
  /** An error of a member that nobody heard: its process would have ended. */
  private unheard: Error | undefined;

  constructor(terms: ClusterEpisodeTerms) {
    this.terms = terms;
    this.random = new Random(terms.seed);
    this.beside = new Random(hashWords(terms.seed, BESIDE));
    this.isUneven = this.beside.chance(40);
    this.restMs = this.beside.pick([REST_MS, REST_MS, CLUSTER_LIMITS.restMs]);
    const { random, met, watch, ledger } = this;
    this.stage = stageOf(random, terms.seed);
    const begin = random.pick([9.5, 11, 13, 15.4, 23.998]) * 60 * MINUTE_MS;
    this.loop = new VirtualLoop(istInstant(this.stage.first, Math.round(begin)));
    this.hot = [ALPHA, ALPHA, ...CASH, ...this.stage.exchange.contracts(istDay(this.loop.now)).slice(0, 2)];
    this.isTogether = random.chance(25) || terms.controls?.secondLaneFirst === true;
    this.inParts = random.chance(25);
    this.hasLittleRoom = random.chance(25);
    this.logs = ['A', 'B'].map((name, index) => this.log(name, index));
    this.links = NAMES.map(() => this.logs.map(() => ({ toLog: true, toMember: true })));
    this.members = NAMES.map((name, rank) => this.member(name, rank));
    this.clocks = new ClockWatch(this.loop, this.members);
    const { loop, members, logs, links } = this;
    const of = (name: string): SimMember => members[NAMES.indexOf(name)] as SimMember;
    this.crowd = new ClusterCrowd({
      random,
      loop,
      met,
      watch,
      ledger,
      members: NAMES,
      serve: (name, ask, answer) => of(name).serve(ask, answer),
      hasSteadyClock: (name) => of(name).life?.process.uncounted === 0,
    });
    const { archived } = this;
    met.metIf(this.isUneven, 'steady clocks go unevenly');
    this.trouble = new ClusterTrouble({ random, loop, met, members, logs, links, archived, troubles: terms.troubles });
    watch.onEpoch = (message) => this.clocks.began(message);
  }

  /** Throws `EpisodeFailed` at the first thing that is not as it must be. */
  async run(): Promise<ClusterEpisodeResult> {
    const unheard = (error: unknown): void => {
      this.unheard ??= errorOf(error);
    };
    process.on('unhandledRejection', unheard);
    try {
      await this.live();
      const healedMs = await this.heal();
      await this.end();
      if (this.beside.chance(ENDING_PERCENT)) await this.endCluster();
      return this.result(healedMs);
    } catch (error) {
      const { seed } = this.terms;
      const where = `cluster seed ${seed}, step ${this.steps}, record ${this.watch.seq}`;
      throw new EpisodeFailed(seed, `${where}: ${error instanceof Error ? error.message : String(error)}`, error);
    } finally {
      process.off('unhandledRejection', unheard);
    }
  }

  private result(healedMs: number): ClusterEpisodeResult {
    const { met, steps, crowd, watch } = this;
    const { sent, acknowledged, gateways } = crowd;
    met.metIf(
      gateways.some(({ dropped }) => dropped > 0),
      'a gateway drops an answer of an earlier epoch',
    );
    met.metIf(watch.epochs >= 2, 'a second epoch begins');
    met.metIf(watch.epochs >= 10, 'a tenth epoch begins');
    met.metIf(watch.inParts > 0, 'a group comes in several messages');
    met.metIf(watch.twice > 0, 'a group is in both lanes');
    met.metIf(
      watch.records.some(({ command }) => command.type === 'EndDay'),
      'a day ends',
    );
    met.metIf(this.fatal.length > 0, 'a leader has noted the command at which it failed');
    const { seq: records, epochs, chain } = watch;
    return { met, steps, sent, acknowledged, records, epochs, healedMs, chain };
  }

  private log(name: string, index: number): SharedLog {
    const { random, loop, watch } = this;
    const { unfenced } = this.terms.controls ?? {};
    const fences = unfenced === undefined || (unfenced === 'second' && index === 0);
    const log = new SharedLog({ name, loop, random, largestStep: random.pick([1, 1, 3]), fences });
    log.onStored = (message) => {
      const stored = watch.stored(name, message);
      if (stored.type === 'Fatal') {
        this.fatal.push({ digest: stored.command, epoch: stored.epoch, storedAt: loop.now });
      }
      this.clocks.heard(stored, watch.leaderOf(stored.epoch));
    };
    return log;
  }

  private member(name: string, rank: number): SimMember {
    const { random, loop, logs, links, stage } = this;
    const { noLease, noClockGuard, secondLaneFirst } = this.terms.controls ?? {};
    const limits: Partial<ClusterLimits> = {
      pollMs: 40,
      restMs: this.restMs,
      ...(this.hasLittleRoom ? { archiveBytes: LITTLE_ROOM_BYTES, unfoldedBytes: LITTLE_ROOM_BYTES } : {}),
      ...(this.inParts ? { partBytes: SMALL_PART_BYTES } : {}),
      // Members that stand at the same time get in each other's way.
      ...(this.isTogether ? { staggerMs: 0 } : {}),
      ...(noClockGuard ? { clockApartMs: Number.POSITIVE_INFINITY } : {}),
    };
    const lanesOf = (process: MemberProcess): Lane[] => {
      const lanes = logs.map((log, at) => new LogAccess(log, (links[rank] as Link[])[at] as Link, loop, process));
      return secondLaneFirst && rank === 0 ? lanes.reverse() : lanes;
    };
    const { ports } = stage;
    const { met } = this;
    const rate = this.isUneven ? this.beside.pick(RATES) : 1;
    const provision = (): FaultyDisk | undefined => this.wholeDisk();
    const asksLease = !noLease;
    const isOver = (): boolean => this.watch.ended.size === logs.length;
    const { archived } = this;
    return new SimMember({
      archived,
      isOver,
      name,
      rank,
      random,
      loop,
      ports,
      limits,
      rate,
      lanesOf,
      provision,
      asksLease,
      met,
    });
  }

  /** A copy of the files of a member that has everything of which the lanes have let go. */
  private wholeDisk(): FaultyDisk | undefined {
    const has = ({ life }: SimMember): boolean => (life?.archive.head().seq ?? 0) >= this.archived.needed;
    return this.members.find(has)?.disk.copy();
  }

  private async live(): Promise<void> {
    const late = this.beside.chance(25) ? this.members.at(-1) : undefined;
    for (const member of this.members) if (member !== late) member.start();
    if (late !== undefined) {
      this.met.met('a member begins late');
      this.trouble.startAfter(late, this.beside.pick(LATE_MS));
    }
    await this.openAccounts();
    while (this.steps < this.terms.steps) {
      this.trouble.stir();
      this.trouble.supervise();
      for (let bursts = this.random.pick([0, 1, 1, 2, 4]); bursts > 0; bursts -= 1) this.crowd.burst(this.scene());
      await this.step(this.random.pick(STEPS_MS));
    }
  }

  /** Users with money and shares, before anything goes wrong. */
  private async openAccounts(): Promise<void> {
    for (let user = 0; user < USERS; user += 1) {
      const account = user as AccountId;
      await this.sure(registration(`USER${user}`));
      await this.sure({ type: 'DepositCash', account, amount: 20_00_000_00 as Paise, opening: true });
      const holding = { instrument: ALPHA.id, quantity: quantity(400), cost: (400 * 200_00) as Paise };
      await this.sure({ type: 'CreditHolding', account, ...holding });
    }
  }

  /** Sends a command until a leader has done it. */
  private async sure(command: Command): Promise<void> {
    for (let tries = 0; tries < 100; tries += 1) {
      let answer: Answer | undefined;
      this.crowd.sendCommand(command, (given) => {
        answer = given;
      });
      await this.step(60);
      if (answer?.type === 'Done') return;
    }
    throw new Error(`a cluster that is well does not answer ${command.type}`);
  }

  /** All faults end. Returns how long it took until a placement was acknowledged. */
  private async heal(): Promise<number> {
    this.trouble.heal();
    const { now } = this.loop;
    let answered: number | undefined;
    while (answered === undefined) {
      const sentFor = this.loop.now - now;
      assert(sentFor <= LIVELY_MS, `no answer ${LIVELY_MS} ms after everything was well again: ${this.roles()}`);
      for (const command of this.probes()) {
        this.crowd.sendCommand(command, (answer) => {
          if (answer.type === 'Done') answered ??= this.loop.now - now;
        });
      }
      await this.step(100);
      this.trouble.supervise();
    }
    return answered;
  }

  /** A placement that any leader answers. */
  private probes(): Command[] {
    const terms = {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(1),
      price: price(1_000_00),
      trigger: price(0),
    } as const;
    const order = {
      type: 'PlaceOrder',
      account: 0 as AccountId,
      instrument: ALPHA.id,
      side: 'B',
      product: 'C',
    } as const;
    return [this.crowd.named({ ...order, terms, remarks: '' })];
  }

  /** Followers and archives have everything, and all that was promised is so. */
  private async end(): Promise<void> {
    const { loop, watch, members } = this;
    const { now } = loop;
    while (loop.now < now + SETTLE_MS || (loop.now < now + CATCH_UP_MS && !this.areCaughtUp())) {
      this.trouble.supervise();
      await this.step(200);
    }
    for (const { name, life } of members) {
      assert(life !== undefined, `${name} is up at the end: ${this.roles()}`);
      const { seq } = life.archive.head();
      assert(
        this.isCaughtUp(life),
        `the archive of ${name} ends at ${seq}, the history at ${watch.seq}: ${this.roles()}`,
      );
      const hashes = [...life.archive.groups(0)].map(({ hash }) => hash);
      const expected = watch.groups.slice(0, hashes.length).map(({ hash }) => hash);
      assert(hashes.join() === expected.join(), `the archive of ${name} is the history of the lanes`);
    }
    this.ledger.check(watch.records);
  }

  private async endCluster(): Promise<void> {
    const { loop, met, watch, logs, members, ledger } = this;
    const step = (ms: number): Promise<void> => this.step(ms);
    await new ClusterEnding({ random: this.beside, loop, met, watch, logs, members, step }).run();
    ledger.check(watch.records);
  }

  private areCaughtUp(): boolean {
    return this.members.every(({ life }) => life !== undefined && this.isCaughtUp(life));
  }

  /** The market goes on by itself while the members are looked at. */
  private isCaughtUp({ archive }: { readonly archive: { head(): { readonly seq: number } } }): boolean {
    return archive.head().seq >= this.watch.seq - 30;
  }

  private async step(ms: number): Promise<void> {
    const until = (this.loop.now + ms) as EpochMs;
    await this.rest();
    for (let due = this.loop.nextDue(); due !== undefined && due <= until; due = this.loop.nextDue()) {
      this.loop.advanceTo(due);
      await this.rest();
    }
    this.loop.advanceTo(until);
    this.steps += 1;
    this.check();
  }

  /** All that follows from what has happened by now has happened. */
  private async rest(): Promise<void> {
    for (let turns = 0; ; turns += 1) {
      await settled();
      if (!this.loop.turn()) return;
      assert(turns < MOST_TURNS, `the loop comes to no rest: ${this.roles()}`);
    }
  }

  private check(): void {
    const problem = this.crowd.problem ?? this.unheard;
    if (problem !== undefined) throw problem;
    for (const member of this.members) this.checkMember(member);
  }

  /** The state and the archive of a member are the history's, as far as they go. */
  private checkMember(member: SimMember): void {
    const { watch } = this;
    const { name, life, leading, problem } = member;
    if (problem !== undefined) throw problem;
    if (life === undefined) return;
    if (leading !== undefined) this.checkFatal(life, leading.epoch);
    const head = life.archive.head();
    assert(head.hash === watch.chainAt(head.seq), `the archive of ${name} at ${head.seq} is not the history`);
    this.met.metIf(
      leading?.engine.status().unavailable === 'the disk is full',
      'an archive has no room for more in memory',
    );
    const live = leading?.live ?? life.live;
    const status = leading?.engine.status();
    const isWhole = status === undefined || status.lastSeq === status.durableSeq;
    if (!isWhole || this.compared.get(member) === live.seq) return;
    this.compared.set(member, live.seq);
    if (live.seq === 0) return;
    assert(live.hash() === watch.hashAt(live.seq), `the state of ${name} at ${live.seq} is not that of the history`);
  }

  /** A leader knows the commands at which leaders have failed since it was started. */
  private checkFatal({ startedAt, member }: Life, epoch: Epoch): void {
    for (const fatal of this.fatal) {
      if (fatal.epoch >= epoch || fatal.storedAt < startedAt) continue;
      const command = this.members.flatMap(({ defects }) => defects).find((one) => digestOf(one) === fatal.digest);
      assert(
        command !== undefined && member.fatal.has(command),
        `the leader of epoch ${epoch} knows at which command that of ${fatal.epoch} failed`,
      );
    }
  }

  private roles(): string {
    return this.members
      .map(({ name, life, leading }) => {
        const is = life === undefined ? 'ended' : JSON.stringify(life.member.status());
        return `${name} ${is}${leading === undefined ? '' : ` leads ${leading.epoch}`}`;
      })
      .join('; ');
  }

  private scene(): Scene {
    const { random, stage, watch, hot } = this;
    const { market, exchange } = stage;
    const { state } = watch;
    const tick = market.tickAt(Math.max(state.at, this.loop.now) as EpochMs);
    return { random, market, tick, state, traded: hot, instrumentOf: (id) => exchange.get(id) };
  }
}
