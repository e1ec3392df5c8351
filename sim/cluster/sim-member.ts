import type { Random } from '../../src/base/random.ts';
import { errorOf } from '../../src/base/system-fault.ts';
import { SECOND_MS } from '../../src/base/time.ts';
import type { ClusterLimits } from '../../src/cluster/cluster-limits.ts';
import { digestOf } from '../../src/cluster/fatal-commands.ts';
import { Fenced } from '../../src/cluster/fenced.ts';
import type { LaneJournal } from '../../src/cluster/lane-journal.ts';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import { ClusterOver } from '../../src/cluster/lifetime/cluster-over.ts';
import { Member, type Promotion } from '../../src/cluster/member.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import type { Command } from '../../src/core/command.ts';
import type { Ports } from '../../src/core/ports.ts';
import type { Reply } from '../../src/core/reply.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Live } from '../../src/engine/live.ts';
import { SERVICE, Unavailable } from '../../src/engine/port.ts';
import { JournalDamaged } from '../../src/journal/upkeep/damage.ts';
import { type Ending, FaultyDisk } from '../faulty-disk.ts';
import { ALPHA } from '../listed.ts';
import { VirtualJournal } from '../machine.ts';
import { Storage } from '../storage.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import type { ClusterSituations } from './cluster-situations.ts';
import type { Answer, Ask } from './gateway.ts';
import { MemberProcess } from './member-process.ts';

/** How long a leader that fails has to say at which command. In milliseconds, as of the service. */
const NOTE_MS = 500;
/** The words on a message of which a bit was turned. */
const UNREADABLE = /the checksum does not match|not a message of a cluster/;
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
  /** How fast the steady clock of the machine goes; 1 is right. */
  readonly rate: number;
  /** The last number of which lanes have let go: an archive that ends before it is too old for them. */
  readonly archived: { readonly needed: number; readonly isTrimmed: boolean };
  /** A copy of the disk of a member that has all of which the lanes have let go; `undefined` while none is up. */
  readonly provision: () => FaultyDisk | undefined;
  /** True once the cluster was ended in all lanes. */
  readonly isOver: () => boolean;
  /** False takes away that reads wait for the lease. */
  readonly asksLease: boolean;
  readonly met: ClusterSituations;
}

/** A leader's part of a process. */
interface Leading {
  readonly epoch: Epoch;
  readonly engine: Engine;
  readonly live: Live;
  readonly journal: LaneJournal;
  readonly since: number;
}

/** One life of a member: from a start of its process to its end. */
export interface Life {
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
  disk = new FaultyDisk();
  life: Life | undefined;
  leading: Leading | undefined;
  /** How far the wall clock of the machine is ahead, and since when, in milliseconds. */
  skew = 0;
  skewedAt = 0;
  starts = 0;
  /** True while it is to be started again. */
  isAwaited = false;
  /** Why it could not lead beside its place in the lanes. */
  lacks: string | undefined;
  /** The commands at which its engine has failed. */
  readonly defects: object[] = [];
  /** The words that an operator was called with. */
  readonly alarms: string[] = [];
  /** The first thing in it that is not as it must be. */
  problem: Error | undefined;
  private readonly terms: SimMemberTerms;
  private storage = new Storage(this.disk);
  private hasFailedDisk = false;
  private givesPlace = false;
  /** True when the lanes continue after its archive: it begins on a copy of another one. */
  private needsCopy = false;

  constructor(terms: SimMemberTerms) {
    this.terms = terms;
    this.name = terms.name;
    this.useDisk(this.disk);
  }

  private useDisk(disk: FaultyDisk): void {
    this.disk = disk;
    this.storage = new Storage(disk);
    disk.onFault = ({ code }) => {
      this.hasFailedDisk ||= code === 'EIO';
    };
  }

  /** Another machine takes the place of one that has ended: a copy of another member's files is brought when needed. */
  replaceDisk(): void {
    this.useDisk(new FaultyDisk());
  }

  /** Starts a process on what the last one left. A disk that fails ends the start. */
  start(): void {
    if (this.needsCopy) {
      const copy = this.terms.provision();
      if (copy === undefined) return;
      this.terms.met.met('a member begins on a copy of another archive');
      this.useDisk(copy);
      this.needsCopy = false;
    }
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
    const process = new MemberProcess(loop, random, this.terms.rate);
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
      lacks: () => this.lacks,
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
      if (!(error instanceof Fenced)) this.problem ??= errorOf(error);
    };
    life.member.beforeHandOver();
    leading.engine.drain().then(() => life.member.handOver(to).catch(refused), refused);
  }

  /** A follower ends in order, as by SIGTERM. A leader would hand over. */
  retire(): void {
    const { life } = this;
    if (life === undefined || life.member.role === 'Leader') return;
    life.process.enter(() => {
      const ended = (): void => {
        if (this.life === life) this.end('kill');
      };
      life.member.close().then(ended, (error: unknown) => {
        if (!this.hasFailedDisk) this.problem ??= errorOf(error);
        ended();
      });
    });
  }

  /** The engine of the leader throws at a command, which the leader notes in a lane before its process ends. */
  failAtCommand(): void {
    const defect = { type: 'Defect', name: this.name, number: this.defects.length };
    this.defects.push(defect);
    const thrower = {
      type: 'DepositCash',
      get account(): never {
        throw new Defect(defect);
      },
    };
    this.leading?.engine.submit({ command: thrower as object as Command, origin: SERVICE }).catch(() => undefined);
  }

  private noteDefect({ command }: Defect, process: MemberProcess): void {
    const over = (): void => {
      if (this.life?.process === process) this.end('kill');
    };
    this.life?.member.noteFatal(digestOf(command)).then(over, () => undefined);
    process.after(NOTE_MS, over);
  }

  private submit(
    leading: Leading,
    member: Member<Live>,
    ask: Ask & { type: 'Command' },
    answer: (answer: Answer) => void,
  ) {
    const { engine, live, epoch } = leading;
    const waiting = engine.status().held;
    const unrecorded = (reply: Reply): Reply => {
      if (!this.mayAnswer(member)) throw new Unavailable('the lease is over');
      return reply;
    };
    const reply = engine.submit({ command: ask.command, origin: SERVICE, unrecorded });
    // Of a command that waits for the duties of the present nobody here knows which record it gets.
    const isHeld = engine.status().held > waiting;
    const seq = isHeld ? undefined : live.seq;
    reply.then(
      (given) => answer({ type: 'Done', epoch, reply: given, seq }),
      (error: unknown) => {
        if (error instanceof Unavailable) answer({ type: 'NotNow', leader: undefined });
        else this.problem ??= errorOf(error);
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
      if (this.life?.process !== process) return;
      if (error instanceof Defect) this.noteDefect(error, process);
      else this.noteGone(error);
    };
    const limitedShares = () => [ALPHA.id];
    const engine = new Engine({ live, journal, ports, limitedShares, clock, elapsed, defer, failStop });
    this.leading = { epoch, engine, live, journal, since: this.terms.loop.now };
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
    const ends = this.life?.archive.head().seq ?? 0;
    const { needed, isTrimmed } = this.terms.archived;
    this.needsCopy = error instanceof JournalDamaged && ends < needed;
    // Its place alone was let go of: it finds another one at its next start.
    const isLate = isTrimmed && error instanceof JournalDamaged && /needs a backup/.test(error.message);
    const isUnreadable = error instanceof JournalDamaged && UNREADABLE.test(error.message);
    const isDamaged = isUnreadable && this.life?.process.readDamage === true;
    const isOver = error instanceof ClusterOver && this.terms.isOver();
    const isForeign = isOver || error instanceof Fenced || this.hasFailedDisk || this.needsCopy || isLate || isDamaged;
    const isRight = error === undefined ? this.givesPlace : isForeign;
    this.terms.met.metIf(isDamaged, 'a member ends at a damaged message');
    this.terms.met.metIf(error instanceof Fenced, 'a leader is refused by the fence of another');
    if (!isRight) this.problem ??= error ?? new Error(`${this.name} gave up its place and nobody asked for it`);
    this.end('kill');
  }
}

/** The fault of a program that shows at one command. */
class Defect extends Error {
  readonly command: object;

  constructor(command: object) {
    super('a defect');
    this.command = command;
  }
}

/** True for what a disk answers. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
