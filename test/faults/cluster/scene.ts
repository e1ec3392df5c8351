/**
 * A cluster of real processes under load, with the checks at its end: three servers of the log, three members, and
 * clients that write down each order that was acknowledged to them.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyCluster } from '../../../src/app/cluster/cluster-work.ts';
import type { Random } from '../../../src/base/random.ts';
import type { ServerLog } from '../../../src/cluster/cluster-file.ts';
import { ClusterLoad } from '../../kit/cluster/cluster-load.ts';
import { Machines } from '../../kit/cluster/machines.ts';
import { sameStates } from '../../kit/cluster/member-hashes.ts';
import { MEMBERS, type MemberName, type MemberOptions, MemberProcesses } from '../../kit/cluster/member-processes.ts';
import { NatsCluster, type NatsOptions } from '../../kit/cluster/nats-cluster.ts';
import { SEED, trials } from '../trials.ts';
import { addLines, spreadOf, type Trial } from './trial-log.ts';

/** Trading goes on for this time before and after each fault. */
const SETTLE_MS = 1_500;
/**
 * A cluster that trades on later than this does not take over at all. The gap is printed: how long it is depends on the
 * machine, and on the elections of the log where a server of it is lost.
 */
const MOST_GAP_MS = 30_000;
/** The same where the whole log is away for a while. */
const MOST_OUTAGE_MS = 180_000;
const LANES = { a: 'test-a', b: 'test-b' };

/** The log to which trials are added once the checks after them have found nothing: see `trial-log.ts`. */
const LOG = process.env.SAUDA_FAULT_LOG;
/**
 * How many clusters share this machine: see `campaign.ts`. The rest between two orders of a client grows with their
 * square, so that those of all clusters leave the processors more time than those of one.
 */
const CLUSTERS = Number(process.env.SAUDA_FAULT_CLUSTERS ?? 1);
const REST_MS = 5 * CLUSTERS ** 2;

/** After this number of faults another cluster is made: books stay small enough to be read whole. */
const FAULTS_OF_A_CLUSTER = 20;

/** A cluster under load. */
export interface Scene {
  readonly members: MemberProcesses;
  readonly log: NatsCluster;
  /** The ways of the members to the log, and between its servers. */
  readonly machines: Machines;
  readonly load: ClusterLoad;
}

export interface SceneOptions {
  readonly servers?: NatsOptions;
  readonly members?: Pick<MemberOptions, 'dataOf' | 'root' | 'settings'>;
  /** True where nobody can be served for longer than a client waits: its calls may end with an error. */
  readonly mayFail?: boolean;
  /** Makes the disks of a cluster ready that is about to start. */
  readonly prepare?: () => void;
}

/** Figures of all clusters of a test. */
interface Figures {
  acknowledged: number;
  orders: number;
  errors: number;
  clusters: number;
  lastState: string;
}

/** One cluster after the other, with its faults. */
export class Clusters {
  private readonly t: TestContext;
  private readonly folder: string;
  private readonly options: SceneOptions;
  private faults = 0;
  /** The trials since the last check. */
  private unchecked: Trial[] = [];
  private readonly figures: Figures = { acknowledged: 0, orders: 0, errors: 0, clusters: 0, lastState: '' };
  private current: Scene | undefined;

  private constructor(t: TestContext, folder: string, options: SceneOptions) {
    this.t = t;
    this.folder = folder;
    this.options = options;
  }

  /** Gives clusters to `work`, checks each at its end, and prints the line of their figures. */
  static async under(
    t: TestContext,
    folder: string,
    work: (clusters: Clusters) => Promise<void>,
    options: SceneOptions = {},
  ): Promise<void> {
    const clusters = new Clusters(t, folder, options);
    try {
      await work(clusters);
      await clusters.check();
      t.diagnostic(clusters.line());
    } finally {
      await clusters.close();
    }
  }

  /**
   * Trials of a fault under load, and the line of the gaps that clients saw in them. `work` may add to `pauses`, which
   * go to the log with its trial.
   */
  async trials(
    fault: string,
    short: number,
    work: (scene: Scene, random: Random, number: number, pauses: number[]) => Promise<void>,
  ): Promise<void> {
    const gaps: number[] = [];
    await trials(this.t, fault, short, async (random, number) => {
      const pauses: number[] = [];
      const { acknowledged, gap } = await this.fault((scene) => work(scene, random, number, pauses));
      gaps.push(gap);
      const times = { gap: Math.round(gap), ...(pauses.length > 0 && { pauses: pauses.map(Math.round) }) };
      this.unchecked.push({ fault, seed: SEED + number, acknowledged, ...times });
      return acknowledged;
    });
    this.t.diagnostic(`${fault}: gaps in ms: ${spreadOf(gaps)}`);
  }

  /** One fault under load: the acknowledgements meanwhile, and the longest gap between them in milliseconds. */
  async fault(work: (scene: Scene) => Promise<void>): Promise<{ readonly acknowledged: number; readonly gap: number }> {
    const scene = await this.scene();
    const { load } = scene;
    const before = load.acknowledged;
    await sleep(SETTLE_MS);
    const began = performance.now();
    await work(scene);
    await sleep(SETTLE_MS);
    this.faults += 1;
    const gap = load.longestGapSince(began);
    assert.ok(load.acknowledged > before, 'trading goes on');
    assert.ok(gap < (this.options.mayFail === true ? MOST_OUTAGE_MS : MOST_GAP_MS), `a gap of ${Math.round(gap)} ms`);
    return { acknowledged: load.acknowledged - before, gap };
  }

  private async scene(): Promise<Scene> {
    if (this.faults % FAULTS_OF_A_CLUSTER === 0) {
      await this.check();
      await this.close();
    }
    this.current ??= await this.start();
    return this.current;
  }

  private async start(): Promise<Scene> {
    const { servers, members: different, prepare } = this.options;
    prepare?.();
    this.figures.clusters += 1;
    const log = await NatsCluster.start(servers);
    let members: MemberProcesses | undefined;
    try {
      const machines = await Machines.over(log, LANES);
      const folder = join(this.folder, String(this.figures.clusters));
      const logOf = (name: MemberName): ServerLog =>
        servers?.isDirect === true ? log.log(LANES) : machines.doorsOf(name).log;
      members = await MemberProcesses.start(folder, log.log(LANES), { ...different, logOf });
      return { members, log, machines, load: await ClusterLoad.start(members.urls, { restMs: REST_MS }) };
    } catch (error) {
      await members?.close();
      await log.close();
      throw error;
    }
  }

  /** Ends a cluster in order and checks it. */
  private async check(): Promise<void> {
    if (this.current === undefined) return;
    const { members, load } = this.current;
    const { figures } = this;
    await load.stop();
    figures.orders += await load.check();
    figures.acknowledged += load.acknowledged;
    figures.errors += load.failures.length;
    if (this.options.mayFail !== true) assert.deepEqual(load.failures, [], 'errors that a client saw');
    for (const member of MEMBERS) await members.caughtUp(member);
    for (const member of [...MEMBERS].reverse()) await members.end(member);
    const { seq, hash } = sameStates(MEMBERS.map((member) => members.data(member)));
    assert.ok(seq >= load.acknowledged, `an archive ends at ${seq} with ${load.acknowledged} orders acknowledged`);
    figures.lastState = `${seq} (${hash.slice(0, 12)})`;
    // Every message of both lanes is of the one history that an archive has.
    await verifyCluster(members.file, members.data('one'));
    if (LOG !== undefined) addLines(LOG, this.unchecked);
    this.unchecked = [];
  }

  private async close(): Promise<void> {
    void this.current?.load.stop();
    await this.current?.members.close();
    await this.current?.log.close();
    this.current = undefined;
  }

  private line(): string {
    const { acknowledged, orders, errors, clusters, lastState } = this.figures;
    return (
      `${clusters} clusters: ${acknowledged} acknowledged, ${orders} in the book, 0 lost, 0 twice, 0 foreign records, ` +
      `${errors} errors to a client; states equal, the last at record ${lastState}`
    );
  }
}
