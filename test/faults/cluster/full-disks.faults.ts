import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import { ROOM_KEPT } from '../../../src/os/disk-room.ts';
import { MEMBERS, type MemberName } from '../../kit/cluster/member-processes.ts';
import { SERVER_NAMES, type ServerName } from '../../kit/cluster/nats-cluster.ts';
import { fill, smallDisk, unmountSmallDisks } from '../tools/small-disk.ts';
import { scratchFolder } from '../trials.ts';
import { Clusters, type Scene } from './scene.ts';

/** Room for the faults of one cluster, and what a new member's folder has to leave free. */
const MEGABYTES = 192 + ROOM_KEPT / 1_048_576;
/** How long a disk stays full at least: room that stands ready is used first. */
const SHORTEST_MS = 2_000;
const LONGEST_MS = 8_000;

type Place = ServerName | MemberName;
const scratch = scratchFolder(unmountSmallDisks);
const disks = new Map<Place, string>();
let clusters = 0;

function newDisks(): void {
  unmountSmallDisks();
  clusters += 1;
  for (const place of [...SERVER_NAMES, ...MEMBERS]) {
    disks.set(place, smallDisk(scratch, `${place}-${clusters}`, MEGABYTES));
  }
}

function diskOf(place: Place): string {
  return must(disks.get(place), 'each server and each member has a disk');
}

const OPTIONS = {
  prepare: newDisks,
  servers: { storeOf: diskOf },
  members: { dataOf: (member: MemberName) => join(diskOf(member), 'data') },
};

/** A server gives its part of the log up when it has no room, and takes it again when it is started again. */
async function fullServer({ log, members }: Scene, name: ServerName, ms: number): Promise<void> {
  const server = log.server(name);
  const seen = server.output.length;
  const giveBack = fill(diskOf(name));
  await sleep(ms);
  await server.printed(/no space left on device/, seen);
  giveBack();
  await server.kill();
  server.start();
  await log.ready();
  await members.leader();
}

/** The archive of a member waits in memory: the leader stays. */
async function fullMember({ members }: Scene, member: MemberName, ms: number): Promise<void> {
  const leader = await members.leader();
  const before = await members.standing(leader);
  const seen = members.output(member).length;
  const giveBack = fill(diskOf(member));
  await sleep(ms);
  await members.printed(member, /the disk of the archive is full: groups wait in memory/, seen);
  const after = await members.standing(leader);
  giveBack();
  assert.deepEqual([after.role, after.epoch], ['Leader', before.epoch], 'the leader goes on');
  await members.caughtUp(member);
}

describe('a cluster with a full disk (C08)', () => {
  it('loses nothing when a server of the log or a member has no room', async (t) => {
    await Clusters.under(
      t,
      join(scratch, 'full'),
      async (all) => {
        await all.trials('C08 disk of a log server full', 1, (scene, random, number) => {
          const server = must(SERVER_NAMES[number % SERVER_NAMES.length], 'there are servers');
          return fullServer(scene, server, random.between(SHORTEST_MS, LONGEST_MS));
        });
        await all.trials('C08 disk of a member full', 1, async (scene, random, number) => {
          const leader = MEMBERS.indexOf(await scene.members.leader());
          const member = must(MEMBERS[(leader + number) % MEMBERS.length], 'there are members');
          await fullMember(scene, member, random.between(SHORTEST_MS, LONGEST_MS));
        });
      },
      OPTIONS,
    );
  });
});
