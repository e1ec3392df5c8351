/** Which data folders may be started how: the archive of a member only as a member of its cluster. */
import type { Lane } from '../../cluster/lanes/lane.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { readMembership, writeMembership } from '../../folder/membership.ts';
import { holding } from '../../journal/disk/writer-lock.ts';
import { CommandFailed, EXIT_CONFIG, orConfigFault } from '../../os/command-failed.ts';

/** The name of the cluster of which a data folder is an archive; `undefined` for one of one machine. */
export function clusterOf(data: string): string | undefined {
  return orConfigFault(readMembership(dataFolder(data).membership))?.cluster;
}

/**
 * Refuses to start the archive of a member alone: the cluster may have acknowledged more than it holds. Throws
 * `CommandFailed`.
 */
export function expectNoMember(data: string): void {
  const cluster = clusterOf(data);
  if (cluster === undefined) return;
  throw new CommandFailed(
    `${data} is the archive of a member of the cluster ${cluster}, which may have acknowledged more than it holds. ` +
      `Start it with --cluster, or end the cluster first: sauda cluster end --data ${data}`,
    EXIT_CONFIG,
  );
}

/**
 * Refuses the start of a folder without an identity where the cluster has begun: it would be given an identity and keys
 * of its own. The leader of the first start has its identity before its fence is in a lane. Throws `CommandFailed`;
 * rejects with `LaneUnreachable`.
 */
export async function expectNoHistory(
  data: string,
  cluster: string,
  lanes: readonly Pick<Lane, 'name' | 'last'>[],
): Promise<void> {
  for (const lane of lanes) {
    if ((await lane.last()) === 0) continue;
    throw new CommandFailed(
      `${data} has no identity, and lane ${lane.name} shows that the cluster ${cluster} has begun: a new identity ` +
        'and new keys would not be those of its members. Make the folder with sauda cluster provision',
      EXIT_CONFIG,
    );
  }
}

/** The digest of the instruments that a member last had like a leader; blank before the first. */
export function instrumentsAgreedOn(data: string): string {
  return orConfigFault(readMembership(dataFolder(data).membership))?.instruments ?? '';
}

/** Notes that a member has the instruments of a leader. */
export function nowAgreesOn(data: string, cluster: string, instruments: string): void {
  writeMembership(dataFolder(data).membership, { cluster, instruments });
}

/**
 * Makes a folder the archive of a member of a cluster. True when it was one of one machine before. Throws
 * `CommandFailed` for that of another cluster.
 */
export function joinCluster(data: string, cluster: string): boolean {
  const known = clusterOf(data);
  if (known === cluster) return false;
  if (known !== undefined) {
    throw new CommandFailed(
      `${data} is the archive of a member of the cluster ${known}, not of ${cluster}`,
      EXIT_CONFIG,
    );
  }
  writeMembership(dataFolder(data).membership, { cluster });
  return true;
}

/**
 * As `joinCluster`, at the start of a member: a folder that a running service writes to stays what it is. Throws
 * `FolderInUse` too.
 */
export function joinAtStart(data: string, cluster: string): void {
  holding(data, () => joinCluster(data, cluster));
}
