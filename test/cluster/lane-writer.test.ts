import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { CLUSTER_LIMITS } from '../../src/cluster/cluster-limits.ts';
import type { AppendOutcome } from '../../src/cluster/lanes/lane.ts';
import { MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { LaneWriter } from '../../src/cluster/leading/lane-writer.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { encodeGroupMessages, encodeMessage } from '../../src/cluster/message-codec.ts';
import { pause } from '../../src/cluster/patience.ts';
import { GENESIS } from '../../src/journal/chain.ts';
import { FaultyLane, type FaultyLaneParts, NO_TROUBLE } from '../kit/cluster/faulty-lane.ts';
import { VirtualTime, FIRST_WALL as WALL } from '../kit/cluster/virtual-time.ts';

const { giveUpMs, leastGiveUpMs } = CLUSTER_LIMITS;
const EPOCH = 1 as Epoch;
/** A lane in memory stores a message and answers in this time, in milliseconds. */
const ANSWER_MS = 5;
const SLOW = { ...NO_TROUBLE, slowAppend: 1 };
/** More messages than it takes until an answer time is the usual one. */
const MANY = 40;

/** A lane over a lane in memory that takes its time for each append. */
class SlowLane extends FaultyLane {
  ms = 0;
  private readonly time: VirtualTime;

  constructor(parts: FaultyLaneParts) {
    super(parts);
    this.time = parts.time;
  }

  override async append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    const outcome = await super.append(expectedLast, bytes);
    await pause(this.time.of(), this.ms);
    return outcome;
  }
}

/** A writer over lanes, and a way to see how long each write takes in virtual milliseconds. */
function scene(lanes = 2) {
  const time = new VirtualTime();
  const logs = ['A', 'B'].slice(0, lanes).map((name) => new MemoryLog(name));
  const slow = logs.map((log) => new SlowLane({ log, time, chance: () => 0.5, isFrozen: () => false }));
  const writer = new LaneWriter({
    lanes: slow.map((lane) => ({ lane, position: 0 })),
    epoch: EPOCH,
    time: time.of(),
    limits: CLUSTER_LIMITS,
    alarm: () => undefined,
  });
  let wall = WALL;
  const beat = (): Uint8Array => {
    wall += 1;
    return encodeMessage({ type: 'Beat', epoch: EPOCH, wall: wall as WallMs, head: GENESIS });
  };
  const write = async (message = beat()): Promise<number> => {
    const began = time.now;
    let ms = Number.NaN;
    void writer.write([message]).then(() => {
      ms = time.now - began;
    });
    await time.run(8 * giveUpMs);
    return ms;
  };
  const [first, second] = slow as [SlowLane, SlowLane];
  return { writer, first, second, logs, time, beat, write };
}

function assertNear(ms: number, wanted: number): void {
  assert.ok(ms >= wanted && ms < wanted + 3 * ANSWER_MS, `${ms} ms and not ${wanted}`);
}

test('a slow lane is left soon while the log answers quickly, also later than with the first write', async () => {
  const { writer, first, logs, write } = scene();
  for (let round = 0; round < 3; round += 1) {
    first.trouble = SLOW;
    assertNear(await write(), leastGiveUpMs);
    assert.equal(writer.lane, 'B');
    first.trouble = NO_TROUBLE;
    writer.leaveLane();
    await write();
    assert.equal(writer.lane, 'A');
  }
  assert.ok((logs[0]?.end() ?? 0) >= 6, 'the slow lane stores the messages that were left behind');
});

test('a leader is patient with a log that takes long for each message, and with a long message', async () => {
  const { writer, first, second, write } = scene();
  first.ms = second.ms = leastGiveUpMs - 2 * ANSWER_MS;
  for (let count = 0; count < MANY; count += 1) await write();
  assert.equal(writer.lane, 'A');
  first.trouble = SLOW;
  assertNear(await write(), giveUpMs + second.ms);
  assert.equal(writer.lane, 'B');

  const quick = scene();
  quick.first.trouble = SLOW;
  const records = Buffer.alloc(1024 * 1024);
  const group = { version: 1, firstSeq: 1, count: 1, body: records, hash: GENESIS.hash };
  const [long] = encodeGroupMessages({ epoch: EPOCH, wall: WALL as WallMs }, group, GENESIS.hash, 2 * records.length);
  assertNear(await quick.write(long), giveUpMs);
});

test('a leader with one lane waits for it', async () => {
  const { first, logs, write } = scene(1);
  first.ms = giveUpMs - 2 * ANSWER_MS;
  assertNear(await write(), first.ms);
  assert.equal(logs[0]?.end(), 1);
});

test('of two slow lanes the one that answers first counts', async () => {
  const { writer, first, second, write } = scene();
  first.ms = giveUpMs - 2 * ANSWER_MS;
  second.ms = leastGiveUpMs + 2 * ANSWER_MS;
  assertNear(await write(), leastGiveUpMs + second.ms);
  assert.equal(writer.lane, 'B');
});

test('a sign of life in a slow lane does not hold up the group behind it', async () => {
  const { writer, first, beat, time } = scene();
  first.trouble = SLOW;
  let isWanted = true;
  let ms = Number.NaN;
  const began = time.now;
  const written = writer
    .write([beat()], () => isWanted)
    .then(async (isStored) => {
      assert.equal(isStored, false);
      await writer.write([beat()]);
      ms = time.now - began;
    });
  isWanted = false;
  await time.run(8 * giveUpMs);
  await written;
  assertNear(ms, leastGiveUpMs);
});
