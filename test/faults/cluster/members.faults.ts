import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterLoad } from '../../kit/cluster/cluster-load.ts';
import { sameStates } from '../../kit/cluster/member-hashes.ts';
import { FENCED, MEMBERS, type MemberName, MemberProcesses } from '../../kit/cluster/member-processes.ts';
import { NatsCluster, SERVER_NAMES, type ServerName } from '../../kit/cluster/nats-cluster.ts';
import { longRun, scratchFolder, trials } from '../trials.ts';

const scratch = scratchFolder();
/** Trading goes on for so long before and after each fault. */
const SETTLE_MS = 1_500;
/** Longer than a leader may be silent. */
const STOPPED_MS = 5_000;
/**
 * A cluster that trades on later than this does not take over at all. The gap is printed: how long it is depends on the
 * machine, and on the elections of the log where a server of it is lost.
 */
const MOST_GAP_MS = 30_000;

interface Scene {
  readonly members: MemberProcesses;
  readonly log: NatsCluster;
  readonly load: ClusterLoad;
  /** Gaps that clients saw, in milliseconds. */
  readonly gaps: number[];
}

/** A cluster under load for one test, its checks at the end, and the line of its gaps. */
async function onCluster(t: TestContext, name: string, work: (scene: Scene) => Promise<void>): Promise<void> {
  const log = await NatsCluster.start();
  const { servers, lanes } = log.log({ a: 'test-a', b: 'test-b' });
  const members = await MemberProcesses.start(join(scratch, name), { servers, lanes });
  try {
    const load = await ClusterLoad.start(members.urls);
    const gaps: number[] = [];
    await work({ members, log, load, gaps });
    await load.stop();
    const orders = await load.check();
    assert.deepEqual(load.failures, [], 'errors that a client saw');
    for (const member of MEMBERS) await members.caughtUp(member);
    for (const member of [...MEMBERS].reverse()) await members.end(member);
    const { seq, hash } = sameStates(MEMBERS.map((member) => members.data(member)));
    const sorted = gaps.map(Math.round).sort((a, b) => a - b);
    const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    t.diagnostic(
      `${name}: ${load.acknowledged} acknowledged, ${orders} in the book, 0 lost, 0 twice; states equal at record ` +
        `${seq} (${hash.slice(0, 12)}); gaps in ms: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${sorted.at(-1)}`,
    );
  } finally {
    await members.close();
    await log.close();
  }
}

/** One fault under load: the gap that the clients saw is noted. */
async function fault({ load, gaps }: Scene, work: () => Promise<void>): Promise<number> {
  const before = load.acknowledged;
  await sleep(SETTLE_MS);
  const began = performance.now();
  await work();
  await sleep(SETTLE_MS);
  const gap = load.longestGapSince(began);
  gaps.push(gap);
  assert.ok(load.acknowledged > before, 'trading goes on');
  assert.ok(gap < MOST_GAP_MS, `a gap of ${Math.round(gap)} ms`);
  return load.acknowledged - before;
}

/** The server of the log that leads a lane is on the machine of the leader: both are lost together. */
function serverOf(member: MemberName): ServerName {
  return SERVER_NAMES[MEMBERS.indexOf(member)] ?? 'n1';
}

describe('the members of a cluster under load', () => {
  it('lose nothing when the leader is killed (C01)', async (t) => {
    await onCluster(t, 'killed', async (scene) => {
      await trials(t, 'C01 leader killed', 2, () =>
        fault(scene, async () => {
          const leader = await scene.members.leader();
          await scene.members.end(leader, 'SIGKILL');
          await scene.members.leader();
          scene.members.startMember(leader);
          await scene.members.caughtUp(leader);
        }),
      );
    });
  });

  it('refuse a leader that was stopped for five seconds and comes back (C02)', async (t) => {
    await onCluster(t, 'stopped', async (scene) => {
      await trials(t, 'C02 leader stopped and back', 1, () =>
        fault(scene, async () => {
          const leader = await scene.members.leader();
          const ended = scene.members.ended(leader);
          scene.members.signal(leader, 'SIGSTOP');
          await sleep(STOPPED_MS);
          scene.members.signal(leader, 'SIGCONT');
          // A supervisor starts it again.
          assert.equal(await ended, FENCED);
          await scene.members.caughtUp(leader);
        }),
      );
    });
  });

  it('are restarted one after the other without an error to a client (C03)', async (t) => {
    await onCluster(t, 'rolled', async (scene) => {
      await trials(t, 'C03 rolling restart', 1, () =>
        fault(scene, async () => {
          for (const member of MEMBERS) {
            assert.equal(await scene.members.end(member), 0);
            scene.members.startMember(member);
            await scene.members.leader();
            await scene.members.caughtUp(member);
          }
        }),
      );
    });
  });

  longRun('lose nothing when the leader and a server of the log are lost together (C04)', async (t) => {
    await onCluster(t, 'lost', async (scene) => {
      await trials(t, 'C04 leader and log server lost', 1, () =>
        fault(scene, async () => {
          const leader = await scene.members.leader();
          const server = scene.log.server(serverOf(leader));
          await Promise.all([scene.members.end(leader, 'SIGKILL'), server.kill()]);
          await scene.members.leader();
          server.start();
          await scene.log.ready();
          scene.members.startMember(leader);
          await scene.members.caughtUp(leader);
        }),
      );
    });
  });
});
