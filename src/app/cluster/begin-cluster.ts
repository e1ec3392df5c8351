/** `sauda cluster init --from`: makes a cluster that goes on from the data folder of one machine. */
import { existsSync } from 'node:fs';
import type { Lane } from '../../cluster/lanes/lane.ts';
import { beginLanes, isBegunWith } from '../../cluster/lifetime/begin-lanes.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { endMembership } from '../../folder/membership.ts';
import { WriterLock } from '../../journal/disk/writer-lock.ts';
import { verificationText, verifyJournal } from '../../journal/upkeep/verify.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { reporting } from '../../os/progress-report.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { EXIT_DAMAGED } from '../exit-codes.ts';
import { initCluster, onLanes, readyJournal } from './cluster-work.ts';
import { clusterFile } from './member-place.ts';
import { joinCluster } from './membership.ts';

/**
 * Makes the lanes and begins them with the history of a data folder, which becomes the archive of a member. Nobody may
 * run on it meanwhile. It may be repeated when it stopped halfway. Returns the report; throws `CommandFailed` for a
 * folder that is not whole or is another cluster's, and for lanes that are not empty, and `FolderInUse`.
 */
export async function beginCluster(path: string, data: string): Promise<string> {
  const file = clusterFile(path);
  if (!existsSync(dataFolder(data).identity)) {
    throw new CommandFailed(`${data} is not a data folder that has been started`, EXIT_FAILED);
  }
  const lock = new WriterLock(data);
  try {
    expectWhole(data);
    const made = await initCluster(path);
    return `${made}\n${await onLanes(file, (lanes) => beginWith(lanes, file.name, data))}`;
  } finally {
    lock.release();
  }
}

function expectWhole(data: string): void {
  const verification = reporting(process.stderr, (begin) => verifyJournal(data, { begin }));
  if (verification.damage !== undefined) throw new CommandFailed(verificationText(verification), EXIT_DAMAGED);
  if (verification.head.seq > 0) return;
  throw new CommandFailed(`${data} has no history: start it as the first member`, EXIT_FAILED);
}

/**
 * Begins lanes with the history of a folder, which is the archive of a member before they are written to: started alone
 * after that, it would have another history. The first lane decides between two folders that begin at the same moment.
 * The one that comes too late is of one machine again, if it was before. Throws as `beginCluster`.
 */
export async function beginWith(lanes: readonly Lane[], cluster: string, data: string): Promise<string> {
  const stored = readyJournal(data);
  const own = { head: stored.head(), hashAt: (seq: number) => stored.hashAt(seq) };
  const isNew = joinCluster(data, cluster);
  const begun = await beginLanes(lanes, own, wallClock());
  if (!begun.ok) {
    const [first] = lanes;
    if (isNew && first !== undefined && !(await isBegunWith(first, own))) endMembership(dataFolder(data).membership);
    throw new CommandFailed(`The cluster does not begin: ${begun.error}`, EXIT_FAILED);
  }
  const { head, wasBegun } = begun.value;
  const words = wasBegun ? 'The cluster had begun' : 'The cluster begins';
  return `${words} with the ${head.seq} records of ${data}. Make the folder of each other member with sauda cluster provision.`;
}
