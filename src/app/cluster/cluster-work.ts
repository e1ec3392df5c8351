/** The work of the commands on a cluster that need no running service, and the gate in front of a start. */

import type { ClusterFile } from '../../cluster/cluster-file.ts';
import { findStart } from '../../cluster/history/find-start.ts';
import { SharedHistory } from '../../cluster/history/shared-history.ts';
import { initLanes } from '../../cluster/init-lanes.ts';
import { openLanes } from '../../cluster/lanes/open-lanes.ts';
import { checkLog } from '../../cluster/start-gate.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';
import { examineBeside, journalPaths } from '../../journal/upkeep/examine.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED, EXIT_UNAVAILABLE } from '../../os/command-failed.ts';
import { EXIT_DAMAGED } from '../exit-codes.ts';
import { clusterFile } from './member-place.ts';

/** Throws `CommandFailed` for a log that would not keep its word. */
export async function expectSoundLog(file: ClusterFile, warn: (warning: string) => void): Promise<void> {
  const { faults, warnings } = await checkLog(file);
  for (const warning of warnings) warn(warning);
  if (faults.length > 0) throw new CommandFailed(['The log cannot be trusted:', ...faults].join('\n  '), EXIT_CONFIG);
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
  const lanes = await openLanes(clusterFile(path));
  try {
    return await compare([lanes.a, lanes.b], data);
  } catch (error) {
    if (error instanceof JournalDamaged) throw new CommandFailed(`DAMAGED ${error.message}`, EXIT_DAMAGED);
    if (error instanceof Error && error.name === 'LaneUnreachable')
      throw new CommandFailed(error.message, EXIT_UNAVAILABLE);
    throw error;
  } finally {
    await lanes.close();
  }
}

async function compare(lanes: readonly Awaited<ReturnType<typeof openLanes>>['a'][], data: string): Promise<string> {
  const { stored: files } = examineBeside(REAL_DISK, journalPaths(data), true);
  const head = files.head();
  const history = new SharedHistory({
    head,
    lanes: lanes.map(({ name }) => name),
    hashAt: (seq) => files.hashAt(seq),
    begin: () => files.begin(),
  });
  const tracks = lanes.map((lane, index) => ({ lane, index, messages: 0, place: 0, ended: false }));
  for (const track of tracks) track.place = await findStart(track.lane, files.begin());
  let groups = 0;
  // In turn: groups of one lane wait in memory for those that lie in the other one.
  for (let open = tracks; open.length > 0; open = tracks.filter(({ ended }) => !ended)) {
    const waits = (track: (typeof tracks)[number]): number => history.waitingBytes(track.index);
    const track = open.reduce((least, other) => (waits(other) < waits(least) ? other : least));
    const found = await track.lane.read(track.place);
    track.ended = found.length === 0;
    for (const message of found) {
      history.take(track.index, message);
      track.messages += 1;
      track.place = message.position;
    }
    while (history.next() !== undefined) groups += 1;
  }
  if (history.hasHole) throw history.hole();
  const lines = tracks.map(({ lane, index, messages, place }) => {
    return `lane ${lane.name}: ${messages} messages up to ${place}, epoch ${history.epochOf(index)}`;
  });
  const { seq, hash } = history.head;
  return [
    ...lines,
    `the journal of ${data} ends at record ${head.seq}; the lanes agree with it and add ${groups} groups`,
    `the history ends at record ${seq}, hash ${hash}`,
  ].join('\n');
}
