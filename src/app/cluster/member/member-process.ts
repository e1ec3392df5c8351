/** One member of a cluster in its process, from its first listener to its end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../base/assert.ts';
import { messageOf } from '../../../base/system-fault.ts';
import type { OpenLanes } from '../../../cluster/lanes/open-lanes.ts';
import { LanePlacement } from '../../../cluster/leading/lane-placement.ts';
import { type LogWatch, watchOf } from '../../../cluster/leading/log-watch.ts';
import { Member, type MemberStatus, type Promotion } from '../../../cluster/member.ts';
import type { Config } from '../../../config.ts';
import type { EnginePort } from '../../../engine/port.ts';
import {
  type EngineSurroundings,
  type OpenReplica,
  openReplica,
  promote,
  type RunningEngine,
} from '../../../engine/start-engine.ts';
import { dataFolder } from '../../../folder/data-folder.ts';
import { strangerOf } from '../../../gateway/credentials/credential-logins.ts';
import { type CredentialKeys, readKeyFile } from '../../../gateway/credentials/key-file.ts';
import type { Credentials } from '../../../gateway/credentials/sealed-credentials.ts';
import { loadCompiler } from '../../../gateway/fields/compiled-check.ts';
import { addressOf } from '../../../operator/cli/reports/start-report.ts';
import { wallClock } from '../../../os/wall-clock.ts';
import { Certificate } from '../../certificate.ts';
import { note, startProgress } from '../../log.ts';
import { spanStoreOf } from '../../opened-market.ts';
import { engineSettings, expectSpanFiles, surroundings } from '../../run-engine.ts';
import type { RunningParts } from '../../running-parts.ts';
import {
  finishStart,
  type OperatorsSide,
  operatorsSideOf,
  pageOf,
  reportReached,
  type Service,
  serviceOf,
} from '../../serving/both-servers.ts';
import { type OpenedFolder, openedFolder } from '../../serving/open-folder.ts';
import { ArchivedTrail } from '../archived-trail.ts';
import { askWith } from '../carried/ask-member.ts';
import { filesAnswer } from '../carried/files-desk.ts';
import { MemberFiles } from '../carried/member-files.ts';
import { FollowedLive } from '../followed-live.ts';
import { later, laterEngine } from '../later-engine.ts';
import { LeasedEngine } from '../leased-engine.ts';
import { MemberOperations } from '../member-operations.ts';
import type { MemberPlace } from '../member-place.ts';
import { Rehearsal } from '../rehearsal.ts';
import { StandbyListeners } from '../standby-listeners.ts';
import { FitMarket } from './fit-market.ts';
import { Handover } from './handover.ts';
import { MemberEnd, type MemberStage } from './member-end.ts';
import { isReadyToLead, nextMember } from './next-member.ts';
import { PROCESS_TIME } from './process-time.ts';
import { expectSharedFiles, type SharedFiles, sharedFilesOf } from './shared-files.ts';
import { WarmUp } from './warm-up.ts';

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

export interface MemberNeeds {
  readonly config: Config;
  readonly place: MemberPlace;
  readonly log: OpenLanes;
  readonly acceptLoss: number | undefined;
}

/** A folder that was opened, and the parts that follow the lanes. */
interface Following extends OpenedFolder {
  readonly replica: OpenReplica;
  readonly archived: ArchivedTrail;
  readonly member: Member<FollowedLive>;
  /** Of the engine of this member, once it leads. */
  readonly around: EngineSurroundings;
  readonly warmUp: WarmUp;
  readonly fitMarket: FitMarket;
  /** The operator's port of a leader, whose routes take long to compile. */
  readonly operators: OperatorsSide;
}

export class MemberProcess {
  private readonly needs: MemberNeeds;
  private readonly certificate: Certificate;
  private readonly page = pageOf();
  private readonly operations: MemberOperations;
  private readonly standby: StandbyListeners;
  private readonly handover: Handover;
  private readonly over: MemberEnd;
  /** The parts that end with the process; others once the member leads. */
  private stage: MemberStage;
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
  /** The engine as clients and operators ask it, once this member leads. */
  private asked: LeasedEngine | undefined;
  /** True once others can ask: until then it is asked by its start alone, which a late lease must not end. */
  private isOpen = false;

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
      handOver: (to) => this.handover.begin(to),
    });
    this.handover = new Handover({
      file: place.file,
      member: () => this.following?.member,
      drain: () => this.drain?.(),
      passed: (step) => this.passed(step),
    });
    this.over = new MemberEnd({
      member: () => this.following?.member,
      asked: () => this.asked,
      stage: () => this.stage,
      endsAtHangUp: this.certificate.files === undefined,
    });
    this.standby = new StandbyListeners(config, this.operations, this.certificate, {
      sharedFiles: this.filesAnswer,
      isReady: () => this.isReady(),
      awaitsLeader: () => this.status()?.awaitsLeader ?? false,
    });
    const { gateway, operator } = this.standby;
    this.stage = { announce: () => undefined, listeners: [gateway, operator], stop: () => this.stopFollowing() };
  }

  /** Opens the listeners. From now on signals end the member in order. */
  async listen(): Promise<void> {
    const { place } = this.needs;
    await this.standby.listen();
    this.over.onSignals();
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
    const opened = openedFolder(config);
    this.files ??= this.filesWith(opened.keys);
    this.stranger = await strangerOf(opened.keys);
    this.shared = sharedFilesOf(config.data);
    const progress = startProgress(config.log);
    const replica = await openReplica(engineSettings(config, acceptLoss), {
      failStop: (error) => this.over.end(error),
      begin: progress.begin,
      log: (message, gravity) => note(config.log, gravity, message),
    }).finally(() => progress.end());
    const { journal, live } = replica;
    for (const passedOver of replica.recovered.notes) note(config.log, 'warn', `recovery: ${passedOver}`);
    opened.known.state = live.state;
    opened.trail.open(live.state, acceptLoss);
    opened.trail.start(() => journal.head());
    const { trail } = opened;
    const archived = new ArchivedTrail(trail, { archived: replica.archived, hasRoom: () => !trail.isBehind });
    const rehearsal = new Rehearsal(() => opened.world.instruments.sharesWithContracts());
    const { known, identity } = opened;
    const around = surroundings(config, opened.world, { known, identity, subscriber: archived });
    const running = laterEngine(replica.recovered, () => this.running);
    const asked = later<EnginePort>(() => must(this.asked, 'operators ask a member that leads'));
    const operators = operatorsSideOf(this.partsOf(opened, running, asked), this.page);
    await operators.operator.ready();
    loadCompiler();
    const member = new Member<FollowedLive>({
      name: place.self.name,
      rank: place.rank,
      lanes: [log.a, log.b],
      replica: new FollowedLive(live, archived, rehearsal),
      archive: journal,
      time: PROCESS_TIME,
      limits: { silenceMs: place.file.silenceMs },
      lacks: () => this.files?.lacks(),
      hasRoom: () => !archived.isFull,
      promote: (won) => void this.lead(won).catch((error: Error) => this.over.end(error)),
      gone: (error) => this.over.end(error),
      alarm: (words) => note(config.log, 'warn', words),
      passed: (step) => this.passed(step),
    });
    const leads = (): boolean => this.drain !== undefined;
    const warmUp = new WarmUp({ world: opened.world, replica, member, around, rehearsal, leads });
    const { folder, world } = opened;
    const fitMarket = new FitMarket({ folder, identity, world, live, elapsed: PROCESS_TIME.elapsed });
    this.following = { ...opened, replica, archived, member, around, warmUp, fitMarket, operators };
    warmUp.passSecond();
    setInterval(() => {
      archived.handOverInTurns();
      if (!warmUp.isWarm) warmUp.rehearse();
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
      leads: () => this.status()?.role === 'Leader',
      named: () => this.following?.replica.live.state.riskFiles ?? [],
      followEntries: (entries) => (this.following?.world.spanFiles ?? spanStoreOf(folder)).follow(entries),
      marketFault: () => this.following?.fitMarket.fault(),
      note: (words) => note(config.log, 'warn', words),
    });
  }

  /** True while this follower could lead at once. */
  private isReady(): boolean {
    const isWarm = this.following?.warmUp.isWarm === true && this.status()?.isCaughtUp === true;
    return isWarm && this.files?.lacks() === undefined;
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
      played: () => (this.running === undefined ? undefined : this.following?.world.followed),
      trail: dataFolder(this.needs.config.data).audit,
      wall: wallClock,
    };
    return filesAnswer(desk, target);
  };

  /** Makes the engine and the servers over the state of this member, and gives them the listeners. */
  private async lead(won: Promotion<FollowedLive>): Promise<void> {
    if (this.following === undefined || this.over.hasBegun) return;
    const { replica, member, around, operators, ...opened } = this.following;
    const running = await promote(
      { ...replica, live: won.replica.live, journal: won.journal },
      { ...around, failStop: (error, command) => this.over.end(error, command), isAwaited: true, endsQuietly: true },
    );
    this.running = running;
    this.passed('engine made');
    await expectSpanFiles(running.engine, opened.world);
    this.asked = new LeasedEngine(
      running.engine,
      () => !this.isOpen || member.mayAnswerReads(),
      member.fatal,
      () => this.handover.leaving,
    );
    const parts = this.partsOf(opened, running, this.asked);
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
        void this.handover.begin(next.name).catch((error: Error) => this.over.end(error));
        await this.handover.leaving;
      },
      stop: async () => {
        await this.handover.begun;
        this.passed('listeners closed');
        if (this.handover.begun !== undefined) await sleep(LATER_END_MS);
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
    if (this.over.hasBegun || this.handover.begun !== undefined) return;
    try {
      await reportReached(parts, service, this.certificate.files !== undefined);
      await finishStart(parts, service);
    } catch (error) {
      if (!this.over.hasBegun)
        note(this.needs.config.log, 'warn', `the report of the start failed: ${messageOf(error)}`);
    }
  }

  private partsOf({ folder, keys, identity, world, trail }: OpenedFolder, running: RunningEngine, asked: EnginePort) {
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
      successor: () => this.handover.successor,
      stranger: this.stranger,
    } satisfies RunningParts;
  }

  /** Lets the lanes be led by servers that are not lost together, nor with this member. */
  private placeLanes({ journal }: Promotion<FollowedLive>): void {
    const { config, log, place } = this.needs;
    new LanePlacement({
      time: PROCESS_TIME,
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
    this.watch = watchOf(place.file, { time: PROCESS_TIME, report, note: (...words) => note(config.log, ...words) });
    this.watch?.start();
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
    this.following?.warmUp.passSecond();
    void this.files?.look();
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
