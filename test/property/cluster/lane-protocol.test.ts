import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendOutcome, Lane } from '../../../src/cluster/lanes/lane.ts';
import type { MemoryLog } from '../../../src/cluster/lanes/memory-lane.ts';
import { decodeMessage } from '../../../src/cluster/message-codec.ts';
import { endure } from '../../kit/cluster/chaos.ts';
import type { FaultyLane } from '../../kit/cluster/faulty-lane.ts';
import { type ClusterOptions, type Life, TestCluster } from '../../kit/cluster/test-cluster.ts';

/** Clusters that live through faults, each from a seed of its own. */
const LIVES = 2;
/** A control has to fail within this number of lives. */
const LIVES_OF_A_CONTROL = 20;
/** The first seed whose faults need the fence of both lanes. */
const FAILS_ONE_FENCE = 4;

for (const lanes of [1, 2]) {
  test(`kills, pauses, cuts and lost answers lose nothing that was acknowledged, ${lanes} lanes`, async () => {
    let acknowledged = 0;
    let epochs = 0;
    for (let seed = 1; seed <= LIVES; seed += 1) {
      // Every other life has groups that go in several messages.
      const outcome = await endure(seed, { lanes, ...(seed % 2 === 0 && { limits: { partBytes: 150 } }) });
      acknowledged += outcome.acknowledged;
      epochs += outcome.epochs;
    }
    assert.ok(acknowledged > 100 * LIVES, `${acknowledged} groups`);
    assert.ok(epochs >= 2 * LIVES, `${epochs} epochs`);
  });
}

/** A lane that changes the appends of one member. */
function changed(lane: FaultyLane, append: Lane['append']): Lane {
  return {
    name: lane.name,
    append,
    read: (after) => lane.read(after),
    last: () => lane.last(),
    close: () => lane.close(),
  };
}

/** The log takes every message after its last one, whatever its writer expects. */
function withoutExpectation(lane: FaultyLane, log: MemoryLog): Lane {
  return changed(lane, (_expected, bytes) => lane.append(log.end(), bytes));
}

/** A fence of this lane is answered as stored, and is not. */
function withoutFence(lane: FaultyLane, log: MemoryLog): Lane {
  return changed(lane, (expected, bytes) => {
    if (decodeMessage(bytes).type !== 'Epoch') return lane.append(expected, bytes);
    const stored: AppendOutcome = { type: 'Stored', position: log.end() };
    return Promise.resolve(stored);
  });
}

/** The words about a history that is no longer one, or that lacks something. */
const SPLIT = /a message of epoch|acknowledged \d|chain hash|follows \d+ in its lane|another history|two contents/;

async function firstFailure(options: ClusterOptions, from = 1): Promise<string | undefined> {
  for (let seed = from; seed < from + LIVES_OF_A_CONTROL; seed += 1) {
    try {
      await endure(seed, options);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return undefined;
}

test('control: a log without expected positions is found out', async () => {
  const failure = await firstFailure({
    seenBy: (_rank, lanes, logs) => lanes.map((lane, index) => withoutExpectation(lane, logs[index] as MemoryLog)),
  });
  assert.match(failure ?? 'nothing was found', SPLIT);
});

test('control: a successor that fences one lane only loses or doubles what was acknowledged', async () => {
  const seenBy: ClusterOptions['seenBy'] = (_rank, lanes, logs) =>
    lanes.map((lane, index) => (index === 1 ? withoutFence(lane, logs[1] as MemoryLog) : lane));
  const failure = await firstFailure({ seenBy }, FAILS_ONE_FENCE);
  assert.match(failure ?? 'nothing was found', SPLIT);
});

/** A cluster whose two followers become candidates at the same moment, again and again. */
async function duel(seenBy: ClusterOptions['seenBy']): Promise<boolean> {
  const cluster = new TestCluster({ limits: { staggerMs: 0 }, ...(seenBy && { seenBy }) });
  cluster.startAll();
  assert.ok(await cluster.untilTrading(30_000));
  await cluster.time.run(500);
  const leader = cluster.leader() as Life;
  cluster.kill(cluster.lives.indexOf(leader));
  const isTrading = await cluster.untilTrading(10_000);
  cluster.check();
  return isTrading;
}

test('of candidates that begin together one leads, since all of them fence the same lane first', async () => {
  assert.ok(await duel(undefined));
});

test('control: candidates that begin with different lanes fence each other for ever', async () => {
  const crossed: ClusterOptions['seenBy'] = (rank, lanes) => (rank === 2 ? lanes.toReversed() : lanes);
  assert.ok(!(await duel(crossed)));
});

test('control: a leader that answers reads without a lease answers behind its successor', async () => {
  const cluster = new TestCluster({ answersAlways: true });
  cluster.startAll();
  assert.ok(await cluster.untilTrading());
  for (const lane of cluster.leader()?.lanes ?? []) lane.isCut = true;
  assert.ok(await cluster.untilTrading());
  assert.throws(() => cluster.check(), /m0 of epoch 1 answers reads after epoch 2 acknowledged/);
});

test('control: without the clock guard a member leads whose clock is wrong', async () => {
  const cluster = new TestCluster({ wallsApart: [0, 60_000, 0], limits: { clockApartMs: Number.POSITIVE_INFINITY } });
  cluster.startAll();
  assert.ok(await cluster.untilTrading());
  await cluster.time.run(1_000);
  cluster.kill(0);
  assert.ok(await cluster.untilTrading());
  assert.equal(cluster.leader()?.name, 'm1');
});
