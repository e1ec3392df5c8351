/** One member of a cluster in its process, from its first listener to its end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../base/assert.ts';
import { messageOf } from '../../base/system-fault.ts';
import type { EpochMs } from '../../base/time.ts';
import { digestOf } from '../../cluster/fatal-commands.ts';
import { Fenced } from '../../cluster/fenced.ts';
import type { OpenLanes } from '../../cluster/lanes/open-lanes.ts';
import { LanePlacement } from '../../cluster/leading/lane-placement.ts';
import { type LogWatch, watchOf } from '../../cluster/leading/log-watch.ts';
import { ClusterOver } from '../../cluster/lifetime/cluster-over.ts';
import { Member, type MemberStatus, type Promotion } from '../../cluster/member.ts';
import type { Config } from '../../config.ts';
import type { Command } from '../../core/command.ts';
import type { EnginePort } from '../../engine/port.ts';
import {
  type EngineSurroundings,
  type OpenReplica,
  openReplica,
  promote,
  type RunningEngine,
} from '../../engine/start-engine.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { strangerOf } from '../../gateway/credentials/credential-logins.ts';
import { type CredentialKeys, readKeyFile } from '../../gateway/credentials/key-file.ts';
import type { Credentials } from '../../gateway/credentials/sealed-credentials.ts';
import { loadCompiler } from '../../gateway/fields/compiled-check.ts';
import { addressOf } from '../../operator/cli/start-report.ts';
import { CommandFailed, EXIT_CONFIG } from '../../os/command-failed.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { Certificate } from '../certificate.ts';
import { endAtOnce } from '../exit-codes.ts';
import { note, startProgress } from '../log.ts';
import { spanStoreOf } from '../market-world.ts';
import { engineSettings, expectSpanFiles, surroundings } from '../run-engine.ts';
import type { RunningParts } from '../running-parts.ts';
import {
  finishStart,
  type OperatorsSide,
  operatorsSideOf,
  pageOf,
  reportReached,
  type Service,
  serviceOf,
} from '../serving/both-servers.ts';
import { type OpenWorld, openWorld } from '../serving/open-world.ts';
import { type Ending, endInOrder, endOnSignals } from '../shutdown.ts';
import { ArchivedTrail } from './archived-trail.ts';
import { askWith } from './carried/ask-member.ts';
import { filesAnswer } from './carried/files-desk.ts';
import { MemberFiles } from './carried/member-files.ts';
import { FollowedLive } from './followed-live.ts';
import { later, laterEngine } from './later-engine.ts';
import { LeasedEngine } from './leased-engine.ts';
import { isReadyToLead, nextMember } from './leaving/next-member.ts';
import { MemberOperations } from './member-operations.ts';
import { addressOfMember, type MemberPlace } from './member-place.ts';
import { Rehearsal } from './rehearsal.ts';
import { expectSharedFiles, type SharedFiles, sharedFilesOf } from './shared-files.ts';
import { StandbyListeners } from './standby-listeners.ts';

/** The exit code of a leader that another member has followed. */
const EXIT_FENCED = 70;
/** The trail takes what the files have this often. */
const TRAIL_MS = 100;
const LOOK_MS = 1_000;
/** A leader that follows another one reports its start, and does the rest of it, this long after it began to answer. */
const BEHIND_ANSWERS_MS = 1_000;
/**
 * A leader that gave its place away ends this much later: what closes its files and gives its memory back takes the
 * processors and the disk from the first answers of its successor.
 */
const LATER_END_MS = 400;
/** Requests wait no longer for the end of a handover, which a log that does not answer puts off. */
const LONGEST_LEAVING_MS = 1_000;
/** The most time for a note of a leader that failed: a lane that does not answer, and the other one. */
const NOTE_MS = 500;

export interface MemberNeeds {
  readonly config: Config;
  readonly place: MemberPlace;
  readonly log: OpenLanes;
  readonly acceptLoss: number | undefined;
}

/** A folder that was opened, and the parts that follow the lanes. */
interface Following extends OpenWorld {
  readonly replica: OpenReplica;
  readonly archived: ArchivedTrail;
  readonly member: Member<FollowedLive>;
  /** Of the engine of this member, once it leads. */
  readonly around: EngineSurroundings;
  readonly rehearsal: Rehearsal;
  /** The operator's port of a leader, whose routes take long to compile. */
  readonly operators: OperatorsSide;
}

export class MemberProcess {
  private readonly needs: MemberNeeds;
  private readonly certificate: Certificate;
  private readonly page = pageOf();
  private readonly operations: MemberOperations;
  private readonly standby: StandbyListeners;
  /** The parts that end with the process; others once the member leads. */
  private stage: Pick<Ending, 'announce' | 'listeners' | 'stop'>;
  private following: Following | undefined;
  /** The digests of identity and keys. */
  private shared: SharedFiles;
  private files: MemberFiles | undefined;
  /** As of `strangerOf`, which takes long to make. */
  private stranger: Credentials | undefined;
  /** The watch of a leader over the servers of the log. */
  private watch: LogWatch | undefined;
  /** Finishes what a leader took. */
  private drain: (() => Promise<void>) | undefined;
  /** The engine, once this member leads. */
  private running: RunningEngine | undefined;
  private handing: Promise<void> | undefined;
  /** As `handing`, for those who wait no longer than a bounded time. */
  private leaving: Promise<void> | undefined;
  /** The address of the member that leads next, once this one has given its place away. */
  private successor: string | undefined;
  /** True once this follower has made what a leader needs. */
  private isWarm = false;
  private ends = false;
  /** The engine as clients and operators ask it, once this member leads. */
  private asked: LeasedEngine | undefined;
  /** True once others can ask: until then it is asked by its start alone, which a late lease must not end. */
  private isOpen = false;
  private isFailing = false;

  constructor(needs: MemberNeeds) {
    const { config, place, log } = needs;
    this.needs = needs;
    this.shared = sharedFilesOf(config.data);
    this.certificate = new Certificate(config);
    this.operations = new MemberOperations({
      place,
      lanes: [log.a, log.b],
      leaders: () => log.leaders(),
      status: () => this.status(),
      logFaults: () => this.watch?.faults ?? [],
      isReady: (name) => isReadyToLead(place.file, place.rank, name),
      handOver: (to) => this.handOver(to),
    });
    this.standby = new StandbyListeners(config, this.operations, this.certificate, {
      sharedFiles: this.filesAnswer,
      isReady: () => this.isWarm && this.status()?.isCaughtUp === true,
      awaitsLeader: () => this.status()?.awaitsLeader ?? false,
    });
    const { gateway, operator } = this.standby;
    this.stage = { announce: () => undefined, listeners: [gateway, operator], stop: () => this.stopFollowing() };
  }

  /** Opens the listeners. From now on signals end the member in order. */
  async listen(): Promise<void> {
    const { place } = this.needs;
    await this.standby.listen();
    endOnSignals(this.ending());
    const { gateway, operator } = this.standby;
    const operatorAddress = `http://${addressOf(operator.server)}`;
    console.log(`Sauda: member ${place.self.name} of ${place.file.name} listens.`);
    console.log(`  V1 interface  ${this.certificate.files ? 'https' : 'http'}://${addressOf(gateway.server)}/V1`);
    console.log(`  operator      ${operatorAddress}`);
  }

  /** Opens the data folder, recovers, and follows the lanes from there. */
  async follow(): Promise<void> {
    const { config, place, log, acceptLoss } = this.needs;
    await expectSharedFiles(place, this.shared, (words) => note(config.log, 'warn', words));
    await this.joinWithFiles();
    const world = openWorld(config);
    this.files ??= this.filesWith(world.keys);
    this.stranger = await strangerOf(world.keys);
    this.shared = sharedFilesOf(config.data);
    const progress = startProgress(config.log);
    const replica = await openReplica(engineSettings(config, acceptLoss), {
      failStop: (error) => this.end(error),
      begin: progress.begin,
      log: (message, gravity) => note(config.log, gravity, message),
    }).finally(() => progress.end());
    const { journal, live } = replica;
    for (const passedOver of replica.recovered.notes) note(config.log, 'warn', `recovery: ${passedOver}`);
    world.known.state = live.state;
    world.trail.open(live.state, acceptLoss);
    world.trail.start(() => journal.head());
    const { trail } = world;
    const archived = new ArchivedTrail(trail, { archived: replica.archived, hasRoom: () => !trail.isBehind });
    const rehearsal = new Rehearsal(() => world.world.instruments.sharesWithContracts());
    const { known, identity } = world;
    const around = surroundings(config, world.world, { known, identity, subscriber: archived });
    const running = laterEngine(replica.recovered, () => this.running);
    const asked = later<EnginePort>(() => must(this.asked, 'operators ask a member that leads'));
    const operators = operatorsSideOf(this.partsOf(world, running, asked), this.page);
    await operators.operator.ready();
    loadCompiler();
    const member = new Member<FollowedLive>({
      name: place.self.name,
      rank: place.rank,
      lanes: [log.a, log.b],
      replica: new FollowedLive(live, archived, rehearsal),
      archive: journal,
      time: TIME,
      limits: { silenceMs: place.file.silenceMs },
      lacks: () => this.files?.lacks(),
      hasRoom: () => !archived.isFull,
      promote: (won) => void this.lead(won).catch((error: Error) => this.end(error)),
      gone: (error) => this.end(error),
      alarm: (words) => note(config.log, 'warn', words),
      passed: (step) => this.passed(step),
    });
    this.following = { ...world, replica, archived, member, around, rehearsal, operators };
    this.keepWarm();
    setInterval(() => {
      archived.handOverInTurns();
      if (!this.isWarm) this.rehearse();
    }, TRAIL_MS);
    setInterval(() => this.lookRound(), LOOK_MS);
    member.start();
    console.log('Sauda follows.');
  }

  /** Brings the imported files of the leader before the market is made of them. */
  private async joinWithFiles(): Promise<void> {
    const keys = readKeyFile(dataFolder(this.needs.config.data).keys);
    if (keys === undefined) return;
    this.files = this.filesWith(keys);
    await this.files.join();
  }

  private filesWith(keys: CredentialKeys): MemberFiles {
    const { config, place } = this.needs;
    const folder = dataFolder(config.data);
    return new MemberFiles({
      place,
      folder,
      ask: askWith(keys, wallClock),
      wall: wallClock,
      leader: () => {
        const status = this.status();
        return status === undefined || status.role === 'Leader' ? undefined : status.leader;
      },
      named: () => this.following?.replica.live.state.riskFiles ?? [],
      followEntries: (entries) => (this.following?.world.spanFiles ?? spanStoreOf(folder)).follow(entries),
      note: (words) => note(config.log, 'warn', words),
    });
  }

  /** Answers the questions of other members for the files of this one. */
  private readonly filesAnswer = (target: string): ReturnType<typeof filesAnswer> => {
    const desk = {
      shared: () => this.shared,
      opened: () => {
        const keys = this.following?.keys;
        return keys && this.files && { keys, own: this.files.own };
      },
      entries: () => this.following?.world.spanFiles.list() ?? [],
      leads: () => this.status()?.role === 'Leader',
      trail: dataFolder(this.needs.config.data).audit,
      wall: wallClock,
    };
    return filesAnswer(desk, target);
  };

  /** Makes the engine and the servers over the state of this member, and gives them the listeners. */
  private async lead(won: Promotion<FollowedLive>): Promise<void> {
    if (this.following === undefined || this.ends) return;
    const { replica, member, around, operators, ...world } = this.following;
    const running = await promote(
      { ...replica, live: won.replica.live, journal: won.journal },
      { ...around, failStop: (error, command) => this.end(error, command), isAwaited: true, endsQuietly: true },
    );
    this.running = running;
    this.passed('engine made');
    await expectSpanFiles(running.engine, world.world);
    this.asked = new LeasedEngine(
      running.engine,
      () => !this.isOpen || member.mayAnswerReads(),
      member.fatal,
      () => this.leaving,
    );
    const parts = this.partsOf(world, running, this.asked);
    const service = await serviceOf(parts, { tls: this.certificate.files, page: this.page, operators });
    this.certificate.showAt(service.gateway);
    this.passed('gateway made');
    this.drain = () => running.engine.drain();
    this.stage = {
      ...service.ending,
      announce: async () => {
        await service.ending.announce();
        const { file, rank } = this.needs.place;
        const next = await nextMember(file, rank);
        if (next === undefined) return;
        void this.handOver(next.name).catch((error: Error) => this.end(error));
        await this.leaving;
      },
      stop: async () => {
        await this.handing;
        this.passed('listeners closed');
        if (this.handing !== undefined) await sleep(LATER_END_MS);
        // It closes the files of the member too.
        await running.stop();
        this.passed('engine stopped');
        await this.closeTrail();
      },
    };
    service.gateway.server.once('connection', () => this.passed('first client came'));
    this.isOpen = true;
    await this.standby.handOverClients(service);
    this.passed('address taken over');
    this.placeLanes(won);
    this.watchLog();
    console.log(`Sauda leads: epoch ${won.epoch}.`);
    await this.standby.handOverOperator(service);
    running.letTimePass();
    this.passed('open');
    setTimeout(() => void this.finish(parts, service), won.epoch === 1 ? 0 : BEHIND_ANSWERS_MS);
  }

  /** Reports how the service is reached. A member that ends meanwhile has nothing to report. */
  private async finish(parts: RunningParts, service: Service): Promise<void> {
    if (this.ends || this.handing !== undefined) return;
    try {
      await reportReached(parts, service, this.certificate.files !== undefined);
      await finishStart(parts, service);
    } catch (error) {
      if (!this.ends) note(this.needs.config.log, 'warn', `the report of the start failed: ${messageOf(error)}`);
    }
  }

  private partsOf({ folder, keys, identity, world, trail }: OpenWorld, running: RunningEngine, asked: EnginePort) {
    return {
      config: this.needs.config,
      folder,
      keys,
      identity,
      world,
      trail,
      running,
      asked,
      cluster: this.operations,
      sharedFiles: this.filesAnswer,
      successor: () => this.successor,
      stranger: this.stranger,
    } satisfies RunningParts;
  }

  /** Lets the lanes be led by servers that are not lost together, nor with this member. */
  private placeLanes({ journal }: Promotion<FollowedLive>): void {
    const { config, log, place } = this.needs;
    new LanePlacement({
      time: TIME,
      random: Math.random,
      place: (used) => log.place(used, place.self.logServer),
      journal,
      moved: (words) => {
        note(config.log, 'info', words);
        this.passed('lane moved');
      },
    }).start();
  }

  private watchLog(): void {
    const { config, log, place } = this.needs;
    const report = (): ReturnType<OpenLanes['report']> => log.report();
    this.watch = watchOf(place.file, { time: TIME, report, note: (...words) => note(config.log, ...words) });
    this.watch?.start();
  }

  /** Finishes what was taken, gives the place of the leader away and ends this process in order. Only of a leader. */
  private handOver(to: string): Promise<void> {
    this.handing ??= (async () => {
      this.passed('handover begun');
      const { member } = this.following ?? {};
      member?.beforeHandOver();
      await this.drain?.();
      this.passed('drained');
      await member?.handOver(to);
      this.passed('successor named');
      const { file } = this.needs.place;
      this.successor = addressOfMember(file, to);
      // Until it stands it would send clients back here.
      const stands = await member?.followedBy(LONGEST_LEAVING_MS).catch(() => undefined);
      if (stands !== undefined) this.successor = addressOfMember(file, stands);
      this.passed('successor stands');
    })();
    this.leaving ??= Promise.race([this.handing.catch(() => undefined), sleep(LONGEST_LEAVING_MS)]);
    return this.handing;
  }

  /** The instants are those of the machine's monotonic clock, which all of its processes share. */
  private passed(step: string): void {
    note(this.needs.config.log, 'debug', `takeover: ${step} at ${(Number(process.hrtime.bigint()) / 1e6).toFixed(3)}`);
  }

  private status(): MemberStatus | undefined {
    return this.following?.member.status();
  }

  /** The work of each second, which leaves the processors and the disk to a change of the leader. */
  private lookRound(): void {
    if (this.status()?.isChanging === true) return;
    this.keepWarm();
    void this.files?.look();
  }

  /** Takes snapshots, and makes what a leader needs. */
  private keepWarm(): void {
    if (this.drain !== undefined || this.following === undefined) return;
    const { snapshots, archived } = this.following.replica;
    snapshots.passSecond(archived(), performance.now());
    this.rehearse();
  }

  /**
   * Makes what a leader of this day needs and what takes long: the time of a takeover is the time in which nobody is
   * answered.
   */
  private rehearse(): void {
    if (this.drain !== undefined || this.following === undefined) return;
    const { replica, world, around, rehearsal, member } = this.following;
    const { live } = replica;
    const follows = live.state.clock === undefined;
    const at = (follows ? Math.max(live.at, wallClock()) : live.at) as EpochMs;
    world.instruments.prepare(at);
    const { role, isCaughtUp } = member.status();
    if (role !== 'Follower' || !isCaughtUp) return;
    rehearsal.run(live.state, around.ports, at);
    this.isWarm = true;
  }

  /**
   * The member is over: after a handover in order, since another one leads, or for a failure, which `command` brought
   * about when it is there.
   */
  private end(error: Error | undefined, command?: Command): void {
    if (error instanceof Fenced) {
      console.error(`sauda: another member leads, so this one ends: ${error.message}`);
      process.exit(EXIT_FENCED);
    }
    if (error instanceof ClusterOver) endAtOnce(new CommandFailed(error.message, EXIT_CONFIG));
    if (error !== undefined) this.endFailed(error, command);
    else if (!this.ends) void endInOrder(this.ending());
  }

  /**
   * Ends at once, but for a command at which the engine failed: it is noted in a lane first, so that the next leader
   * does not take it.
   */
  private endFailed(error: Error, command: Command | undefined): void {
    const { member } = this.following ?? {};
    this.asked?.fail();
    if (this.isFailing) return;
    if (command === undefined || member === undefined) endAtOnce(error);
    this.isFailing = true;
    const noted = member.noteFatal(digestOf(command)).catch(() => undefined);
    const late = new Promise((resolve) => setTimeout(resolve, NOTE_MS));
    void Promise.race([noted, late]).then(() => endAtOnce(error));
  }

  /** The end of the process as it stands when it comes: its getter must not be copied. */
  private ending(): Ending {
    const service = this;
    return {
      announce: () => {
        this.ends = true;
        return this.stage.announce();
      },
      get listeners() {
        return service.stage.listeners;
      },
      stop: () => this.stage.stop(),
      exit: () => process.exit(0),
      endsAtHangUp: this.certificate.files === undefined,
    };
  }

  /** Closes the files of this member and the connections to the log. */
  private async stopFollowing(): Promise<void> {
    await this.following?.member.close();
    await this.closeTrail();
  }

  private async closeTrail(): Promise<void> {
    this.following?.archived.handOver(Number.POSITIVE_INFINITY);
    await this.following?.trail.stop();
    await this.needs.log.close();
  }
}

const TIME = {
  elapsed: () => performance.now(),
  wall: wallClock,
  after: (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  defer: (work: () => void) => void setImmediate(work),
};
