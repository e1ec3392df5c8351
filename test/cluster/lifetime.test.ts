import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { MemoryLane, MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { beginLanes, type OwnHistory } from '../../src/cluster/lifetime/begin-lanes.ts';
import { endLanes, type ReadLane } from '../../src/cluster/lifetime/end-lanes.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { decodeMessage, encodeMessage } from '../../src/cluster/message-codec.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { groupOf, type Life, TestCluster } from '../kit/cluster/test-cluster.ts';
import { FIRST_WALL } from '../kit/cluster/virtual-time.ts';

const wall = FIRST_WALL as WallMs;

async function historyOf(records: number, maker = 1): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  while (journal.head().seq < records) await journal.append(groupOf(maker, journal.head().seq + 1, 1));
  return journal;
}

function own(journal: Journal): OwnHistory {
  return { head: journal.head(), hashAt: (seq) => journal.hashAt(seq) };
}

function lanesOf(logs: readonly MemoryLog[]): MemoryLane[] {
  return logs.map((log) => new MemoryLane(log));
}

const twoLogs = (): MemoryLog[] => [new MemoryLog('A'), new MemoryLog('B')];

/** A cluster that began with five records of one machine: two members have them, the third has what it is given. */
async function begun(third: MemoryJournal): Promise<TestCluster> {
  const cluster = new TestCluster({ archives: [await historyOf(5), await historyOf(5), third] });
  const done = await beginLanes(lanesOf(cluster.logs), own(await historyOf(5)), wall);
  assert.ok(done.ok && !done.value.wasBegun && done.value.head.seq === 5);
  return cluster;
}

/** The lanes of a cluster as the command that ends it reads them. */
function read(cluster: TestCluster, logs: readonly MemoryLog[] = cluster.logs): ReadLane[] {
  return logs.map((log) => {
    const last = log.behind(log.end() - 1)[0];
    const message = last && decodeMessage(last.bytes);
    return {
      lane: new MemoryLane(log),
      position: log.end(),
      epoch: message?.epoch ?? 0,
      isEnded: message?.type === 'End',
    };
  });
}

describe('a cluster that goes on from one machine', () => {
  it('is led from the end of that history, and its followers fold what comes', async () => {
    const cluster = await begun(await historyOf(5));
    cluster.startAll();
    assert.ok(await cluster.untilTrading());
    assert.equal(cluster.acknowledged[0]?.seq, 6);
    await cluster.time.run(500);
    assert.equal(cluster.leader()?.epoch, 2);
    for (const { replica, gone } of cluster.lives.slice(1)) {
      assert.equal(gone, undefined);
      assert.ok(replica.seq > 10, `${replica.seq}`);
    }
    cluster.kill(0);
    assert.ok(await cluster.untilTrading());
    assert.equal(cluster.leader()?.name, 'm1');
  });

  it('refuses a member without that history, and one with another', async () => {
    for (const third of [new MemoryJournal(), await historyOf(3)]) {
      const cluster = await begun(third);
      const { gone } = cluster.start(2);
      assert.equal(gone, undefined);
      await cluster.time.run(100);
      const words = /the cluster began with 5 records of one machine, and this member's archive ends at \d/;
      assert.match(String(cluster.lives[2]?.gone), words);
    }
    const cluster = await begun(await historyOf(9, 7));
    cluster.start(2);
    await cluster.time.run(100);
    assert.match(String(cluster.lives[2]?.gone), /JournalDamaged: lane ., .*another history at 5/);
  });

  it('is not led by a member without history when no lane names one: the control', async () => {
    const cluster = new TestCluster({ members: 1 });
    cluster.startAll();
    assert.ok(await cluster.untilTrading());
    assert.equal(cluster.acknowledged[0]?.seq, 1);
  });

  it('begins once, also when it stopped between the lanes and the folder has gone on', async () => {
    const logs = twoLogs();
    const journal = await historyOf(5);
    const [a, b] = lanesOf(logs) as [MemoryLane, MemoryLane];
    const halfway = await beginLanes([a], own(journal), wall);
    assert.ok(halfway.ok);
    await journal.append(groupOf(1, 6, 1));
    const again = await beginLanes([a, b], own(journal), wall);
    assert.deepEqual(again.ok && [again.value.head.seq, again.value.wasBegun], [5, false]);
    assert.deepEqual(
      logs.map((log) => log.end()),
      [1, 1],
    );
    const third = await beginLanes([a, b], own(journal), wall);
    assert.deepEqual(third.ok && third.value.wasBegun, true);
    assert.deepEqual(
      logs.map((log) => log.end()),
      [1, 1],
    );
  });

  it('begins when the answer to an append is lost', async () => {
    const logs = twoLogs();
    const lanes = lanesOf(logs);
    const [a] = lanes as [MemoryLane];
    a.faults.deaf = true;
    const append = a.append.bind(a);
    let appends = 0;
    a.append = (...message): ReturnType<typeof append> => {
      appends += 1;
      if (appends === 3) a.faults.deaf = false;
      return append(...message);
    };
    assert.ok((await beginLanes(lanes, own(await historyOf(2)), wall)).ok);
    assert.deepEqual(
      logs.map((log) => log.end()),
      [1, 1],
    );
  });

  it('does not begin in lanes that hold another history, a cluster, or what age took away', async () => {
    const refused = async (logs: MemoryLog[]): Promise<string> => {
      const ends = logs.map((log) => log.end());
      const done = await beginLanes(lanesOf(logs), own(await historyOf(5)), wall);
      assert.deepEqual(
        logs.map((log) => log.end()),
        ends,
        'nothing is written',
      );
      return done.ok ? 'begun' : done.error;
    };
    const other = twoLogs();
    assert.ok((await beginLanes(lanesOf(other), own(await historyOf(5, 9)), wall)).ok);
    assert.equal(await refused(other), 'the lanes begin with the history of another folder, of 5 records');
    const fence = encodeMessage({ type: 'Epoch', epoch: 1 as Epoch, wall, member: 'm', handedOver: false });
    for (const lane of [0, 1]) {
      const used = twoLogs();
      used[lane]?.add(0, fence);
      const name = 'AB'[lane];
      assert.equal(await refused(used), `lane ${name} is not empty: a cluster has begun in it`);
      used[lane]?.trim(1);
      assert.equal(await refused(used), `lane ${name} is not empty: a cluster has begun in it`);
    }
  });
});

describe('the end of a cluster', () => {
  it('ends every member, and none leads again', async () => {
    const cluster = new TestCluster();
    cluster.startAll();
    assert.ok(await cluster.untilTrading());
    cluster.kill(0);
    for (const rank of [1, 2]) cluster.kill(rank);
    await cluster.time.run(50);
    const head = { ...(cluster.acknowledged.at(-1) as { seq: number; hash: string }) };
    assert.equal(await endLanes(read(cluster), head, wall), undefined);
    for (const rank of [0, 1, 2]) cluster.start(rank);
    await cluster.time.run(5_000);
    for (const { gone, member } of cluster.lives) {
      assert.equal(gone?.name, 'ClusterOver');
      assert.equal(member.role, 'Gone');
    }
    assert.deepEqual(
      read(cluster).map(({ isEnded }) => isEnded),
      [true, true],
    );
  });

  it('fences a leader that stood still, which acknowledges nothing more', async () => {
    const cluster = new TestCluster({ members: 1 });
    cluster.startAll();
    assert.ok(await cluster.untilTrading());
    const [leader] = cluster.lives as [Life];
    leader.isFrozen = true;
    await cluster.time.run(100);
    const last = cluster.acknowledged.at(-1) as { seq: number; hash: string };
    assert.equal(await endLanes(read(cluster), last, wall), undefined);
    leader.isFrozen = false;
    await cluster.time.run(1_000);
    assert.equal(leader.gone?.name, 'Fenced');
    assert.equal(cluster.acknowledged.at(-1)?.seq, last.seq);
  });

  it('is refused where a lane was written to, and is taken up again where it stopped', async () => {
    const cluster = new TestCluster({ members: 2 });
    cluster.startAll();
    assert.ok(await cluster.untilTrading());
    const late = read(cluster);
    await cluster.time.run(500);
    const head = { ...(cluster.acknowledged.at(-1) as { seq: number; hash: string }) };
    assert.equal(await endLanes(late, head, wall), 'lane A was written to meanwhile: a member leads');
    for (const rank of [0, 1]) cluster.kill(rank);
    await cluster.time.run(50);
    const end = { ...(cluster.acknowledged.at(-1) as { seq: number; hash: string }) };
    assert.equal(await endLanes(read(cluster).slice(0, 1), end, wall), undefined);
    const halfway = cluster.start(0);
    await cluster.time.run(3_000);
    assert.equal(halfway.member.role, 'Follower');
    assert.equal(halfway.member.status().notElectable, 'the cluster was ended');
    assert.equal(await endLanes(read(cluster), end, wall), undefined);
    await cluster.time.run(100);
    assert.equal(halfway.gone?.name, 'ClusterOver');
    assert.equal(await endLanes(read(cluster), end, wall), undefined);
  });
});
