import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyCluster } from '../../../src/app/cluster/cluster-work.ts';
import { serverOf } from '../../kit/cluster/machines.ts';
import { FENCED, MEMBERS, type MemberName } from '../../kit/cluster/member-processes.ts';
import { NOTES_STEPS, stepClock, stepsSince } from '../../kit/cluster/takeover-steps.ts';
import { changedSource } from '../changed-source.ts';
import { longRun, scratchFolder } from '../trials.ts';
import { NOT_FENCED } from './not-fenced.ts';
import { Clusters, type Scene, type SceneOptions } from './scene.ts';
import { MOST_PAUSE_MS, spreadOf } from './trial-log.ts';

const scratch = scratchFolder();
/** Longer than a leader may be silent. */
const STOPPED_MS = 5_000;
const LONGEST_STOP_MS = 30_000;
/** A handover is looked at from its signal on, until the old process has ended, and for this time from then on. */
const BEHIND_MS = 1_000;
/** Nothing is cut: a stall of this process, which has the clients, is not one of the log. */
const HANDOVERS: SceneOptions = { servers: { isDirect: true }, members: { settings: NOTES_STEPS } };

/** Stops the leader for a time: another one leads, and it ends when it comes back. A supervisor starts it again. */
async function stopLeader({ members }: Scene, ms: number): Promise<void> {
  const leader = await members.leader();
  const ended = members.ended(leader);
  members.signal(leader, 'SIGSTOP');
  await sleep(ms);
  members.signal(leader, 'SIGCONT');
  assert.equal(await ended, FENCED);
  await members.caughtUp(leader);
}

/** Ends the member that leads by a kill. The lives of others go on in `lost`, until it is started again. */
async function killLeader({ members }: Scene, lost: (leader: MemberName) => Promise<void>): Promise<void> {
  const leader = await members.leader();
  await members.end(leader, 'SIGKILL');
  await lost(leader);
  members.startMember(leader);
  await members.caughtUp(leader);
}

/**
 * Restarts the leader three times in order, each time when the one before follows again. Operators are answered by the
 * engine of the new leader. Gives the longest time without an acknowledgement around each handover: the start of a
 * process on the same machine comes after it. Prints where the time of a long one went.
 */
async function restartAll({ members, load }: Scene, print: (line: string) => void): Promise<readonly number[]> {
  const pauses: number[] = [];
  for (const _ of MEMBERS) {
    const leader = await members.leader();
    const [signalled, since] = [performance.now(), stepClock()];
    assert.equal(await members.end(leader), 0);
    assert.equal((await members.askOperator(await members.leader(), '/status')).status, 200);
    await sleep(BEHIND_MS);
    await load.next();
    const { ms, began } = load.longestSince(signalled);
    pauses.push(ms);
    const words = `C03: a pause of ${Math.round(ms)} ms from ${Math.round(began - signalled)} on`;
    if (ms > MOST_PAUSE_MS) print(`${words}: ${stepsSince(members, since)}`);
    members.startMember(leader);
    await members.caughtUp(leader);
  }
  return pauses;
}

/** A leader whose successor in the file is away gives its place to the one after that, which is there at once. */
async function passOver({ members }: Scene): Promise<void> {
  const leader = await members.leader();
  const [next = leader, behind] = [1, 2].map((step) => MEMBERS[(MEMBERS.indexOf(leader) + step) % MEMBERS.length]);
  await members.end(next, 'SIGKILL');
  const since = stepClock();
  await members.end(leader);
  assert.equal(await members.leader(), behind);
  assert.match(stepsSince(members, since), new RegExp(`${behind}: invitation read`));
  for (const name of [next, leader]) members.startMember(name);
  for (const name of [next, leader]) await members.caughtUp(name);
}

describe('the members of a cluster under load', () => {
  it('lose nothing when the leader is killed (C01)', async (t) => {
    await Clusters.under(t, join(scratch, 'killed'), (clusters) =>
      clusters.trials('C01 leader killed', 2, (scene) =>
        killLeader(scene, async () => {
          await scene.members.leader();
        }),
      ),
    );
  });

  it('refuse a leader that was stopped for five seconds and comes back (C02)', async (t) => {
    await Clusters.under(t, join(scratch, 'stopped'), (clusters) =>
      clusters.trials('C02 leader stopped and back', 1, (scene) => stopLeader(scene, STOPPED_MS)),
    );
  });

  longRun('refuse a leader that was stopped for 5 to 30 seconds and comes back (C10)', async (t) => {
    await Clusters.under(t, join(scratch, 'paused'), (clusters) =>
      clusters.trials('C10 leader stopped for 5 to 30 s and back', 1, (scene, random) =>
        stopLeader(scene, random.between(STOPPED_MS, LONGEST_STOP_MS)),
      ),
    );
  });

  it('are restarted one after the other without an error to a client (C03)', async (t) => {
    const pauses: number[] = [];
    const work = async (clusters: Clusters): Promise<void> =>
      clusters.trials('C03 rolling restart', 1, async (scene, _random, _number, own) => {
        own.push(...(await restartAll(scene, (line) => t.diagnostic(line))));
        pauses.push(...own);
      });
    await Clusters.under(t, join(scratch, 'rolled'), work, HANDOVERS);
    const long = pauses.filter((pause) => pause > MOST_PAUSE_MS).length;
    t.diagnostic(
      `C03: pauses of ${pauses.length} handovers in ms: ${spreadOf(pauses)}; ${long} above ${MOST_PAUSE_MS}`,
    );
  });

  it('give the place to a member that is there when the next one is away (C11)', async (t) => {
    const work = (clusters: Clusters): Promise<void> => clusters.trials('C11 next member away', 1, passOver);
    await Clusters.under(t, join(scratch, 'passed'), work, HANDOVERS);
  });

  it('lose nothing when the leader and a server of the log are lost together (C04)', async (t) => {
    // An election of the log may take longer than a client waits.
    await Clusters.under(
      t,
      join(scratch, 'lost'),
      (clusters) =>
        clusters.trials('C04 leader and log server lost', 1, (scene) =>
          killLeader(scene, async (leader) => {
            const server = scene.log.server(serverOf(leader));
            await server.kill();
            await scene.members.leader();
            server.start();
            await scene.log.ready();
          }),
        ),
      { mayFail: true },
    );
  });

  longRun('are seen to hold foreign records by the same check when an append names no position (C02)', async (t) => {
    const members = { root: changedSource(scratch, 'not-fenced', [NOT_FENCED]) };
    const broken = Clusters.under(
      t,
      join(scratch, 'control'),
      async (clusters) => {
        await clusters.fault(async (scene) => {
          const leader = await scene.members.leader();
          scene.members.signal(leader, 'SIGSTOP');
          const next = await scene.members.leaderOf(MEMBERS.filter((name) => name !== leader));
          scene.members.signal(leader, 'SIGCONT');
          await sleep(STOPPED_MS);
          await verifyCluster(scene.members.file, scene.members.data(next));
        });
      },
      { members, mayFail: true },
    );
    await assert.rejects(broken, /DAMAGED/);
  });
});
