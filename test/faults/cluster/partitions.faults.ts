import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import type { Random } from '../../../src/base/random.ts';
import { CUTS, type Cut } from '../../kit/cluster/machines.ts';
import { FENCED, MEMBERS, type MemberName } from '../../kit/cluster/member-processes.ts';
import { SERVER_NAMES, type ServerName } from '../../kit/cluster/nats-cluster.ts';
import { IS_LONG, longRun, scratchFolder } from '../trials.ts';
import { Clusters, type Scene } from './scene.ts';

const scratch = scratchFolder();
/** How much longer a part stays cut off than until the others trade on, or than a moment. */
const SHORTEST_MS = 1_000;
/** Another member leads with reason where a busy machine lets a leader stand still, but seldom each time. */
const LOOKS = 3;
const LONGEST_MS = IS_LONG ? 8_000 : 2_000;

function drawn<T>(random: Random, all: readonly T[]): T {
  return must(all[random.below(all.length)], 'there is one to draw');
}

function othersOf(member: MemberName): readonly MemberName[] {
  return MEMBERS.filter((name) => name !== member);
}

/** Cuts the leader off: another one leads, and the old one ends when it hears of it. */
async function withoutLeader({ members, machines }: Scene, cut: (leader: MemberName) => void, ms: number) {
  const leader = await members.leader();
  const ended = members.ended(leader);
  cut(leader);
  await members.leaderOf(othersOf(leader));
  assert.equal((await fetch(`${members.url(leader)}/readyz`)).status, 503, 'a leader without its lease is not ready');
  await sleep(ms);
  machines.heal();
  assert.equal(await ended, FENCED);
  await members.caughtUp(leader);
}

/** A way to be without a part of the cluster. */
interface Partition {
  readonly name: string;
  run(scene: Scene, random: Random, cut: Cut): Promise<void>;
}

const lengthOf = (random: Random): number => random.between(SHORTEST_MS, LONGEST_MS);

const LEADER_AND_LOG: Partition = {
  name: 'C05 leader cut off from the log',
  run: (scene, random, cut) =>
    withoutLeader(scene, (leader) => scene.machines.cutMember(leader, cut), lengthOf(random)),
};

const LEADER_AND_SERVER: Partition = {
  name: 'C05 machine of the leader cut off from the others',
  run: (scene, random, cut) =>
    withoutLeader(scene, (leader) => scene.machines.cutMachine(leader, cut), lengthOf(random)),
};

const FOLLOWER: Partition = {
  name: 'C05 follower cut off from the log',
  run: async ({ members, machines }, random, cut) => {
    for (let look = 1; ; look += 1) {
      const leader = await members.leader();
      const follower = drawn(random, othersOf(leader));
      const before = await members.standing(leader);
      machines.cutMember(follower, cut);
      await sleep(lengthOf(random));
      machines.heal();
      await members.caughtUp(follower);
      const after = await members.standing(leader);
      if (after.role === 'Leader' && after.epoch === before.epoch) return;
      assert.ok(look < LOOKS, `the leader goes on: ${after.role} of epoch ${after.epoch} after ${before.epoch}`);
    }
  },
};

const SERVER: Partition = {
  name: 'C05 log servers cut off from each other',
  run: async ({ log, members, machines }, random, cut) => {
    const server: ServerName = drawn(random, SERVER_NAMES);
    machines.cutServer(server, cut);
    await sleep(lengthOf(random));
    machines.heal();
    await log.ready();
    await members.leader();
  },
};

/** A log server that dies is a partition of it that ends with its next start. */
const SERVER_DIES: Partition = {
  name: 'C07 log server dies',
  run: async ({ log, members }, random) => {
    const server = log.server(drawn(random, SERVER_NAMES));
    await server.kill();
    await sleep(lengthOf(random));
    server.start();
    await log.ready();
    await members.leader();
  },
};

/** The ways to be cut off, one after the other. */
function cutOf(number: number): Cut {
  return must(CUTS[number % CUTS.length], 'there are cuts');
}

describe('the members of a cluster whose network is cut', () => {
  it('lose nothing with the leader, a follower or a log server cut off, both ways and one way (C05, C07)', async (t) => {
    await Clusters.under(t, join(scratch, 'short'), async (clusters) => {
      for (const [index, { name, run }] of [LEADER_AND_LOG, FOLLOWER, SERVER, SERVER_DIES].entries()) {
        await clusters.trials(name, 1, (scene, random, number) => run(scene, random, cutOf(number + index)));
      }
    });
  });

  // A server that is heard and does not hear keeps its lane for ten seconds, before another one is elected.
  longRun('lose nothing when the machine of the leader is cut off with its log server (C05)', async (t) => {
    await Clusters.under(
      t,
      join(scratch, 'machine'),
      (clusters) => {
        const { name, run } = LEADER_AND_SERVER;
        return clusters.trials(name, 1, (scene, random, number) => run(scene, random, cutOf(number)));
      },
      { mayFail: true },
    );
  });
});
