import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { findFence } from '../../src/cluster/history/find-fence.ts';
import { findStart } from '../../src/cluster/history/find-start.ts';
import { SharedHistory } from '../../src/cluster/history/shared-history.ts';
import { MemoryLane, MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import { encodeGroupMessages, encodeMessage } from '../../src/cluster/message-codec.ts';
import { chainHash, GENESIS } from '../../src/journal/chain.ts';
import type { Head } from '../../src/journal/journal.ts';
import { groupOf } from '../kit/cluster/test-cluster.ts';

const wall = 1_800_000_000_000 as WallMs;

/** The messages that a leader would write, as a test puts them into lanes. */
class Writer {
  head: Head = GENESIS;
  readonly hashes = new Map<number, string>([[0, GENESIS.hash]]);

  fence(epoch: number): Uint8Array {
    return encodeMessage({ type: 'Epoch', epoch: epoch as Epoch, wall, member: `m${epoch}`, handedOver: false });
  }

  beat(epoch: number, head: Head = this.head): Uint8Array {
    return encodeMessage({ type: 'Beat', epoch: epoch as Epoch, wall, head });
  }

  /** The messages of the next group. */
  next(epoch: number, count = 1, partBytes = 1_000_000): Uint8Array[] {
    const group = groupOf(epoch, this.head.seq + 1, count);
    const hash = chainHash(this.head.hash, group);
    this.head = { seq: this.head.seq + count, hash };
    this.hashes.set(this.head.seq, hash);
    return encodeGroupMessages({ epoch: epoch as Epoch, wall }, group, hash, partBytes);
  }
}

/** A reader of two lanes, and the last numbers of the groups that it has given. */
class Reader {
  readonly given: number[] = [];
  readonly history: SharedHistory;
  private readonly positions = [0, 0];

  constructor(head: Head = GENESIS, hashes: ReadonlyMap<number, string> = new Map()) {
    const own = new Map(hashes);
    this.history = new SharedHistory({
      head,
      lanes: ['A', 'B'],
      hashAt: (seq) => own.get(seq),
      begin: () => 0,
    });
    this.keep = (seq, hash): void => {
      own.set(seq, hash);
    };
  }

  take(lane: 0 | 1, ...messages: Uint8Array[]): void {
    for (const bytes of messages) {
      this.positions[lane] = (this.positions[lane] ?? 0) + 1;
      this.history.take(lane, { position: this.positions[lane] ?? 0, bytes });
      for (let group = this.history.next(); group !== undefined; group = this.history.next()) {
        const last = group.firstSeq + group.count - 1;
        this.given.push(last);
        this.keep(last, group.hash);
      }
    }
  }

  private readonly keep: (seq: number, hash: string) => void;
}

describe('one history out of two lanes', () => {
  it('takes groups in the order of their numbers, whichever lane they are in', () => {
    const writer = new Writer();
    const [one, two, three, four] = [writer.next(1), writer.next(1, 2), writer.next(1), writer.next(1)];
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...one, ...four);
    assert.deepEqual(reader.given, [1]);
    assert.ok(reader.history.hasHole);
    reader.take(1, writer.fence(1), ...two, ...three);
    assert.deepEqual(reader.given, [1, 3, 4, 5]);
    assert.ok(!reader.history.hasHole);
    assert.deepEqual(reader.history.head, writer.head);
    assert.deepEqual([reader.history.epoch, reader.history.leader], [1, 'm1']);
  });

  it('takes a group once that lies in both lanes', () => {
    const writer = new Writer();
    const [one, two] = [writer.next(1), writer.next(1)];
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...one, ...two);
    reader.take(1, writer.fence(1), ...one, ...two, ...writer.next(1));
    assert.deepEqual(reader.given, [1, 2, 3]);
  });

  it('refuses two contents for one number', () => {
    const [writer, other] = [new Writer(), new Writer()];
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...writer.next(1));
    const fork = other.next(2);
    assert.throws(() => reader.take(1, writer.fence(2), ...fork), {
      name: 'JournalDamaged',
      message: /^lane B, sequence 1: two contents for 1; last good sequence 1/,
    });
  });

  it('refuses a group that overlaps another one', () => {
    const [writer, other] = [new Writer(), new Writer()];
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...writer.next(1));
    assert.throws(() => reader.take(1, writer.fence(2), ...other.next(2, 2)), /a group that starts with 1 follows/);
  });

  it('refuses a hole that neither lane can fill', () => {
    const writer = new Writer();
    const [one] = [writer.next(1)];
    writer.next(1);
    const [three, four] = [writer.next(1), writer.next(1)];
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...one, ...three);
    assert.throws(() => reader.take(1, writer.fence(1), ...four), /sequence 2: the groups up to 2 lie in no lane/);
  });

  it('says that an archive which the lanes do not reach back to needs a backup', () => {
    const writer = new Writer();
    writer.next(1);
    const [two, three] = [writer.next(1), writer.next(1)];
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...two);
    assert.throws(() => reader.take(1, writer.fence(1), ...three), /archive is too old for them and needs a backup/);
  });

  it('refuses messages of an epoch that has not begun in the lane, and epochs that do not rise', () => {
    const writer = new Writer();
    const reader = new Reader();
    reader.take(0, writer.fence(2));
    assert.throws(() => reader.take(0, ...writer.next(1)), /offset 2, .*a message of epoch 1 in epoch 2/);
    assert.throws(() => new Reader().take(0, writer.fence(2), writer.fence(2)), /epoch 2 begins after epoch 2/);
  });

  it('refuses a leader whose history is another one', () => {
    const writer = new Writer();
    const reader = new Reader();
    reader.take(0, writer.fence(1), ...writer.next(1), writer.beat(1));
    assert.throws(() => reader.take(0, writer.beat(1, { seq: 1, hash: 'f'.repeat(64) })), /another history at 1/);
  });

  it('puts a group together that came in parts, and forgets one that its leader did not end', () => {
    const writer = new Writer();
    const reader = new Reader();
    const large = writer.next(1, 3, 100);
    assert.ok(large.length > 3);
    reader.take(0, writer.fence(1), ...large.slice(0, 2));
    reader.take(1, writer.fence(1), ...large, ...writer.next(1));
    reader.take(0, ...large);
    const again = writer.next(1, 2, 100);
    reader.take(0, ...again.slice(0, 1), writer.beat(1));
    reader.take(0, ...again);
    assert.deepEqual(reader.given, [3, 4, 6]);
  });

  it('knows whether the lanes hold the end of an archive', () => {
    const writer = new Writer();
    const [one, two] = [writer.next(1), writer.next(1)];
    const { head } = writer;
    const first = new Reader(head, writer.hashes);
    first.take(0, writer.fence(1), ...one);
    assert.ok(!first.history.isShared);
    first.take(0, ...two);
    assert.ok(first.history.isShared);
    const second = new Reader(head, writer.hashes);
    second.take(0, writer.beat(1));
    assert.ok(second.history.isShared);
    const third = new Reader(head, writer.hashes);
    third.take(0, ...writer.next(1));
    assert.ok(third.history.isShared);
  });
});

describe('the place in a lane from which a member reads', () => {
  it('is found by halving, with few reads, and never behind the archive', async () => {
    const log = new MemoryLog('A');
    const writer = new Writer();
    const ends: number[] = [];
    const add = (...messages: Uint8Array[]): void => {
      for (const bytes of messages) {
        log.add(log.end(), bytes);
        ends[log.end()] = writer.head.seq;
      }
    };
    for (let epoch = 1; epoch <= 3; epoch += 1) {
      add(writer.fence(epoch));
      for (let group = 0; group < 100; group += 1) add(...writer.next(epoch, (group % 3) + 1), writer.beat(epoch));
    }
    log.trim(40);
    const lane = new MemoryLane(log);
    let reads = 0;
    const read = lane.read.bind(lane);
    lane.read = (after): ReturnType<typeof read> => {
      reads += 1;
      return read(after);
    };
    for (let seq = -1; seq <= writer.head.seq; seq += 7) {
      reads = 0;
      const start = await findStart(lane, seq);
      assert.ok(reads <= 12, `${reads} reads`);
      assert.ok(start === 40 || (ends[start] ?? 0) <= seq, `${start} for ${seq}`);
      assert.ok(start >= log.end() - 1 || (ends[start + 3] ?? 0) > seq, `${start} for ${seq} is early`);
    }
    assert.equal(await findStart(new MemoryLane(new MemoryLog('B')), 5), 0);
  });

  it('has the fence of its epoch in front of it, which is found by halving while the lane keeps it', async () => {
    const log = new MemoryLog('A');
    const writer = new Writer();
    const add = (...messages: Uint8Array[]): void => {
      for (const bytes of messages) log.add(log.end(), bytes);
    };
    const fences: number[] = [];
    for (let epoch = 1; epoch <= 3; epoch += 1) {
      add(writer.fence(epoch));
      fences[epoch] = log.end();
      for (let group = 0; group < 100; group += 1) add(...writer.next(epoch), writer.beat(epoch));
    }
    const lane = new MemoryLane(log);
    for (let after = 0; after < log.end(); after += 23) {
      const fence = await findFence(lane, after);
      const epoch = fences.findLastIndex((position) => position <= after);
      const isMet = fences.includes(after + 1);
      assert.deepEqual(
        fence && [fence.epoch, fence.member, fence.position],
        isMet ? undefined : [epoch, `m${epoch}`, fences[epoch]],
      );
    }
    assert.equal(await findFence(lane, log.end()), undefined, 'nothing is behind the end');
    log.trim(fences[3] as number);
    assert.equal(await findFence(lane, log.end() - 1), undefined, 'the fence is gone');
  });
});
