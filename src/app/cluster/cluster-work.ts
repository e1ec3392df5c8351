/** The work of the commands on a cluster that need no running service, and the gate in front of a start. */

import type { ClusterFile } from '../../cluster/cluster-file.ts';
import { initLanes } from '../../cluster/init-lanes.ts';
import { type Lane, LaneUnreachable } from '../../cluster/lanes/lane.ts';
import { openLanes } from '../../cluster/lanes/open-lanes.ts';
import { patientLane } from '../../cluster/lanes/patient-lane.ts';
import { checkLog, type Verdict } from '../../cluster/start-gate.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { makeReady } from '../../journal/file-journal.ts';
import type { StoredJournal } from '../../journal/segments/stored-journal.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';
import { journalPaths } from '../../journal/upkeep/examine.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED, EXIT_UNAVAILABLE } from '../../os/command-failed.ts';
import { EXIT_DAMAGED } from '../exit-codes.ts';
import { clusterFile } from './member-place.ts';
import { readLanes } from './read-lanes.ts';

/** Longer than the election of a lane's leader. In milliseconds. */
const PATIENCE_MS = 15_000;

/** Throws `CommandFailed` for a log that would not keep its word, or is not up yet. */
export async function expectSoundLog(
  file: Pick<ClusterFile, 'name' | 'log'>,
  warn: (warning: string) => void,
): Promise<void> {
  const verdict = await checkLog(file);
  for (const warning of verdict.warnings) warn(warning);
  expectSound(verdict);
}

/** Throws `CommandFailed` for faults: of a log that comes up by itself, or of one that has to be mended. */
export function expectSound({ faults, absences }: Pick<Verdict, 'faults' | 'absences'>): void {
  if (faults.length === 0) return;
  const isAbsent = faults.every((fault) => absences.includes(fault));
  const words = isAbsent ? 'The log is not up:' : 'The log cannot be trusted:';
  throw new CommandFailed([words, ...faults].join('\n  '), isAbsent ? EXIT_UNAVAILABLE : EXIT_CONFIG);
}

/** `sauda cluster init`: makes the lanes. Returns the report; throws `CommandFailed` with every fault. */
export async function initCluster(path: string): Promise<string> {
  const made = await initLanes(clusterFile(path));
  if (made.ok) return made.value.join('\n');
  throw new CommandFailed(['The lanes are not made:', ...made.error].join('\n  '), EXIT_FAILED);
}

/**
 * `sauda cluster verify`: reads both lanes whole, and compares every group of them with the journal of a data folder
 * and with the chain. Returns the report; throws `CommandFailed` with the first damage.
 */
export async function verifyCluster(path: string, data: string): Promise<string> {
  return onLanes(clusterFile(path), async (lanes) => {
    const { lanes: read, archived, head, added } = await readLanes(lanes, data);
    const lines = read.map(({ lane, messages, position, epoch, isEnded }) => {
      const ended = isEnded ? ': the cluster was ended' : '';
      return `lane ${lane.name}: ${messages} messages up to ${position}, epoch ${epoch}${ended}`;
    });
    return [
      ...lines,
      `the journal of ${data} ends at record ${archived.seq}; the lanes agree with it and add ${added} groups`,
      `the history ends at record ${head.seq}, hash ${head.hash}`,
    ].join('\n');
  });
}

/**
 * The journal of a folder whose lock this process holds, repaired and flushed as by a start: a group that a killed
 * process left may look well in memory and not be on the disk. Repairs go to standard error. Throws `JournalDamaged`.
 */
export function readyJournal(data: string): StoredJournal {
  const { stored, notes } = makeReady(REAL_DISK, journalPaths(data));
  for (const repair of notes) console.error(`sauda: ${repair}`);
  return stored;
}

/** Does work on the lanes of a cluster. Throws `CommandFailed` for damage, and for a log that is not reached. */
export async function onLanes<T>(file: ClusterFile, work: (lanes: readonly Lane[]) => Promise<T>): Promise<T> {
  const lanes = await openLanes(file);
  try {
    return await work([patientLane(lanes.a, PATIENCE_MS), patientLane(lanes.b, PATIENCE_MS)]);
  } catch (error) {
    if (error instanceof JournalDamaged) throw new CommandFailed(`DAMAGED ${error.message}`, EXIT_DAMAGED);
    if (error instanceof LaneUnreachable) throw new CommandFailed(error.message, EXIT_UNAVAILABLE);
    throw error;
  } finally {
    await lanes.close();
  }
}
