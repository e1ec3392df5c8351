import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import type { ClusterReport } from '../../../src/operator/operations/service/cluster-operations.ts';
import { ROOM_KEPT } from '../../../src/os/disk-room.ts';
import { MEMBERS, type MemberName } from '../../kit/cluster/member-processes.ts';
import { SERVER_NAMES, type ServerName } from '../../kit/cluster/nats-cluster.ts';
import { type Change, changedSource } from '../changed-source.ts';
import { program } from '../native.ts';
import { LoopDisk, SMALLEST_DISK } from '../tools/loop-disk.ts';
import { longRun, scratchFolder } from '../trials.ts';
import { Clusters, type Scene, type SceneOptions } from './scene.ts';

/** How long the machines stay without power. */
const LONGEST_OFF_MS = 2_000;
/** Room for the faults of one cluster, and what a new member's folder has to leave free. */
const BYTES = SMALLEST_DISK + ROOM_KEPT;

type Place = ServerName | MemberName;
const disks = new Map<Place, LoopDisk>();
const scratch = scratchFolder(removeDisks);
const powerCut = program(scratch, 'power-cut');

/** Makes a file system for each server of the log and each member, ext4 and xfs in turn. */
function newDisks(): void {
  removeDisks();
  for (const [index, place] of [...SERVER_NAMES, ...MEMBERS].entries()) {
    disks.set(place, LoopDisk.make(join(scratch, place), index % 2 === 0 ? 'ext4' : 'xfs', { bytes: BYTES }));
  }
}

function removeDisks(): void {
  for (const disk of disks.values()) disk.remove();
  disks.clear();
}

function diskOf(place: Place): LoopDisk {
  return must(disks.get(place), 'each server and each member has a disk');
}

const OPTIONS: SceneOptions = {
  prepare: newDisks,
  servers: { storeOf: (server) => diskOf(server).folder },
  members: { dataOf: (member) => join(diskOf(member).folder, 'data') },
  // Nobody is served until two servers are back and have elected leaders of the lanes.
  mayFail: true,
};

/** A start does not ask whether the servers flush what they acknowledge. */
const FLUSHES_NOT_ASKED: Change = {
  file: 'src/cluster/start-gate.ts',
  from: '  else if (!monitor.syncAlways) {',
  to: '  else if (Number.isNaN(monitor.id)) {',
};
/** Takes the power from all servers of the log at one instant, and with `all` from the members too. */
async function cutPower({ log, members }: Scene, all: boolean): Promise<void> {
  // Nothing more leaves a process that stands still, as without power; then the disks drop what was not flushed.
  for (const server of SERVER_NAMES) log.server(server).pause();
  if (all) for (const member of MEMBERS) members.signal(member, 'SIGSTOP');
  for (const place of [...SERVER_NAMES, ...(all ? MEMBERS : [])]) execFileSync(powerCut, [diskOf(place).folder]);
  await Promise.all(SERVER_NAMES.map((server) => log.server(server).kill()));
  if (all) await Promise.all(MEMBERS.map((member) => members.end(member, 'SIGKILL')));
  for (const place of [...SERVER_NAMES, ...(all ? MEMBERS : [])]) diskOf(place).powerCycle();
}

/** Brings the power back: each lane has at least the messages that it had `before`, and a member leads again. */
async function restorePower({ log, members }: Scene, all: boolean, before: ClusterReport): Promise<void> {
  for (const server of SERVER_NAMES) log.server(server).start();
  await log.ready();
  if (all) for (const member of MEMBERS) members.startMember(member);
  const { lanes } = await members.standing('one');
  for (const [index, { name, last = 0 }] of lanes.entries()) {
    const had = before.lanes[index]?.last ?? 0;
    assert.ok(last >= had, `lane ${name} lost messages: it ends at ${last}, and had ${had}`);
  }
  await members.leader();
  for (const member of MEMBERS) await members.caughtUp(member);
}

describe('a cluster whose power is cut (C06)', () => {
  it('loses nothing with all servers of the log at once, with and without the members', async (t) => {
    const fault = 'C06 power cut of all log servers, every other time of all members too';
    await Clusters.under(
      t,
      join(scratch, 'cut'),
      (clusters) =>
        clusters.trials(fault, 1, async (scene, random, number) => {
          const all = number % 2 === 0;
          const before = await scene.members.standing('one');
          await cutPower(scene, all);
          await sleep(random.below(LONGEST_OFF_MS));
          await restorePower(scene, all, before);
        }),
      OPTIONS,
    );
  });

  longRun('is seen to lose its log by the same check when the servers flush now and then', async (t) => {
    const members = { ...OPTIONS.members, root: changedSource(scratch, 'not-asked', [FLUSHES_NOT_ASKED]) };
    const servers = { ...OPTIONS.servers, syncInterval: '2m' };
    const broken = Clusters.under(
      t,
      join(scratch, 'control'),
      async (clusters) => {
        await clusters.fault(async (scene) => {
          const before = await scene.members.standing('one');
          await cutPower(scene, true);
          await restorePower(scene, true, before);
        });
      },
      { ...OPTIONS, members, servers },
    );
    // A lane that was never flushed itself is gone as a whole.
    await assert.rejects(broken, /lane test-[ab] lost messages|there is no lane test-[ab]/);
  });
});
