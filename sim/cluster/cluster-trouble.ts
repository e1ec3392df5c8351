import type { Random } from '../../src/base/random.ts';
import { HOUR_MS } from '../../src/base/time.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import type { ClusterSituations } from './cluster-situations.ts';
import { type Link, lastNumberOf, NO_TROUBLE, type SharedLog } from './shared-log.ts';
import type { SimMember } from './sim-member.ts';

export interface ClusterTroubleTerms {
  readonly random: Random;
  readonly loop: VirtualLoop;
  readonly met: ClusterSituations;
  readonly members: readonly SimMember[];
  readonly logs: readonly SharedLog[];
  /** The ways of each member to each log, in their orders. */
  readonly links: readonly (readonly Link[])[];
  /** The kinds of trouble that come, instead of all. */
  readonly troubles?: readonly Trouble[] | undefined;
  /** The last number of which lanes have let go: an archive has to have it. */
  readonly archived: { needed: number; isTrimmed: boolean };
}

/**
 * The kinds of trouble: of machines, of their ways to the logs, of the logs, of clocks, by operators, of disks, of
 * programs.
 */
export type Trouble =
  | 'kill'
  | 'killAll'
  | 'pause'
  | 'cut'
  | 'majority'
  | 'logs'
  | 'jump'
  | 'freeze'
  | 'handOver'
  | 'disk'
  | 'machine'
  | 'replace'
  | 'trim'
  | 'place'
  | 'defect'
  | 'roll'
  | 'lack';

/** The kinds as often as they come. */
const OFTEN: readonly Trouble[] = [
  ...(['kill', 'kill', 'killAll', 'pause', 'pause', 'cut', 'cut'] as const),
  ...(['majority', 'logs', 'logs', 'jump', 'freeze', 'handOver', 'disk'] as const),
  ...(['machine', 'replace', 'trim', 'place', 'place', 'defect', 'roll', 'lack'] as const),
];

/** Messages are kept for this long, in milliseconds. */
const KEEP_MS = 2_000;
/** How long a member that ended is away, in milliseconds. */
const AWAY_MS = [50, 400, 2_000, 9_000];
/** How long most other troubles last, in milliseconds. */
const LASTS_MS = [100, 400, 900, 2_500, 8_000];

/** Everything that goes wrong around the members of a cluster, each for a time. */
export class ClusterTrouble {
  private readonly terms: ClusterTroubleTerms;
  /** Ends what goes wrong at present. */
  private readonly ends = new Set<() => void>();
  /** In percent of the steps. */
  private readonly measure: number;
  private readonly actions: readonly (() => void)[];
  private isHealed = false;

  constructor(terms: ClusterTroubleTerms) {
    this.terms = terms;
    const { random } = terms;
    this.measure = random.pick(terms.troubles === undefined ? [4, 10, 20, 35] : [12, 25]);
    const of: Record<Trouble, () => void> = {
      kill: () => this.kill(),
      killAll: () => this.killAll(),
      pause: () => this.pause(),
      cut: () => this.cut(),
      majority: () => this.loseMajority(),
      logs: () => this.disturbLogs(),
      jump: () => this.jump(),
      freeze: () => this.freezeWall(),
      handOver: () => this.handOver(),
      disk: () => this.fillDisk(),
      machine: () => this.loseMachine(),
      replace: () => this.replaceMachine(),
      trim: () => this.trimLogs(),
      place: () => this.leaveLane(),
      defect: () => this.meetDefect(),
      roll: () => this.rollOver(),
      lack: () => this.lackFile(),
    };
    const all = (terms.troubles ?? OFTEN).map((name) => of[name]);
    // In one run of three a few kinds of trouble come alone, so that each is met in a cluster that is well otherwise.
    this.actions = random.chance(33) ? [random.pick(all), random.pick(all)] : all;
  }

  /** One step passes. */
  stir(): void {
    const { random } = this.terms;
    if (!this.isHealed && random.chance(this.measure)) random.pick(this.actions)();
  }

  /** Starts members that have ended, after a time: what an init system does. */
  supervise(): void {
    const { random, members } = this.terms;
    for (const member of members) {
      if (member.life !== undefined || member.isAwaited) continue;
      this.startAfter(member, this.isHealed ? 100 : random.pick(AWAY_MS));
    }
  }

  /** Starts a member that has not begun. */
  startAfter(member: SimMember, ms: number): void {
    member.isAwaited = true;
    this.terms.loop.after(ms, () => this.restart(member));
  }

  /** Everything is well again, at once and from now on. */
  heal(): void {
    this.isHealed = true;
    for (const end of [...this.ends]) end();
    for (const member of this.terms.members) {
      member.disk.fault = undefined;
      member.lacks = undefined;
      this.restart(member);
    }
  }

  private restart(member: SimMember): void {
    member.isAwaited = false;
    if (member.life === undefined) member.start();
  }

  /** Something goes wrong until `end` is called, which is after a while or when all is healed. */
  private forAWhile(ms: number, end: () => void): void {
    const once = (): void => {
      if (this.ends.delete(once)) end();
    };
    this.ends.add(once);
    this.terms.loop.after(ms, once);
  }

  /** Some member, more often the one that leads. */
  private member(): number {
    const { random, members } = this.terms;
    const leader = members.findIndex(({ leading }) => leading !== undefined);
    return leader >= 0 && random.chance(55) ? leader : random.below(members.length);
  }

  private at(index: number): SimMember {
    return this.terms.members[index] as SimMember;
  }

  private kill(): void {
    this.endOf(this.at(this.member()));
  }

  private killAll(): void {
    const { members, met } = this.terms;
    met.met('all members end at once');
    for (const member of members) this.endOf(member);
  }

  private endOf(member: SimMember): void {
    const { random, met } = this.terms;
    if (member.life === undefined) return;
    met.met(member.leading === undefined ? 'a follower is killed' : 'a leader is killed');
    const how = random.pick(['kill', 'power'] as const);
    met.metIf(how === 'power', 'the power of a machine fails');
    member.end(how);
  }

  private pause(): void {
    const { random, met } = this.terms;
    const member = this.at(this.member());
    const process = member.life?.process;
    if (process?.runs !== true) return;
    met.met(member.leading === undefined ? 'a follower is paused' : 'a leader is paused');
    process.pause();
    const ms = random.chance(30) ? random.between(50, 1_500) : random.between(5_000, 30_000);
    this.forAWhile(ms, () => {
      if (!process.isPaused) return;
      const counted = random.chance(60);
      met.metIf(!counted, 'a member with a steady clock that stood still goes on');
      met.metIf(
        member.leading !== undefined && this.hasSuccessor(member),
        'a member that led goes on while another one leads',
      );
      process.resume(counted);
    });
  }

  private hasSuccessor({ leading }: SimMember): boolean {
    return this.terms.members.some((other) => (other.leading?.epoch ?? 0) > (leading?.epoch ?? 0));
  }

  private cut(): void {
    const { random, met, links } = this.terms;
    const index = this.member();
    const isLeader = this.at(index).leading !== undefined;
    const ways = links[index] as readonly Link[];
    const all = random.chance(50);
    const chosen = all ? ways : [random.pick(ways)];
    const [toLog, toMember] = random.pick([
      [false, false],
      [false, true],
      [true, false],
    ]) as [boolean, boolean];
    met.metIf(toLog !== toMember, 'a way is lost in one direction');
    if (!isLeader) met.met('a follower loses the way to a lane');
    else met.met(all ? 'a leader loses the way to all lanes' : 'a leader loses the way to a lane');
    for (const link of chosen) {
      Object.assign(link, { toLog, toMember });
      this.forAWhile(random.pick(LASTS_MS), () => Object.assign(link, { toLog: true, toMember: true }));
    }
  }

  /** One log, or both. */
  private chosenLogs(one: () => void, both: () => void): readonly SharedLog[] {
    const { random, logs } = this.terms;
    if (random.chance(35)) {
      both();
      return logs;
    }
    one();
    return [random.pick(logs)];
  }

  private loseMajority(): void {
    const { random, met } = this.terms;
    const chosen = this.chosenLogs(
      () => met.met('a lane has no majority'),
      () => met.met('both lanes have no majority'),
    );
    for (const log of chosen) {
      log.loseMajority();
      this.forAWhile(random.pick(LASTS_MS), () => log.findMajority());
    }
  }

  private disturbLogs(): void {
    const { random, met } = this.terms;
    const chosen = this.chosenLogs(
      () => met.met('a lane is slow, loses answers or answers from the past'),
      () => met.met('both lanes are slow, lose answers or answer from the past'),
    );
    for (const log of chosen) {
      const share = (): number => random.pick([0, 0, 3, 15, 50]);
      const damaged = random.pick([0, 0, 0, 20]);
      met.metIf(damaged > 0, 'a machine of a log damages messages');
      log.trouble = { slow: share(), lost: share(), stale: share(), hasty: share(), damaged };
      this.forAWhile(random.pick(LASTS_MS), () => {
        log.trouble = NO_TROUBLE;
      });
    }
  }

  private jump(): void {
    const { random, met, members } = this.terms;
    const skew = random.pick([-700, 1_500, -HOUR_MS, HOUR_MS]);
    met.met(Math.abs(skew) === HOUR_MS ? 'a wall clock jumps by an hour' : 'a wall clock jumps by a second or so');
    const member = random.pick(members);
    member.setSkew(skew);
    this.forAWhile(random.pick([2_000, 20_000]), () => member.setSkew(0));
  }

  private freezeWall(): void {
    const { random, met } = this.terms;
    const member = this.at(this.member());
    if (member.life === undefined) return;
    met.met('a wall clock stands still');
    member.life.process.freezeWall();
    this.forAWhile(random.pick(LASTS_MS), () => member.setSkew(member.skew));
  }

  private handOver(): void {
    const leader = this.leader();
    if (leader !== undefined) this.giveAway(leader);
  }

  private leader(): SimMember | undefined {
    return this.terms.members.find(({ leading }) => leading !== undefined);
  }

  private giveAway(leader: SimMember): void {
    const { random, met, members } = this.terms;
    met.met('a leader gives its place to another member');
    leader.handOver(random.pick(members.filter((other) => other !== leader)).name);
  }

  /** Members are restarted one after the other, as for another version of the program. */
  private rollOver(): void {
    const { random, loop, met, members } = this.terms;
    met.met('all members are restarted one after the other');
    let ms = 0;
    for (const member of members) {
      loop.after(ms, () => {
        if (this.isHealed) return;
        if (member.leading === undefined) member.retire();
        else this.giveAway(member);
      });
      ms += random.pick([300, 1_500, 4_000]);
    }
  }

  /** The machine of the leader is lost with the log server that leads a lane: the log elects another one. */
  private loseMachine(): void {
    const { random, met, logs } = this.terms;
    const leader = this.leader();
    if (leader === undefined) return;
    met.met('a leader is lost together with a server of the log');
    this.endOf(leader);
    const log = random.pick(logs);
    log.loseMajority();
    this.forAWhile(random.between(4_000, 9_000), () => log.findMajority());
  }

  /** A machine is lost with its disk, and another one takes its name. Another archive has what no lane keeps. */
  private replaceMachine(): void {
    const { met, members } = this.terms;
    const member = this.at(this.member());
    const { archived } = this.terms;
    if (!members.some((other) => other !== member && (other.life?.archive.head().seq ?? 0) >= archived.needed)) return;
    met.met('a member begins again on another disk');
    this.endOf(member);
    member.replaceDisk();
  }

  /** The logs let go of old messages that the archives of two members have, and keep those that show their ends. */
  private trimLogs(): void {
    const { loop, met, members, logs, archived } = this.terms;
    const heads = members.map(({ life }) => life?.archive.head().seq ?? 0).sort((a, b) => b - a);
    const safe = heads[1] ?? 0;
    for (const log of logs) {
      const isTrimmed = log.trim((message, storedAt) => {
        const last = lastNumberOf(message);
        if (storedAt > loop.now - KEEP_MS || last >= safe) return false;
        archived.needed = Math.max(archived.needed, last);
        return true;
      });
      archived.isTrimmed ||= isTrimmed;
      met.metIf(isTrimmed, 'a lane lets go of old messages');
    }
  }

  private leaveLane(): void {
    const { met } = this.terms;
    const leader = this.leader();
    if (leader?.leading === undefined) return;
    met.met('a leader leaves its lane for another place');
    leader.leading.journal.leaveLane();
  }

  /** The leader's engine throws at a command. */
  private meetDefect(): void {
    const { met } = this.terms;
    const leader = this.leader();
    if (leader?.life?.process.runs !== true) return;
    met.met('a leader fails at a command');
    leader.failAtCommand();
  }

  private lackFile(): void {
    const { random, met } = this.terms;
    const member = this.at(this.member());
    met.met('a member lacks a file');
    member.lacks = 'a file is not here';
    this.forAWhile(random.pick(LASTS_MS), () => {
      member.lacks = undefined;
    });
  }

  private fillDisk(): void {
    const { random, met } = this.terms;
    const member = this.at(this.member());
    const fails = random.chance(20);
    met.met(fails ? 'an archive fails' : 'the disk of an archive is full');
    if (fails) {
      member.disk.fault = { call: random.pick(['write', 'flush'] as const), code: 'EIO', forever: false };
      return;
    }
    member.disk.fault = { call: 'write', code: 'ENOSPC', forever: true };
    this.forAWhile(random.pick(LASTS_MS), () => {
      member.disk.fault = undefined;
    });
  }
}
