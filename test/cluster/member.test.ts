import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { encodeMessage } from '../../src/cluster/message-codec.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { NO_TROUBLE } from '../kit/cluster/faulty-lane.ts';
import { groupOf, type Life, TestCluster } from '../kit/cluster/test-cluster.ts';
import { FIRST_WALL } from '../kit/cluster/virtual-time.ts';

/** The longest silence before a successor trades, with the times that members have by default. */
const MOST_GAP_MS = 1_200;

async function trading(cluster: TestCluster): Promise<Life> {
  cluster.startAll();
  assert.ok(await cluster.untilTrading());
  await cluster.time.run(1_000);
  const leader = cluster.leader();
  assert.ok(leader);
  return leader;
}

test('the first member of the cluster file leads a new cluster, and the others follow it', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  assert.equal(leader.name, 'm0');
  await cluster.time.run(15);
  const [first, second] = cluster.lives;
  assert.ok((second?.replica.seq ?? 0) > 50, `${second?.replica.seq}`);
  assert.equal(second?.member.status().leader, 'm0');
  assert.equal(second?.member.status().notElectable, undefined);
  assert.ok(first?.member.mayAnswerReads());
  assert.ok(!second?.member.mayAnswerReads());
  cluster.check();
});

for (const lanes of [1, 2]) {
  test(`after the death of a leader the next member trades on: ${lanes} lanes`, async () => {
    const cluster = new TestCluster({ lanes });
    await trading(cluster);
    const before = cluster.acknowledged.length;
    cluster.kill(0);
    assert.ok(await cluster.untilTrading(MOST_GAP_MS));
    assert.equal(cluster.leader()?.name, 'm1');
    assert.ok(before > 10);
    await cluster.time.run(1_000);
    assert.deepEqual(cluster.lives[1]?.replica.amounts.length, cluster.lives[1]?.replica.seq);
    cluster.check();
  });

  test(`a leader that stood still is fenced when it goes on: ${lanes} lanes`, async () => {
    const cluster = new TestCluster({ lanes });
    const leader = await trading(cluster);
    leader.isFrozen = true;
    assert.ok(await cluster.untilTrading(MOST_GAP_MS));
    assert.notEqual(cluster.leader()?.name, undefined);
    await cluster.time.run(3_000);
    leader.isFrozen = false;
    await cluster.time.run(1_000);
    assert.equal(leader.gone?.name, 'Fenced');
    assert.equal(leader.member.role, 'Gone');
    assert.equal(leader.member.mayAnswerReads(), false);
    cluster.check();
  });
}

test('a leader whose lane stops goes on in the other lane after a quarter of a second, and says so', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  for (const { lanes } of cluster.lives) if (lanes[0]) lanes[0].isCut = true;
  assert.ok(await cluster.untilTrading(400));
  await cluster.time.run(2_000);
  assert.equal(leader.journal?.lane, 'B');
  assert.equal(leader.gone, undefined);
  assert.deepEqual(leader.alarms, ['a lane did not answer in time: this member goes on in lane B']);
  for (const { lanes } of cluster.lives) if (lanes[0]) lanes[0].isCut = false;
  for (const { lanes } of cluster.lives) if (lanes[1]) lanes[1].isCut = true;
  assert.ok(await cluster.untilTrading(400));
  assert.equal(leader.journal?.lane, 'A');
  cluster.check();
});

test('a member that was gone reads what it missed, and leads again when its turn comes', async () => {
  const cluster = new TestCluster();
  await trading(cluster);
  cluster.kill(0);
  assert.ok(await cluster.untilTrading());
  cluster.start(0);
  await cluster.time.run(1_000);
  assert.equal(cluster.lives[0]?.member.status().notElectable, undefined);
  cluster.kill(1);
  assert.ok(await cluster.untilTrading());
  assert.equal(cluster.leader()?.name, 'm0');
  cluster.check();
});

test('a member whose trail has no room for more records reads nothing until it has', async () => {
  let hasRoom = true;
  const cluster = new TestCluster({ hasRoom: (rank) => rank !== 2 || hasRoom });
  await trading(cluster);
  const follower = cluster.lives[2] as Life;
  await cluster.time.run(100);
  hasRoom = false;
  await cluster.time.run(100);
  const { seq } = follower.replica;
  const stored = cluster.lives[1]?.replica.seq ?? 0;
  await cluster.time.run(2_000);
  assert.equal(follower.replica.seq, seq);
  assert.ok((cluster.lives[1]?.replica.seq ?? 0) > stored + 10, 'the others go on');
  assert.equal(follower.member.role, 'Follower', 'it does not take the leader for a dead one');
  hasRoom = true;
  await cluster.time.run(1_000);
  assert.ok(follower.replica.seq > stored + 10);
  assert.equal(follower.member.status().notElectable, undefined);
  cluster.check();
});

test('a member that starts again far behind the fence of the leader knows who leads', async () => {
  // Where a leader used both lanes, neither shows its fence after the place from which a member reads.
  const cluster = new TestCluster({ lanes: 1 });
  const leader = await trading(cluster);
  await cluster.time.run(10_000);
  cluster.kill(2);
  cluster.start(2);
  await cluster.time.run(500);
  const status = cluster.lives[2]?.member.status();
  assert.equal(status?.isCaughtUp, true);
  assert.equal(status?.leader, leader.name);
  cluster.check();
});

test('a leader hands its place over in order: the named member leads at once', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  leader.gone = null;
  await cluster.time.run(50);
  const handed = cluster.time.now;
  const done = leader.member.handOver('m2');
  assert.equal(leader.member.mayAnswerReads(), false);
  assert.ok(await cluster.untilTrading(200));
  await done;
  assert.ok(cluster.time.now - handed <= 100, `${cluster.time.now - handed} ms`);
  assert.equal(cluster.leader()?.name, 'm2');
  assert.equal(leader.member.role, 'Gone');
  cluster.check();
});

test('members know the successor as soon as the leader has named it, and it lets requests wait until it leads', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  leader.gone = null;
  await cluster.time.run(50);
  const [, second, third] = cluster.lives.map(({ member }) => member);
  assert.deepEqual([second?.status().awaitsLeader, third?.status().awaitsLeader], [false, false]);
  const done = leader.member.handOver('m2');
  const awaited: boolean[] = [];
  while (third?.role !== 'Leader') {
    await cluster.time.run(1);
    if (third?.status().leader === 'm2') awaited.push(third.status().awaitsLeader);
  }
  await done;
  assert.ok(awaited.length > 0 && awaited.every((waits) => waits));
  assert.deepEqual([second?.status().leader, second?.status().awaitsLeader], ['m2', false]);
  cluster.check();
});

test('requests wait for a leader while one is about to be known, and not for ever', async () => {
  const cluster = new TestCluster({ members: 1 });
  await trading(cluster);
  cluster.kill(0);
  cluster.start(0);
  for (const lane of cluster.lives[0]?.lanes ?? []) lane.isCut = true;
  const waits: boolean[] = [];
  for (let ms = 0; ms < 3_000; ms += 100) {
    await cluster.time.run(100);
    waits.push(cluster.lives[0]?.member.status().awaitsLeader === true);
  }
  assert.equal(waits[1], false, 'the leader may be late');
  assert.equal(waits[8], true, 'somebody may lead soon');
  assert.equal(waits.at(-1), false, 'nobody leads');
});

test('a leader that gave its place away knows when the successor lets requests wait', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  leader.gone = null;
  await cluster.time.run(50);
  const handed = leader.member.handOver('m2');
  const successor = cluster.lives[2]?.member;
  let [stands, awaited]: [string | undefined, boolean | undefined] = [undefined, undefined];
  void handed
    .then(() => leader.member.followedBy(1_000))
    .then((name) => {
      stands = name;
      awaited = successor?.status().awaitsLeader;
    });
  assert.ok(await cluster.time.until(() => stands !== undefined, 1_000));
  assert.deepEqual([stands, awaited], ['m2', true]);
  cluster.check();
});

test('a leader that nobody follows does not wait for that for ever', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  cluster.kill(1);
  cluster.kill(2);
  leader.gone = null;
  await cluster.time.run(50);
  let stands: string | null | undefined = null;
  void leader.member.handOver('m2').then(async () => {
    stands = await leader.member.followedBy(1_000);
  });
  await cluster.time.run(900);
  assert.equal(stands, null);
  await cluster.time.run(500);
  assert.equal(stands, undefined);
});

test('another member leads when the one that a leader named is not there, and the leader knows it', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  cluster.kill(2);
  leader.gone = null;
  await cluster.time.run(50);
  let stands: string | undefined;
  const done = leader.member.handOver('m2').then(async () => {
    stands = await leader.member.followedBy(2_000);
  });
  assert.ok(await cluster.untilTrading(MOST_GAP_MS));
  assert.ok(await cluster.time.until(() => stands === 'm1', 100));
  await done;
  assert.equal(cluster.leader()?.name, 'm1');
  cluster.check();
});

test('a member whose clock is more than a second from the leader lets the others lead, and says so', async () => {
  for (const wallApart of [1_500, -1_500]) {
    const cluster = new TestCluster({ wallsApart: [0, wallApart, 0] });
    await trading(cluster);
    cluster.kill(0);
    assert.ok(await cluster.untilTrading(MOST_GAP_MS));
    assert.equal(cluster.leader()?.name, 'm2');
    const { member, alarms } = cluster.lives[1] as Life;
    const side = wallApart > 0 ? 'ahead' : 'behind';
    assert.match(member.status().notElectable ?? '', new RegExp(`the clock of this member is 1[45]\\d\\d ms ${side}`));
    assert.deepEqual(alarms, ["the clock of this member is not the leader's"]);
    cluster.check();
  }
});

test('a member leads although its clock is not the one of the leader before, when nobody else does', async () => {
  const cluster = new TestCluster({ members: 2, wallsApart: [60_000, 0] });
  await trading(cluster);
  cluster.kill(0);
  await cluster.time.run(2_500);
  assert.equal(cluster.leader(), undefined);
  assert.ok(await cluster.untilTrading(2_000));
  assert.equal(cluster.leader()?.name, 'm1');
});

test('a member whose clock is less than a second off becomes the leader', async () => {
  const cluster = new TestCluster({ wallsApart: [0, 900, 0] });
  await trading(cluster);
  cluster.kill(0);
  assert.ok(await cluster.untilTrading(MOST_GAP_MS));
  assert.equal(cluster.leader()?.name, 'm1');
});

test('a member that cannot read the lanes does not take a silent leader for a dead one', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  for (const lane of cluster.lives[1]?.lanes ?? []) lane.isCut = true;
  await cluster.time.run(5_000);
  assert.equal(cluster.lives[1]?.member.role, 'Follower');
  for (const lane of cluster.lives[1]?.lanes ?? []) lane.isCut = false;
  await cluster.time.run(2_000);
  assert.equal(cluster.leader(), leader);
  assert.equal(cluster.lives[1]?.member.role, 'Follower');
  cluster.check();
});

test('a leader without its lanes answers no reads, although it does not know of a successor', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  for (const lane of leader.lanes) lane.isCut = true;
  assert.ok(await cluster.untilTrading(MOST_GAP_MS));
  assert.equal(leader.member.role, 'Leader');
  assert.equal(leader.member.mayAnswerReads(), false);
  for (const lane of leader.lanes) lane.isCut = false;
  await cluster.time.run(1_000);
  assert.equal(leader.gone?.name, 'Fenced');
  cluster.check();
});

test('a successor that fences a leader which just wrote waits until the lease of that leader is over', async () => {
  const cluster = new TestCluster({ chance: () => 0, members: 2 });
  const leader = await trading(cluster);
  for (const { lanes } of cluster.lives) if (lanes[0]) lanes[0].isCut = true;
  await cluster.time.run(1_000);
  for (const { lanes } of cluster.lives) if (lanes[0]) lanes[0].isCut = false;
  assert.equal(leader.journal?.lane, 'B');
  const { member, lanes } = cluster.lives[1] as Life;
  const [, stale] = lanes;
  assert.ok(stale);
  stale.trouble = { ...NO_TROUBLE, staleRead: 1 };
  assert.ok(await cluster.time.until(() => member.role === 'Candidate', 2_000));
  stale.trouble = NO_TROUBLE;
  await cluster.time.run(10);
  for (const lane of leader.lanes) lane.isCut = true;
  const cutAt = cluster.time.now;
  assert.ok(leader.member.mayAnswerReads());
  assert.ok(await cluster.time.until(() => member.role === 'Leader', 2_000));
  assert.ok(!leader.member.mayAnswerReads());
  assert.ok(cluster.time.now - cutAt >= 500, `${cluster.time.now - cutAt} ms`);
  await cluster.time.run(1_000);
  cluster.check();
});

test('a member that was named a leader ago leaves the leader of the present alone', async () => {
  const cluster = new TestCluster();
  const leader = await trading(cluster);
  for (const lane of cluster.lives[2]?.lanes ?? []) lane.isCut = true;
  leader.gone = null;
  await cluster.time.run(50);
  await Promise.all([leader.member.handOver('m2'), cluster.time.run(50)]);
  assert.ok(await cluster.untilTrading(MOST_GAP_MS));
  assert.equal(cluster.leader()?.name, 'm1');
  for (const lane of cluster.lives[2]?.lanes ?? []) lane.isCut = false;
  await cluster.time.run(2_000);
  assert.equal(cluster.leader()?.name, 'm1');
  assert.equal(cluster.lives[2]?.member.role, 'Follower');
  cluster.check();
});

async function historyOf(records: number, maker = 1): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  while (journal.head().seq < records) await journal.append(groupOf(maker, journal.head().seq + 1, 1));
  return journal;
}

test('a member that lacks a file does not stand, not even when it is named, and says so', async () => {
  let missing: string | undefined = 'a file is not here';
  const cluster = new TestCluster({ lacks: (rank) => (rank === 1 ? missing : undefined) });
  const leader = await trading(cluster);
  assert.equal(cluster.lives[1]?.member.status().notElectable, missing);
  leader.gone = null;
  await cluster.time.run(50);
  await Promise.all([leader.member.handOver('m1'), cluster.time.run(50)]);
  assert.ok(await cluster.untilTrading());
  assert.equal(cluster.leader()?.name, 'm2');
  missing = undefined;
  cluster.kill(2);
  assert.ok(await cluster.untilTrading());
  assert.equal(cluster.leader()?.name, 'm1');
  cluster.check();
});

test('an archive that goes further than the lanes is never led from', async () => {
  const cluster = new TestCluster({ members: 1, archives: [await historyOf(5)] });
  cluster.startAll();
  await cluster.time.run(5_000);
  const { member } = cluster.lives[0] as Life;
  assert.equal(member.role, 'Follower');
  assert.equal(member.status().notElectable, "the lanes do not show the archive's end, sequence 5");
});

test('an archive with another history is refused with its place', async () => {
  const cluster = new TestCluster({ archives: [new MemoryJournal(), new MemoryJournal(), await historyOf(3, 99)] });
  cluster.start(0);
  assert.ok(await cluster.untilTrading());
  await cluster.time.run(500);
  const other = cluster.start(2);
  await cluster.time.run(500);
  assert.equal(other.gone?.name, 'JournalDamaged');
  assert.match(other.gone?.message ?? '', /^lane A, .*last good sequence 3$/);
  assert.equal(cluster.leader()?.name, 'm0');
});

test('a message of a lane that was changed ends a member with its place', async () => {
  const cluster = new TestCluster({ members: 2 });
  await trading(cluster);
  const [log] = cluster.logs;
  const bytes = log?.behind(5)[0]?.bytes ?? new Uint8Array();
  const follower = cluster.lives[1] as Life;
  log?.add(log.end(), Buffer.from(bytes).fill(0xff, 30, 40));
  await cluster.time.run(100);
  assert.equal(follower.gone?.name, 'JournalDamaged');
  assert.match(follower.gone?.message ?? '', /^lane A, offset \d+, sequence \d+: the checksum does not match/);
});

test('a member finds the end of both lanes when they have let go of all that is older than a while', async () => {
  const cluster = new TestCluster({ limits: { restMs: 1_000 } });
  await trading(cluster);
  await cluster.time.run(1_000);
  const ends = cluster.logs.map((log) => log.end());
  await cluster.time.run(3_000);
  for (const [index, log] of cluster.logs.entries()) log.trim(ends[index] ?? 0);
  cluster.kill(1);
  cluster.start(1);
  await cluster.time.run(500);
  assert.equal(cluster.lives[1]?.member.status().notElectable, undefined);
  cluster.kill(0);
  cluster.kill(2);
  assert.ok(await cluster.untilTrading());
  assert.equal(cluster.leader()?.name, 'm1');
});

test('an empty archive is never led from when the lanes have let go of what was first in them', async () => {
  const cluster = new TestCluster();
  await trading(cluster);
  cluster.kill(0);
  cluster.kill(1);
  cluster.kill(2);
  // All that is left is the fence of a leader that died at once: it names no record.
  for (const log of cluster.logs) {
    const end = log.end();
    const fence = {
      type: 'Epoch',
      epoch: 9 as Epoch,
      member: 'm0',
      wall: FIRST_WALL as WallMs,
      handedOver: false,
    } as const;
    log.add(end, encodeMessage(fence));
    log.trim(end);
  }
  cluster.wipe(2);
  cluster.start(2);
  await cluster.time.run(20_000);
  assert.equal(cluster.leader(), undefined);
  assert.match(
    cluster.lives[2]?.member.status().notElectable ?? '',
    /the lanes do not show the archive's end, sequence 0/,
  );
});
