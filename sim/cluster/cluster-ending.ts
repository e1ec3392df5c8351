import { assert } from '../../src/base/assert.ts';
import type { Random } from '../../src/base/random.ts';
import type { WallMs } from '../../src/base/time.ts';
import { CLUSTER_LIMITS } from '../../src/cluster/cluster-limits.ts';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import { endLanes, type ReadLane } from '../../src/cluster/lifetime/end-lanes.ts';
import { decodeMessage } from '../../src/cluster/message-codec.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import type { ClusterSituations } from './cluster-situations.ts';
import type { LaneWatch } from './lane-watch.ts';
import { MemberProcess } from './member-process.ts';
import { LogAccess, type SharedLog } from './shared-log.ts';
import type { SimMember } from './sim-member.ts';

export interface ClusterEndingTerms {
  readonly random: Random;
  readonly loop: VirtualLoop;
  readonly met: ClusterSituations;
  readonly watch: LaneWatch;
  readonly logs: readonly SharedLog[];
  readonly members: readonly SimMember[];
  /** Lets time pass and checks everything. */
  readonly step: (ms: number) => Promise<void>;
}

/** Nobody leads where nothing came for this long, in milliseconds, as for the service's command. */
const QUIET_MS = 2_000;
const MOST_TRIES = 10;
/**
 * How long members that come back have to read that all is over, in milliseconds. One that misses messages in front of
 * the end waits for them as long as for any.
 */
const OVER_MS = CLUSTER_LIMITS.holeMs + 3_000;

/**
 * The end of a cluster that is well, by an operator who takes members for ended that stand still or run: the lanes are
 * not ended under a leader that writes, and nothing is stored after the end.
 */
export class ClusterEnding {
  private readonly terms: ClusterEndingTerms;
  private readonly lanes: readonly Lane[];

  constructor(terms: ClusterEndingTerms) {
    this.terms = terms;
    const { loop, random, logs } = terms;
    const process = new MemberProcess(loop, random);
    this.lanes = logs.map((log) => new LogAccess(log, { toLog: true, toMember: true }, loop, process));
  }

  async run(): Promise<void> {
    const { random, members, met, watch, step } = this.terms;
    met.met('a cluster is ended');
    for (const member of members) this.stop(member, random.pick(['end', 'end', 'pause', 'run'] as const));
    for (let tries = 1; !(await this.isEnded()); tries += 1) {
      assert(tries < MOST_TRIES, `a cluster without a leader is ended after ${tries} tries`);
      met.met('a cluster is not ended while a member leads');
      for (const member of members) if (member.life?.process.isPaused === false) member.end('kill');
    }
    const { seq } = watch;
    for (const member of members) {
      if (member.life === undefined) member.start();
      else this.resume(member.life.process);
    }
    for (let ms = 0; ms < OVER_MS; ms += 100) await step(100);
    assert(watch.seq === seq, `a cluster that ended at record ${seq} goes on to ${watch.seq}`);
    for (const { name, life } of members) assert(life === undefined, `${name} runs on in a cluster that was ended`);
  }

  private stop(member: SimMember, how: 'end' | 'pause' | 'run'): void {
    if (how === 'end') member.end('kill');
    if (how === 'pause') this.pause(member);
  }

  /** It comes back at any moment of the command, or after it. */
  private pause({ life }: SimMember): void {
    const { random, loop } = this.terms;
    life?.process.pause();
    if (random.chance(50)) loop.after(random.between(0, QUIET_MS + 500), () => this.resume(life?.process));
  }

  private resume(process: MemberProcess | undefined): void {
    if (process?.isPaused === true) process.resume(this.terms.random.chance(60));
  }

  /** One run of the command. False when somebody leads. */
  private async isEnded(): Promise<boolean> {
    const { watch, loop } = this.terms;
    const read = await this.finished(Promise.all(this.lanes.map((lane, index) => this.readLane(lane, index))));
    const head = { seq: watch.seq, hash: watch.chain };
    for (let ms = 0; ms < QUIET_MS; ms += 100) await this.terms.step(100);
    const behind = await this.finished(Promise.all(read.map(({ lane, position }) => lane.read(position))));
    if (behind.some((messages) => messages.length > 0)) return false;
    const fault = await this.finished(endLanes(read, head, loop.now as number as WallMs));
    return fault === undefined;
  }

  /** Lets time pass until `work` is done. */
  private async finished<T>(work: Promise<T>): Promise<T> {
    let outcome: PromiseSettledResult<T> | undefined;
    void Promise.allSettled([work]).then(([settled]) => {
      outcome = settled;
    });
    while (outcome === undefined) await this.terms.step(5);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  private async readLane(lane: Lane, index: number): Promise<ReadLane> {
    let position = this.terms.logs[index]?.trimmed ?? 0;
    let epoch = 0;
    let isEnded = false;
    for (let messages = await lane.read(position); messages.length > 0; messages = await lane.read(position)) {
      for (const message of messages) {
        const { type, epoch: of } = decodeMessage(message.bytes);
        epoch = of;
        isEnded = type === 'End';
        position = message.position;
      }
    }
    return { lane, position, epoch, isEnded };
  }
}
