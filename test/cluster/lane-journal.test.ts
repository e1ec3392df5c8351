import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WallMs } from '../../src/base/time.ts';
import { CLUSTER_LIMITS } from '../../src/cluster/cluster-limits.ts';
import type { ClusterTime } from '../../src/cluster/cluster-time.ts';
import { ArchiveWriter } from '../../src/cluster/history/archive-writer.ts';
import { LaneJournal } from '../../src/cluster/lane-journal.ts';
import { MemoryLane, MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { Lease } from '../../src/cluster/leading/lease.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { decodeMessage, encodeMessage } from '../../src/cluster/message-codec.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { FaultyLane } from '../kit/cluster/faulty-lane.ts';
import { VirtualTime, FIRST_WALL as WALL } from '../kit/cluster/virtual-time.ts';
import { journalContract } from '../kit/journal/journal-contract.ts';
import { fill, sampleGroup } from '../kit/journal/sample.ts';

const FIRST_WALL = 1_800_000_000_000;

/** An answer that is on its way comes within fewer turns of the loop. */
const TURNS = 20;

/** A machine that stands still lets no time pass for an answer that is on its way: a timer gives way to it. */
const REAL_TIME: ClusterTime = {
  elapsed: () => performance.now(),
  wall: () => Math.round(FIRST_WALL + performance.now()) as WallMs,
  after: (ms, work) => {
    let isCancelled = false;
    const timer = setTimeout(async () => {
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      if (!isCancelled) work();
    }, ms);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  },
  defer: setImmediate,
};

/** The lanes and the files of one place, which outlast the journals that are opened on them. */
class Place {
  readonly logs = [new MemoryLog('A'), new MemoryLog('B')];
  readonly lanes = this.logs.map((log) => new MemoryLane(log));
  readonly files = new MemoryJournal();
  /** True while the disk has no room: appends wait. */
  isFull = false;
  fencedWith: Error | undefined;
  readonly alarms: string[] = [];
  private epoch = 0;

  open({ archiveBytes = CLUSTER_LIMITS.archiveBytes, partBytes = CLUSTER_LIMITS.partBytes } = {}): LaneJournal {
    this.epoch += 1;
    const epoch = this.epoch as Epoch;
    const time = REAL_TIME;
    return new LaneJournal({
      lanes: this.lanes.map((lane, index) => ({ lane, position: this.fence(epoch, index) })),
      epoch,
      time,
      limits: { ...CLUSTER_LIMITS, partBytes },
      alarm: (words) => this.alarms.push(words),
      archive: new ArchiveWriter({ files: this.openFiles(), time, mostBytes: archiveBytes, failed: assert.ifError }),
      lease: new Lease(time.elapsed, CLUSTER_LIMITS.silenceMs, time.elapsed()),
      fenced: (error) => {
        this.fencedWith = error;
      },
    });
  }

  fence(epoch: number, index: number): number {
    const log = this.logs[index] as MemoryLog;
    const wall = REAL_TIME.wall();
    const bytes = encodeMessage({ type: 'Epoch', epoch: epoch as Epoch, member: 'm', wall, handedOver: false });
    return log.add(log.end(), bytes) ?? 0;
  }

  /** The kinds of messages in a lane. */
  kinds(index: number): string[] {
    const found = this.logs[index]?.behind(0) ?? [];
    return found.map(({ bytes }) => decodeMessage(bytes).type);
  }

  private openFiles(): Journal {
    const { files } = this;
    return {
      name: 'files',
      head: () => files.head(),
      begin: () => files.begin(),
      append: async (group) => {
        while (this.isFull) await new Promise((resolve) => setTimeout(resolve, 5));
        return files.append(group);
      },
      isFull: () => this.isFull,
      groups: (after) => files.groups(after),
      hashAt: (seq) => files.hashAt(seq),
      close: () => Promise.resolve(),
    };
  }
}

const places = new Map<string, Place>();

journalContract({
  name: 'lanes with an archive behind them',
  lasts: true,
  open: (name) => {
    const place = places.get(name) ?? new Place();
    places.set(name, place);
    return Promise.resolve(place.open());
  },
});

test('a group whose answer was lost is stored once, and acknowledged', async () => {
  const place = new Place();
  const journal = place.open();
  await journal.append(sampleGroup(1, 1));
  const [lane] = place.lanes;
  (lane as MemoryLane).faults.deaf = true;
  await journal.append(sampleGroup(2, 2));
  (lane as MemoryLane).faults.deaf = false;
  assert.equal(journal.lane, 'B');
  for (const other of place.lanes) other.faults.deaf = true;
  const appended = journal.append(sampleGroup(4, 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const other of place.lanes) other.faults.deaf = false;
  assert.equal((await appended).seq, 4);
  await journal.append(sampleGroup(5, 1));
  const groups = [0, 1].flatMap((index) =>
    (place.logs[index]?.behind(0) ?? []).flatMap(({ bytes }) => {
      const message = decodeMessage(bytes);
      return message.type === 'Group' ? [`${index} ${message.group.firstSeq}`] : [];
    }),
  );
  assert.equal(new Set(groups).size, groups.length, `${groups}`);
  assert.ok(groups.some((group) => group.endsWith(' 4')));
  await journal.close();
});

test('an append that meets another epoch rejects with Fenced, and so does every later one', async () => {
  const place = new Place();
  const journal = place.open();
  await journal.append(sampleGroup(1, 1));
  place.fence(9, 0);
  await assert.rejects(journal.append(sampleGroup(2, 1)), { name: 'Fenced', message: /epoch 9 has begun at position/ });
  assert.equal(place.fencedWith?.name, 'Fenced');
  assert.equal(journal.head().seq, 1);
  await assert.rejects(journal.append(sampleGroup(2, 1)), { name: 'Fenced' });
  assert.equal(place.logs[0]?.behind(0).length, place.kinds(0).length);
  assert.equal(place.kinds(0).at(-1), 'Epoch');
  await journal.close();
});

test('a leader that has nothing to append finds out that another one leads', async () => {
  const place = new Place();
  const journal = place.open();
  await journal.append(sampleGroup(1, 1));
  place.fence(9, 0);
  for (let waits = 0; waits < 200 && place.fencedWith === undefined; waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.match(String(place.fencedWith), /epoch 9 has begun/);
  await journal.close();
});

test('an idle leader gives signs of life with the end of its history', async () => {
  const place = new Place();
  const journal = place.open();
  const head = await journal.append(sampleGroup(1, 3));
  for (let waits = 0; waits < 200 && place.kinds(0).length < 5; waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await journal.close();
  const beats = (place.logs[0]?.behind(0) ?? []).map(({ bytes }) => decodeMessage(bytes));
  const last = beats.at(-1);
  assert.equal(last?.type, 'Beat');
  assert.deepEqual(last?.type === 'Beat' && last.head, head);
});

test('a leader that fails notes its command behind an append that runs, and writes nothing more', async () => {
  const place = new Place();
  const journal = place.open();
  const appended = journal.append(sampleGroup(1, 3));
  await journal.noteFatal('ab'.repeat(32));
  assert.equal((await appended).seq, 3, 'what was under way is durable');
  await assert.rejects(journal.append(sampleGroup(4, 1)), { name: 'Fenced' });
  await new Promise((resolve) => setTimeout(resolve, 2 * CLUSTER_LIMITS.beatMs));
  assert.equal(place.kinds(0).at(-1), 'Fatal');
  assert.equal(place.fencedWith, undefined);
});

test('a full disk of the archive does not stop a leader before the room in memory is used up', async () => {
  const place = new Place();
  const journal = place.open({ archiveBytes: 10_000 });
  await fill(journal, 10);
  place.isFull = true;
  for (let seq = 11; !journal.isFull(); seq += 1) await journal.append(sampleGroup(seq, 1));
  const head = journal.head();
  assert.ok(head.seq > 40, `${head.seq}`);
  assert.ok(journal.archived().seq < head.seq);
  const groups = [...journal.groups(0)];
  assert.equal(groups.at(-1)?.hash, head.hash);
  assert.equal(
    groups.reduce((sum, { count }) => sum + count, 0),
    head.seq,
  );
  assert.equal(journal.hashAt(head.seq), head.hash);
  place.isFull = false;
  await journal.close();
  assert.deepEqual(place.files.head(), head);
});

test('a journal closes although its disk has no room for the archive', async () => {
  const place = new Place();
  const journal = place.open();
  place.isFull = true;
  const head = await journal.append(sampleGroup(1, 1));
  await journal.close();
  assert.equal(place.files.head().seq, 0);
  place.isFull = false;
  assert.equal(head.seq, 1);
});

/** The first numbers of the whole groups of a lane, as often as they are there. */
function wholeGroups(place: Place, index: number): number[] {
  const messages = (place.logs[index]?.behind(0) ?? []).map(({ bytes }) => decodeMessage(bytes));
  return messages.flatMap((message) => {
    return message.type === 'Group' && message.part === message.parts - 1 ? [message.group.firstSeq] : [];
  });
}

test('a group in parts whose last answer was lost is in its lane once', async () => {
  const place = new Place();
  const journal = place.open({ partBytes: 50 });
  const [first, second] = place.lanes as [MemoryLane, MemoryLane];
  await journal.append(sampleGroup(1, 1));
  const parts = (place.logs[0]?.behind(0) ?? []).filter(({ bytes }) => decodeMessage(bytes).type === 'Group').length;
  assert.ok(parts > 2, `${parts} parts`);
  second.faults.cut = true;
  const append = first.append.bind(first);
  let appends = 0;
  first.append = async (expectedLast, bytes) => {
    const { type } = decodeMessage(bytes);
    const outcome = await append(expectedLast, bytes);
    if (type === 'Group') appends += 1;
    return type === 'Group' && appends === parts ? { type: 'Unknown' } : outcome;
  };
  assert.equal((await journal.append(sampleGroup(2, 1))).seq, 2);
  assert.ok(appends > parts);
  assert.deepEqual(wholeGroups(place, 0), [1, 2]);
  await journal.close();
});

test('a group whose answer came after its leader had left the lane is in that lane once', async () => {
  const place = new Place();
  const journal = place.open();
  const [first, second] = place.lanes as [MemoryLane, MemoryLane];
  await journal.append(sampleGroup(1, 1));
  second.faults.cut = true;
  const append = first.append.bind(first);
  let isSlow = true;
  first.append = async (expectedLast, bytes) => {
    const outcome = await append(expectedLast, bytes);
    if (isSlow && decodeMessage(bytes).type === 'Group') await new Promise((resolve) => setTimeout(resolve, 300));
    isSlow = false;
    return outcome;
  };
  assert.equal((await journal.append(sampleGroup(2, 1))).seq, 2);
  assert.deepEqual(wholeGroups(place, 0), [1, 2]);
  await journal.close();
});

test('a group that is larger than a message goes in parts, and comes back as one', async () => {
  const place = new Place();
  const journal = place.open();
  const body = 'x'.repeat(7 * 1024 * 1024);
  const head = await journal.append({ version: 1, firstSeq: 1, count: 1, body });
  const parts = (place.logs[0]?.behind(1) ?? []).length;
  assert.ok(parts >= 1);
  const [group] = journal.groups(0);
  assert.equal(group?.hash, head.hash);
  assert.equal(Buffer.from(group?.body ?? '').toString(), body);
  await journal.close();
});

test('a leader that leaves its lane goes on in the other one with the next group, without an alarm', async () => {
  const place = new Place();
  const journal = place.open();
  await journal.append(sampleGroup(1, 1));
  journal.leaveLane();
  await journal.append(sampleGroup(2, 1));
  await journal.append(sampleGroup(3, 1));
  assert.equal(journal.lane, 'B');
  assert.deepEqual(place.alarms, []);
  journal.leaveLane();
  await journal.append(sampleGroup(4, 1));
  const groups = (index: number): number => place.kinds(index).filter((kind) => kind === 'Group').length;
  assert.deepEqual([journal.lane, groups(0), groups(1)], ['A', 2, 2]);
  await journal.close();
});

test('a sign of life that was stored once does not renew the lease twice, when the wall clock stands still', async () => {
  const time = new VirtualTime();
  const logs = [new MemoryLog('A'), new MemoryLog('B')];
  const parts = { time, chance: () => 0.5, isFrozen: () => false };
  const [first, second] = logs.map((log) => new FaultyLane({ log, ...parts })) as [FaultyLane, FaultyLane];
  // Equal instants and an equal end of the history give equal bytes.
  const steady = { ...time.of(), wall: () => WALL as WallMs };
  const lease = new Lease(steady.elapsed, CLUSTER_LIMITS.silenceMs, 0);
  const files = new MemoryJournal();
  const archive = new ArchiveWriter({ files, time: steady, mostBytes: 1_000, failed: assert.ifError });
  const lanes = [first, second].map((lane) => ({ lane, position: 0 }));
  const said = { alarm: () => undefined, fenced: assert.ifError };
  new LaneJournal({ lanes, epoch: 1 as Epoch, time: steady, limits: CLUSTER_LIMITS, archive, lease, ...said });

  first.trouble = { ...first.trouble, lostAnswer: 1 };
  await time.run(1_000);
  assert.deepEqual([logs[0]?.end(), (logs[1]?.end() ?? 0) > 1], [1, true], 'the first answer was lost, B is used');
  first.trouble = { ...first.trouble, lostAnswer: 0 };
  second.isCut = true;
  const stored = time.now;
  const append = first.append.bind(first);
  let appends = 0;
  first.append = (expectedLast, bytes) => {
    appends += 1;
    first.isCut = appends > 1;
    return append(expectedLast, bytes);
  };
  assert.ok(await time.until(() => first.isCut, 1_000), 'A is tried again, and shows what was stored at first');
  await time.run(stored + 0.9 * CLUSTER_LIMITS.silenceMs - time.now);
  assert.equal(lease.isHeld, false, 'nothing was stored for nine tenths of a silence');
});
