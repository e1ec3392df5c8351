/** The two lanes of a cluster, opened as its file says. */
import { join } from 'node:path';
import type { ClusterFile } from '../cluster-file.ts';
import { openFileLane } from './file-lane.ts';
import type { Lane } from './lane.ts';
import { type LaneMove, type LaneStanding, nextMove } from './lane-leaders.ts';
import { type LogReport, reportOn } from './nats/log-report.ts';
import { LogServers } from './nats/log-servers.ts';
import { openNatsLane } from './nats/nats-lane.ts';
import { moveLeader, standingOf } from './nats/stream-leaders.ts';

/** How long the log may take to say by which servers its lanes are led. In milliseconds. */
const LOOK_MS = 1_000;

/** The lanes of one process. A member that takes over fences `a` before `b`. */
export interface OpenLanes {
  readonly a: Lane;
  readonly b: Lane;
  /** The names of the servers that lead the lanes a and b; none for a log without servers. Rejects as `place`. */
  leaders(): Promise<readonly string[]>;
  /**
   * Takes the next step to good places of the lanes' leaders, and gives it: see `lane-leaders.ts`. `used` is the name
   * of the lane that the leader of the service writes to, `beside` the server on its machine. Rejects when the log does
   * not answer within a second or two.
   */
  place(used: string, beside: string | undefined): Promise<LaneMove>;
  /** Asks each server for what the gate in front of a start asks; `undefined` for a log without servers. */
  report(): Promise<LogReport | undefined>;
  /** Closes both lanes and lets go of the log. */
  close(): Promise<void>;
}

/**
 * Opens the lanes of a cluster. It does not wait for the log: a lane that is not reached says so when it is asked.
 * Throws what the operating system refuses of a log's folder.
 */
export async function openLanes({ log }: Pick<ClusterFile, 'log'>): Promise<OpenLanes> {
  if (log.type === 'Folder') {
    const a = await openFileLane(join(log.folder, 'a'), 'a');
    const b = await openFileLane(join(log.folder, 'b'), 'b');
    return {
      a,
      b,
      leaders: () => Promise.resolve([]),
      place: () => Promise.resolve({ type: 'None' }),
      report: () => Promise.resolve(undefined),
      close: () => closeBoth(a, b),
    };
  }
  const servers = new LogServers(
    log.servers.map(({ url }) => url),
    log.access,
  );
  const a = await openNatsLane(servers, log.lanes.a);
  const b = await openNatsLane(servers, log.lanes.b);
  const standings = (): Promise<[LaneStanding, LaneStanding]> => {
    return Promise.all([standingOf(servers, a.name, LOOK_MS), standingOf(servers, b.name, LOOK_MS)]);
  };
  return {
    a,
    b,
    leaders: async () => (await standings()).map(({ leader }) => leader),
    place: async (used, beside) => {
      const [ofA, ofB] = await standings();
      const move = used === b.name ? nextMove(ofB, ofA, beside) : nextMove(ofA, ofB, beside);
      if (move.type === 'Move') await moveLeader(servers, move.lane, move.server, LOOK_MS);
      return move;
    },
    report: () => reportOn(log, servers),
    close: async () => {
      await closeBoth(a, b);
      await servers.close();
    },
  };
}

async function closeBoth(a: Lane, b: Lane): Promise<void> {
  await a.close();
  await b.close();
}
