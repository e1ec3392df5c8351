import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { CLUSTER_LIMITS } from '../../src/cluster/cluster-limits.ts';
import { SharedHistory } from '../../src/cluster/history/shared-history.ts';
import {
  type AppendOutcome,
  appendPatienceMs,
  LANE_PATIENCE_MS,
  type LaneMessage,
} from '../../src/cluster/lanes/lane.ts';
import { MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { LaneWriter } from '../../src/cluster/leading/lane-writer.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { encodeGroupMessages, encodeMessage } from '../../src/cluster/message-codec.ts';
import { pause, withPatience } from '../../src/cluster/patience.ts';
import { chainHash, GENESIS, lastSeq } from '../../src/journal/chain.ts';
import type { Head } from '../../src/journal/journal.ts';
import { FaultyLane, type FaultyLaneParts, NO_TROUBLE } from '../kit/cluster/faulty-lane.ts';
import { VirtualTime, FIRST_WALL as WALL } from '../kit/cluster/virtual-time.ts';

const { giveUpMs, leastGiveUpMs } = CLUSTER_LIMITS;
const EPOCH = 1 as Epoch;
const MIB = 1024 * 1024;
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

/** A lane that takes `msOfMiB` to store a MiB, whose answer is lost when that is longer than `patienceMs`. */
class NarrowLane extends FaultyLane {
  msOfMiB = 0;
  patienceMs = appendPatienceMs;
  sent = 0;
  private readonly time: VirtualTime;

  constructor(parts: FaultyLaneParts) {
    super(parts);
    this.time = parts.time;
  }

  override append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    this.sent += 1;
    const patience = this.patienceMs(bytes.length);
    const unknown: AppendOutcome = { type: 'Unknown' };
    return withPatience(this.time.of(), patience, this.flushed(expectedLast, bytes), unknown);
  }

  /** A message that is not taken needs no flush. */
  private async flushed(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    const isTaken = (await this.last()) === expectedLast;
    if (isTaken) await pause(this.time.of(), (bytes.length / MIB) * this.msOfMiB);
    return super.append(expectedLast, bytes);
  }
}

function writerOver(lanes: readonly FaultyLane[], time: VirtualTime): LaneWriter {
  return new LaneWriter({
    lanes: lanes.map((lane) => ({ lane, position: 0 })),
    epoch: EPOCH,
    time: time.of(),
    limits: CLUSTER_LIMITS,
    alarm: () => undefined,
  });
}

/** A writer over two narrow lanes, a group of five parts of 3 MiB, and the history that a member reads of them. */
function narrowScene() {
  const time = new VirtualTime();
  const logs = ['A', 'B'].map((name) => new MemoryLog(name));
  const lanes = logs.map((log) => new NarrowLane({ log, time, chance: () => 0.5, isFrozen: () => false }));
  const writer = writerOver(lanes, time);
  let head: Head = GENESIS;
  const hashes = [GENESIS.hash];
  const nextParts = (): Uint8Array[] => {
    const group = { version: 1, firstSeq: head.seq + 1, count: 1, body: Buffer.alloc(15 * MIB, head.seq) };
    head = { seq: head.seq + 1, hash: chainHash(head.hash, group) };
    hashes.push(head.hash);
    return encodeGroupMessages({ epoch: EPOCH, wall: WALL as WallMs }, group, head.hash, 3 * MIB);
  };
  /** The last numbers of the groups that a member reads. */
  const given = (): number[] => {
    const history = new SharedHistory({
      head: GENESIS,
      lanes: ['A', 'B'],
      hashAt: (seq) => hashes[seq],
      begin: () => 0,
    });
    const seqs: number[] = [];
    for (const [lane, log] of logs.entries()) {
      for (let at = 0; at < log.end(); at += 1) {
        history.take(lane, log.behind(at)[0] as LaneMessage);
        for (let group = history.next(); group !== undefined; group = history.next()) seqs.push(lastSeq(group));
      }
    }
    return seqs;
  };
  return { time, lanes, writer, nextParts, given };
}

/** A writer over lanes, and a way to see how long each write takes in virtual milliseconds. */
function scene(lanes = 2) {
  const time = new VirtualTime();
  const logs = ['A', 'B'].slice(0, lanes).map((name) => new MemoryLog(name));
  const slow = logs.map((log) => new SlowLane({ log, time, chance: () => 0.5, isFrozen: () => false }));
  const writer = writerOver(slow, time);
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

test('a group in parts of which each takes longer than a leader waits is stored, and each part is sent once', async () => {
  const { time, lanes, writer, nextParts, given } = narrowScene();
  for (const lane of lanes) lane.msOfMiB = 100;
  for (const seq of [1, 2]) {
    for (const lane of lanes) lane.sent = 0;
    const parts = nextParts();
    let isStored = false;
    void writer.write(parts).then(() => {
      isStored = true;
    });
    assert.ok(await time.until(() => isStored, 3 * parts.length * giveUpMs), `group ${seq}`);
    assert.ok(
      lanes.every(({ sent }) => sent <= parts.length),
      `${lanes.map(({ sent }) => sent)} messages were sent`,
    );
    assert.equal(given().at(-1), seq);
  }
  assert.deepEqual(given(), [1, 2]);
});

test('a leader that gets no answer for any part goes on with the first one that it does not find', async () => {
  const { time, lanes, writer, nextParts, given } = narrowScene();
  for (const lane of lanes) {
    lane.msOfMiB = 100;
    lane.patienceMs = () => LANE_PATIENCE_MS;
  }
  const parts = nextParts();
  let isStored = false;
  void writer.write(parts).then(() => {
    isStored = true;
  });
  assert.ok(await time.until(() => isStored, 6 * parts.length * giveUpMs));
  assert.deepEqual(given(), [1]);
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
