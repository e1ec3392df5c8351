/** The two lanes of a cluster, opened as its file says. */
import { join } from 'node:path';
import type { ClusterFile } from '../cluster-file.ts';
import { openFileLane } from './file-lane.ts';
import type { Lane } from './lane.ts';
import { LogServers } from './nats/log-servers.ts';
import { leadApart } from './nats/make-lane.ts';
import { openNatsLane } from './nats/nats-lane.ts';

/** The lanes of one process. A member that takes over fences `a` before `b`. */
export interface OpenLanes {
  readonly a: Lane;
  readonly b: Lane;
  /**
   * Lets another server lead one of the lanes when one leads both; `used` is the name of the lane that stays. Gives a
   * sentence when it did. Rejects when the log does not answer.
   */
  leadApart(used: string): Promise<string | undefined>;
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
    return { a, b, leadApart: () => Promise.resolve(undefined), close: () => closeBoth(a, b) };
  }
  const servers = new LogServers(
    log.servers.map(({ url }) => url),
    log.access,
  );
  const a = await openNatsLane(servers, log.lanes.a);
  const b = await openNatsLane(servers, log.lanes.b);
  return {
    a,
    b,
    leadApart: async (used) => {
      const [stays, moved] = used === b.name ? [b.name, a.name] : [a.name, b.name];
      const server = await leadApart(servers, stays, moved);
      return server === undefined ? undefined : `one log server led both lanes: ${server} is to lead lane ${moved}`;
    },
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
