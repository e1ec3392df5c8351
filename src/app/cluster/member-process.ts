/** One member of a cluster in its process, from its first listener to its end. */

import type { EpochMs } from '../../base/time.ts';
import { Fenced } from '../../cluster/fenced.ts';
import type { OpenLanes } from '../../cluster/lanes/open-lanes.ts';
import { Member, type MemberStatus, type Promotion } from '../../cluster/member.ts';
import type { Config } from '../../config.ts';
import { type OpenReplica, openReplica, promote } from '../../engine/start-engine.ts';
import { addressOf } from '../../operator/cli/start-report.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { tlsOf } from '../certificate.ts';
import { endAtOnce } from '../exit-codes.ts';
import { note, startProgress } from '../log.ts';
import { engineSettings, expectSpanFiles, surroundings } from '../run-engine.ts';
import type { RunningParts } from '../running-parts.ts';
import { open, pageOf, serviceOf } from '../serving/both-servers.ts';
import { type OpenWorld, openWorld } from '../serving/open-world.ts';
import { type Ending, endInOrder, endOnSignals } from '../shutdown.ts';
import { ArchivedTrail } from './archived-trail.ts';
import { FollowedLive } from './followed-live.ts';
import { LeasedEngine } from './leased-engine.ts';
import { MemberOperations } from './member-operations.ts';
import type { MemberPlace } from './member-place.ts';
import { expectSharedFiles, type SharedFiles, sharedFilesOf } from './shared-files.ts';
import { StandbyListeners } from './standby-listeners.ts';

/** The exit code of a leader that another member has followed. */
const EXIT_FENCED = 70;
/** The trail takes what the files have this often. */
const TRAIL_MS = 100;
const LOOK_MS = 1_000;

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
}

export class MemberProcess {
  private readonly needs: MemberNeeds;
  private readonly tls: ReturnType<typeof tlsOf>;
  private readonly page = pageOf();
  private readonly operations: MemberOperations;
  private readonly standby: StandbyListeners;
  /** The parts that end with the process; others once the member leads. */
  private stage: Pick<Ending, 'announce' | 'listeners' | 'stop'>;
  private following: Following | undefined;
  /** The files that all members have alike, read once: imports are for the next start. */
  private shared: SharedFiles;
  /** Finishes what a leader took. */
  private drain: (() => Promise<void>) | undefined;
  private handing: Promise<void> | undefined;
  private ends = false;

  constructor(needs: MemberNeeds) {
    const { config, place, log } = needs;
    this.needs = needs;
    this.shared = sharedFilesOf(config.data);
    this.tls = tlsOf(config);
    this.operations = new MemberOperations({
      place,
      lanes: [log.a, log.b],
      status: () => this.status(),
      handOver: (to) => this.handOver(to),
    });
    this.standby = new StandbyListeners(config, this.operations, this.tls, () => ({ ...this.shared }));
    const { gateway, operator } = this.standby;
    this.stage = { announce: () => undefined, listeners: [gateway, operator], stop: () => this.stopFollowing() };
  }

  /** Opens the listeners. From now on signals end the member in order. */
  async listen(): Promise<void> {
    const { place } = this.needs;
    await this.standby.listen();
    endOnSignals({ ...this.ending(), endsAtHangUp: this.tls === undefined });
    const { gateway, operator } = this.standby;
    const operatorAddress = `http://${addressOf(operator.server)}`;
    console.log(`Sauda: member ${place.self.name} of ${place.file.name} listens.`);
    console.log(`  V1 interface  ${this.tls ? 'https' : 'http'}://${addressOf(gateway.server)}/V1`);
    console.log(`  operator      ${operatorAddress}`);
  }

  /** Opens the data folder, recovers, and follows the lanes from there. */
  async follow(): Promise<void> {
    const { config, place, log, acceptLoss } = this.needs;
    await expectSharedFiles(place, this.shared);
    const world = openWorld(config);
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
    const archived = new ArchivedTrail(world.trail, () => journal.head().seq);
    const member = new Member<FollowedLive>({
      name: place.self.name,
      rank: place.rank,
      lanes: [log.a, log.b],
      replica: new FollowedLive(live, archived),
      archive: journal,
      time: TIME,
      limits: { silenceMs: place.file.silenceMs },
      promote: (won) => void this.lead(won).catch((error: Error) => this.end(error)),
      gone: (error) => this.end(error),
      alarm: (words) => note(config.log, 'warn', words),
    });
    this.following = { ...world, replica, archived, member };
    this.keepWarm();
    setInterval(() => archived.handOver(), TRAIL_MS);
    setInterval(() => this.keepWarm(), LOOK_MS);
    member.start();
    console.log('Sauda follows.');
  }

  /** Makes the engine and the servers over the state of this member, and gives them the listeners. */
  private async lead(won: Promotion<FollowedLive>): Promise<void> {
    if (this.following === undefined || this.ends) return;
    const { config } = this.needs;
    const { replica, archived, member, known, ...world } = this.following;
    const around = surroundings(config, world.world, { known, identity: world.identity, subscriber: archived });
    const running = await promote(
      { ...replica, live: won.replica.live, journal: won.journal },
      { ...around, failStop: (error) => this.end(error) },
    );
    await expectSpanFiles(running.engine, world.world);
    const parts: RunningParts = {
      config,
      ...world,
      running,
      asked: new LeasedEngine(running.engine, () => member.mayAnswerReads()),
      listed: world.world.instruments.count(running.engine.now()),
      cluster: this.operations,
      sharedFiles: () => ({ ...this.shared }),
    };
    const service = await serviceOf(parts, { tls: this.tls, page: this.page });
    this.drain = () => running.engine.drain();
    this.stage = {
      ...service.ending,
      announce: () => {
        service.ending.announce();
        const next = this.nextMember();
        if (next !== undefined) void this.handOver(next).catch((error: Error) => this.end(error));
      },
      stop: async () => {
        await this.handing;
        // It closes the files of the member too.
        await running.stop();
        await this.closeTrail();
      },
    };
    await this.standby.handOver(service);
    await open(parts, service, this.tls !== undefined);
    console.log(`Sauda leads: epoch ${won.epoch}.`);
  }

  /** Finishes what was taken, gives the place of the leader away and ends this process in order. Only of a leader. */
  private handOver(to: string): Promise<void> {
    this.handing ??= (async () => {
      await this.drain?.();
      await this.following?.member.handOver(to);
    })();
    return this.handing;
  }

  private status(): MemberStatus | undefined {
    return this.following?.member.status();
  }

  private nextMember(): string | undefined {
    const { file, rank } = this.needs.place;
    const { length } = file.members;
    return length < 2 ? undefined : file.members[(rank + 1) % length]?.name;
  }

  /**
   * Takes snapshots, and makes what a leader of this day needs and what takes long: the time of a takeover is the time
   * in which nobody is answered.
   */
  private keepWarm(): void {
    if (this.drain !== undefined || this.following === undefined) return;
    const { replica, world } = this.following;
    const { snapshots, journal, live } = replica;
    snapshots.passSecond(journal.head().seq, performance.now());
    const follows = live.state.clock === undefined;
    world.instruments.prepare((follows ? Math.max(live.at, wallClock()) : live.at) as EpochMs);
  }

  /** The member is over: after a handover in order, since another one leads, or for a failure. */
  private end(error: Error | undefined): void {
    if (error instanceof Fenced) {
      console.error(`sauda: another member leads, so this one ends: ${error.message}`);
      process.exit(EXIT_FENCED);
    }
    if (error !== undefined) endAtOnce(error);
    if (!this.ends) void endInOrder(this.ending());
  }

  /** The end of the process as it stands when it comes. */
  private ending(): Ending {
    const service = this;
    return {
      announce: () => {
        this.ends = true;
        this.stage.announce();
      },
      get listeners() {
        return service.stage.listeners;
      },
      stop: () => this.stage.stop(),
      exit: () => process.exit(0),
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
