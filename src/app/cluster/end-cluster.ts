/** `sauda cluster end`: one machine goes on alone with the archive of a member, and the cluster is over for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFile } from '../../cluster/cluster-file.ts';
import type { Lane } from '../../cluster/lanes/lane.ts';
import { endLanes } from '../../cluster/lifetime/end-lanes.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { endMembership } from '../../folder/membership.ts';
import { WriterLock } from '../../journal/disk/writer-lock.ts';
import type { ClusterEnd } from '../../operator/cli/cluster-commands.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from '../../os/command-failed.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { onLanes, readyJournal } from './cluster-work.ts';
import { clusterFile } from './member-place.ts';
import { clusterOf } from './membership.ts';
import { type LanesRead, readLanes } from './read-lanes.ts';

/** Nobody leads where nothing came for this number of silences of a leader. */
const SILENCES = 3;
const LEAST_QUIET_MS = 2_000;

/**
 * Ends the lanes of a cluster and makes a data folder one of one machine again, when the folder has everything that the
 * lanes have and no member leads. It may be repeated when it stopped halfway. Returns the report; throws
 * `CommandFailed`, and `FolderInUse` for a folder on which a service runs.
 */
export async function endCluster({ file: path, data, acceptLoss }: ClusterEnd): Promise<string> {
  const known = clusterOf(data);
  if (known === undefined) throw new CommandFailed(`${data} is not the archive of a member`, EXIT_FAILED);
  const lock = new WriterLock(data);
  try {
    if (acceptLoss !== undefined) return endWithoutLanes(data, acceptLoss);
    const file = clusterFile(path);
    if (known !== file.name) {
      throw new CommandFailed(`${data} is the archive of a member of ${known}, not of ${file.name}`, EXIT_CONFIG);
    }
    return await onLanes(file, (lanes) => endWithLanes(lanes, file, data));
  } finally {
    lock.release();
  }
}

async function endWithLanes(lanes: readonly Lane[], { silenceMs, name }: ClusterFile, data: string): Promise<string> {
  readyJournal(data);
  const read = await readLanes(lanes, data);
  expectEverything(read, data);
  await sleep(Math.max(LEAST_QUIET_MS, SILENCES * silenceMs));
  for (const { lane, position } of read.lanes) {
    if ((await lane.read(position)).length > 0) throw leads(`lane ${lane.name} is written to`);
  }
  const fault = await endLanes(read.lanes, read.head, wallClock());
  if (fault !== undefined) throw leads(fault);
  endMembership(dataFolder(data).membership);
  return `The cluster ${name} is over. ${data} has all ${read.head.seq} records of it, and is started without --cluster.`;
}

function expectEverything({ archived, head, named, added, isShared }: LanesRead, data: string): void {
  const ends = `${data} ends at record ${archived.seq}`;
  if (added > 0 || named > head.seq) {
    throw notEnded(`${ends}, and the lanes go on to ${named}. Start it as a member until it is caught up`);
  }
  if (!isShared) throw notEnded(`${ends}, and the lanes do not show that record. ${WITHOUT_LOG}=${archived.seq}`);
}

const WITHOUT_LOG = 'Where the log is lost, give --accept-loss';

function leads(words: string): CommandFailed {
  return notEnded(`${words}. End every member first`);
}

function notEnded(words: string): CommandFailed {
  return new CommandFailed(`The cluster is not ended: ${words}.`, EXIT_FAILED);
}

/** The operator names the record, so nobody gives up records whose number they have not seen. */
function endWithoutLanes(data: string, acceptLoss: number): string {
  const { seq } = readyJournal(data).head();
  if (seq !== acceptLoss) throw notEnded(`${data} ends at record ${seq}, not at ${acceptLoss}`);
  endMembership(dataFolder(data).membership);
  return `${data} goes on alone from record ${seq}. Records of the lanes after it are given up; start no other member.`;
}
