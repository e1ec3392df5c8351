import type { Random } from '../../src/base/random.ts';
import { SECOND_MS } from '../../src/base/time.ts';
import type { ClusterLimits } from '../../src/cluster/cluster-limits.ts';
import { Fenced } from '../../src/cluster/fenced.ts';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import { Member, type Promotion } from '../../src/cluster/member.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import type { Ports } from '../../src/core/ports.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Live } from '../../src/engine/live.ts';
import { SERVICE, Unavailable } from '../../src/engine/port.ts';
import { type Ending, FaultyDisk } from '../faulty-disk.ts';
import { ALPHA } from '../listed.ts';
import { VirtualJournal } from '../machine.ts';
import { Storage } from '../storage.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import type { ClusterSituations } from './cluster-situations.ts';
import type { Answer, Ask } from './gateway.ts';
import { MemberProcess } from './member-process.ts';

/** Of the seconds of a process. */
const SNAPSHOT_PERCENT = 3;

export interface SimMemberTerms {
  readonly name: string;
  readonly rank: number;
  readonly random: Random;
  readonly loop: VirtualLoop;
  readonly ports: Ports;
  readonly limits: Partial<ClusterLimits>;
  /** The lanes as a process of this member reaches them, in the order in which it fences them. */
  readonly lanesOf: (process: MemberProcess) => readonly Lane[];
  /** False takes away that reads wait for the lease. */
  readonly asksLease: boolean;
  readonly met: ClusterSituations;
}

/** A leader's part of a process. */
interface Leading {
  readonly epoch: Epoch;
  readonly engine: Engine;
  readonly live: Live;
}

/** One life of a member: from a start of its process to its end. */
interface Life {
  readonly process: MemberProcess;
  readonly member: Member<Live>;
  readonly archive: VirtualJournal;
  readonly live: Live;
  readonly startedAt: number;
}

/**
 * One machine of the cluster: a disk that stays, and one process after the other on it, each the service's own member
 * and engine.
 */
export class SimMember {
  readonly name: string;
  readonly disk = new FaultyDisk();
  life: Life | undefined;
  leading: Leading | undefined;
  /** How far the wall clock of the machine is ahead, and since when, in milliseconds. */
  skew = 0;
  skewedAt = 0;
  starts = 0;
  /** True while it is to be started again. */
  isAwaited = false;
  /** The words that an operator was called with. */
  readonly alarms: string[] = [];
  /** The first thing in it that is not as it must be. */
  problem: Error | undefined;
  private readonly terms: SimMemberTerms;
  private readonly storage = new Storage(this.disk);
  private hasFailedDisk = false;
  private givesPlace = false;

  constructor(terms: SimMemberTerms) {
    this.terms = terms;
    this.name = terms.name;
    this.disk.onFault = ({ code }) => {
      this.hasFailedDisk ||= code === 'EIO';
    };
  }

  /** Starts a process on what the last one left. A disk that fails ends the start. */
  start(): void {
    try {
      this.begin();
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      this.terms.met.met('a start fails for its disk');
      this.end('kill');
    }
  }

  private begin(): void {
    const { loop, random, ports, limits, lanesOf, name, rank } = this.terms;
    const process = new MemberProcess(loop, random);
    process.skew = this.skew;
    const { committer, stored, head, recovered } = this.storage.open();
    this.terms.met.metIf(recovered.fromSnapshot > 0, 'a start uses a snapshot');
    const latency = (): number => random.pick([0, 0, 1, 3, 40]);
    const onDurable = (): void => undefined;
    const archive = new VirtualJournal({
      loop: process,
      committer,
      stored,
      head,
      latency,
      onDurable,
      repliesWait: true,
    });
    const live = recovered.replica;
    const { after, defer, elapsed, wall } = process;
    const isMine = (): boolean => this.life?.process === process;
    const member = new Member<Live>({
      name,
      rank,
      lanes: lanesOf(process),
      replica: live,
      archive,
      time: { after, defer, elapsed, wall },
      limits,
      promote: (won) => {
        if (isMine()) this.lead(won, ports, process);
      },
      gone: (error) => {
        if (isMine()) this.noteGone(error);
      },
      alarm: (words) => this.alarms.push(words),
    });
    this.starts += 1;
    this.hasFailedDisk = false;
    this.givesPlace = false;
    this.life = { process, member, archive, live, startedAt: loop.now };
    this.passSeconds(process);
    member.start();
  }

  /** The process ends at this moment, with the power of the machine or by itself. */
  end(how: Ending): void {
    this.life?.process.end();
    this.life = undefined;
    this.leading = undefined;
    this.disk.end(how, this.terms.random);
  }

  /** Sets the wall clock of the machine. */
  setSkew(skew: number): void {
    this.skew = skew;
    this.skewedAt = this.terms.loop.now;
    this.life?.process.setClock();
    if (this.life !== undefined) this.life.process.skew = skew;
  }

  /** Answers a request when the process comes to it. */
  serve(ask: Ask, answer: (answer: Answer) => void): void {
    const { life } = this;
    life?.process.enter(() => {
      const { leading } = this;
      if (leading === undefined) answer({ type: 'NotNow', leader: life.member.status().leader });
      else if (ask.type === 'Read') this.read(leading, life.member, answer);
      else this.submit(leading, life.member, ask, answer);
    });
  }

  /** The leader gives its place to another member, as an operator asks. */
  handOver(to: string): void {
    const { leading, life } = this;
    if (leading === undefined || life === undefined || this.givesPlace) return;
    this.givesPlace = true;
    const refused = (error: unknown): void => {
      if (!(error instanceof Fenced)) this.problem ??= asError(error);
    };
    leading.engine.drain().then(() => life.member.handOver(to).catch(refused), refused);
  }

  private submit(
    leading: Leading,
    member: Member<Live>,
    ask: Ask & { type: 'Command' },
    answer: (answer: Answer) => void,
  ) {
    const { engine, live, epoch } = leading;
    const before = live.seq;
    const waiting = engine.status().held;
    const reply = engine.submit({ command: ask.command, origin: SERVICE });
    // Of a command that waits for the duties of the present nobody here knows which record it gets.
    const isHeld = engine.status().held > waiting;
    const seq = isHeld ? undefined : live.seq;
    reply.then(
      (given) => {
        // An answer of which there is no record is a read.
        const isRead = seq === before || given.type === 'Refused';
        if (isRead && !this.mayAnswer(member)) answer({ type: 'NotNow', leader: undefined });
        else answer({ type: 'Done', epoch, reply: given, seq });
      },
      (error: unknown) => {
        if (error instanceof Unavailable) answer({ type: 'NotNow', leader: undefined });
        else this.problem ??= asError(error);
      },
    );
  }

  private read({ engine, epoch }: Leading, member: Member<Live>, answer: (answer: Answer) => void): void {
    const give = (seq: number): void => {
      if (this.mayAnswer(member)) answer({ type: 'Seen', epoch, seq });
      else answer({ type: 'NotNow', leader: undefined });
    };
    const seen = engine.read((state) => state.seq);
    if (seen instanceof Promise) {
      seen.then(give, () => answer({ type: 'NotNow', leader: undefined }));
    } else give(seen);
  }

  private mayAnswer(member: Member<Live>): boolean {
    return !this.terms.asksLease || member.mayAnswerReads();
  }

  private lead({ epoch, replica: live, journal }: Promotion<Live>, ports: Ports, process: MemberProcess): void {
    const { clock, elapsed, defer } = process;
    const failStop = (error: Error): void => {
      if (this.life?.process === process) this.noteGone(error);
    };
    const limitedShares = () => [ALPHA.id];
    const engine = new Engine({ live, journal, ports, limitedShares, clock, elapsed, defer, failStop });
    this.leading = { epoch, engine, live };
    engine.passSecond();
  }

  private passSeconds(process: MemberProcess): void {
    process.after(SECOND_MS, () => {
      if (this.life?.process !== process) return;
      this.leading?.engine.passSecond();
      this.life.archive.passSecond();
      if (this.terms.random.chance(SNAPSHOT_PERCENT)) this.takeSnapshot();
      this.passSeconds(process);
    });
  }

  /** A snapshot is taken of the archive. One that fails for the disk is done without, as the service does. */
  private takeSnapshot(): void {
    try {
      this.storage.takeSnapshot();
      this.terms.met.met('a snapshot of an archive is taken');
    } catch (error) {
      if (!isOfDisk(error)) throw error;
    }
  }

  /** The process ends itself, which it may only for a cause outside of it. */
  private noteGone(error: Error | undefined): void {
    const isRight = error === undefined ? this.givesPlace : error instanceof Fenced || this.hasFailedDisk;
    this.terms.met.metIf(error instanceof Fenced, 'a leader is refused by the fence of another');
    if (!isRight) this.problem ??= error ?? new Error(`${this.name} gave up its place and nobody asked for it`);
    this.end('kill');
  }
}

/** True for what a disk answers. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
