/** Where a member stands, read of its parts for operators and in words for clients. */
import { type Lane, LaneUnreachable } from '../../cluster/lanes/lane.ts';
import type { MemberStatus } from '../../cluster/member.ts';
import type {
  ClusterOperations,
  ClusterReport,
  LaneReport,
} from '../../operator/operations/service/cluster-operations.ts';
import { addressOfMember, type MemberPlace } from './member-place.ts';

export interface MemberDesk {
  readonly place: MemberPlace;
  readonly lanes: readonly Lane[];
  /** The names of the servers that lead the lanes, in the same order; none of a log in a folder. May reject. */
  readonly leaders: () => Promise<readonly string[]>;
  /** Where the member stands; `undefined` until it has opened its folder. */
  readonly status: () => MemberStatus | undefined;
  /** How the log is not as it must be, as a leader finds it; none at a follower. */
  readonly logFaults: () => readonly string[];
  /** True when the member of that name is ready to lead, or becomes so within a bounded time. */
  readonly isReady: (name: string) => Promise<boolean>;
  /** Gives the leader's place away and ends this member. */
  readonly handOver: (to: string) => Promise<void>;
}

/** Where a member stands, and the move of the leader, for operators. */
export class MemberOperations implements ClusterOperations {
  private readonly desk: MemberDesk;

  constructor(desk: MemberDesk) {
    this.desk = desk;
  }

  standing(): Omit<ClusterReport, 'lanes'> {
    const { place, status } = this.desk;
    const logFaults = this.desk.logFaults();
    const { role, epoch, leader, behind, isCaughtUp, clockApartMs, notElectable, mayAnswerReads } =
      status() ?? NOT_STARTED;
    const leaderAddress = addressOfMember(place.file, leader);
    return {
      member: place.self.name,
      role,
      epoch,
      ...(leader !== undefined && { leader }),
      ...(leaderAddress !== undefined && { leaderAddress }),
      behindRecords: behind.records,
      behindMs: behind.ms,
      isCaughtUp,
      ...(notElectable !== undefined && { notElectable }),
      ...(clockApartMs !== undefined && { clockApartMs }),
      mayAnswerReads,
      ...(logFaults.length > 0 && { logFaults }),
      members: place.file.members.map(({ name }) => name),
    };
  }

  async report(): Promise<ClusterReport> {
    const { lanes, leaders, place } = this.desk;
    const [reports, ledBy] = await Promise.all([Promise.all(lanes.map(laneReport)), leaders().catch(() => [])]);
    const beside = place.self.logServer;
    return {
      ...this.standing(),
      lanes: reports.map((report, index) => ({ ...report, ...ledAs(ledBy[index], beside) })),
    };
  }

  async handOver(to: string): Promise<string | undefined> {
    const { place, handOver, isReady } = this.desk;
    const { role, members } = this.standing();
    if (role !== 'Leader') return 'this member does not lead';
    if (to === place.self.name) return `${to} leads already`;
    if (!members.includes(to)) return `there is no member ${to}; there are ${members.join(', ')}`;
    if (!(await isReady(to))) return `${to} is not ready to lead; nothing was done`;
    await handOver(to);
    return undefined;
  }
}

const NOT_STARTED: MemberStatus = {
  role: 'Follower',
  epoch: 0,
  leader: undefined,
  behind: { records: 0, ms: 0 },
  isCaughtUp: false,
  clockApartMs: undefined,
  mayAnswerReads: false,
  awaitsLeader: false,
  isChanging: false,
  notElectable: 'it is starting',
};

/** A lane that does not answer has no last position. */
async function laneReport(lane: Lane): Promise<LaneReport> {
  try {
    return { name: lane.name, last: await lane.last() };
  } catch (error) {
    if (error instanceof LaneUnreachable) return { name: lane.name };
    throw error;
  }
}

function ledAs(ledBy: string | undefined, beside: string | undefined): Pick<LaneReport, 'ledBy' | 'isLedBeside'> {
  return ledBy === undefined || ledBy === '' ? {} : { ledBy, isLedBeside: ledBy === beside };
}

/** How a member that follows stands, in words for clients. */
export function standingWords({ role, leader, behindRecords, notElectable }: ReturnType<MemberOperations['standing']>) {
  if (role === 'Candidate') return 'stands for leader';
  if (leader === undefined) return `waits for a leader${notElectable === undefined ? '' : ` (${notElectable})`}`;
  return `follows ${leader}, ${behindRecords} records behind`;
}
