import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { CLUSTER_LIMITS } from '../../src/cluster/cluster-limits.ts';
import { MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { LaneWriter } from '../../src/cluster/leading/lane-writer.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { encodeMessage } from '../../src/cluster/message-codec.ts';
import { GENESIS } from '../../src/journal/chain.ts';
import { FaultyLane, NO_TROUBLE } from '../kit/cluster/faulty-lane.ts';
import { VirtualTime, FIRST_WALL as WALL } from '../kit/cluster/virtual-time.ts';

const { giveUpMs, hurryMs } = CLUSTER_LIMITS;
const EPOCH = 1 as Epoch;
/** A lane in memory stores a message and answers in this time, in milliseconds. */
const ANSWER_MS = 5;
const SLOW = { ...NO_TROUBLE, slowAppend: 1 };

/** A writer over two lanes, and a way to see how long each write takes in virtual milliseconds. */
function scene() {
  const time = new VirtualTime();
  const logs = [new MemoryLog('A'), new MemoryLog('B')];
  const [first, second] = logs.map(
    (log) => new FaultyLane({ log, time, chance: () => 0.5, isFrozen: () => false }),
  ) as [FaultyLane, FaultyLane];
  const writer = new LaneWriter({
    lanes: [first, second].map((lane) => ({ lane, position: 0 })),
    epoch: EPOCH,
    time: time.of(),
    limits: CLUSTER_LIMITS,
    alarm: () => undefined,
  });
  let wall = WALL;
  const write = async (meanwhile: () => void = () => undefined): Promise<number> => {
    const began = time.now;
    wall += 1;
    let ms = Number.NaN;
    void writer.write([encodeMessage({ type: 'Beat', epoch: EPOCH, wall: wall as WallMs, head: GENESIS })]).then(() => {
      ms = time.now - began;
    });
    await time.run(hurryMs / 4);
    meanwhile();
    await time.run(4 * giveUpMs);
    return ms;
  };
  return { writer, first, logs, write };
}

test('a slow lane is left after a quarter of a second, and sooner with the first write of a leader', async () => {
  const { writer, first, write } = scene();
  first.trouble = SLOW;
  const hurried = await write();
  assert.ok(hurried >= hurryMs && hurried < hurryMs + 2 * ANSWER_MS, `${hurried} ms`);
  assert.equal(writer.lane, 'B');
  first.trouble = NO_TROUBLE;
  writer.leaveLane();
  await write();
  assert.equal(writer.lane, 'A');
  first.trouble = SLOW;
  const patient = await write();
  assert.ok(patient >= giveUpMs && patient < giveUpMs + 2 * ANSWER_MS, `${patient} ms`);
});

test('a leader that gives its place away leaves a slow lane sooner, also with the write that runs', async () => {
  const { writer, first, logs, write } = scene();
  await write();
  first.trouble = SLOW;
  const running = await write(() => writer.hurry());
  assert.ok(running >= hurryMs && running < hurryMs + 2 * ANSWER_MS, `${running} ms`);
  assert.equal(writer.lane, 'B');
  first.trouble = NO_TROUBLE;
  writer.leaveLane();
  await write();
  first.trouble = SLOW;
  const next = await write();
  assert.ok(next >= hurryMs && next < hurryMs + 2 * ANSWER_MS, `${next} ms`);
  assert.ok((logs[0]?.end() ?? 0) > 2, 'the slow lane stores what was left behind');
});
