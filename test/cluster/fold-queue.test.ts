import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { FoldQueue } from '../../src/cluster/history/fold-queue.ts';
import { groupOf, SumReplica } from '../kit/cluster/test-cluster.ts';

/** A loop whose clock goes on by a millisecond at each look, and whose turns a test takes one by one. */
function slowLoop() {
  let now = 0;
  let deferred: (() => void)[] = [];
  return {
    time: {
      elapsed: () => {
        now += 1;
        return now;
      },
      wall: () => 0 as WallMs,
      after: () => () => undefined,
      defer: (work: () => void) => deferred.push(work),
    },
    turn: (): boolean => {
      const work = deferred;
      deferred = [];
      for (const one of work) one();
      return work.length > 0;
    },
  };
}

function storedGroup(firstSeq: number, count: number, body?: string) {
  const group = groupOf(1, firstSeq, count);
  return { ...group, body: Buffer.from(body ?? group.body), hash: '' };
}

test('a large group is folded a few records in a turn of the loop, in order and once', async () => {
  const { time, turn } = slowLoop();
  const replica = new SumReplica();
  const folds = new FoldQueue({ replica, time, failed: assert.ifError });
  folds.add(storedGroup(1, 50));
  folds.add(storedGroup(51, 3));
  let isEmpty = false;
  const empty = folds.empty().then(() => {
    isEmpty = true;
  });
  let turns = 0;
  for (let before = 0; turn(); before = replica.seq) {
    assert.ok(replica.seq - before <= 5, `${replica.seq - before} records in a turn`);
    turns += 1;
  }
  await empty;
  assert.ok(isEmpty && turns >= 11, `${turns} turns`);
  assert.equal(replica.seq, 53);
  assert.equal(folds.bytes, 0);
});

test('a record that cannot be read ends folding, and is named', () => {
  const { time, turn } = slowLoop();
  const replica = new SumReplica();
  const failures: Error[] = [];
  const folds = new FoldQueue({ replica, time, failed: (error) => failures.push(error) });
  const [first = '', second = ''] = String(groupOf(1, 1, 2).body).split('\n');
  folds.add(storedGroup(1, 2, `${first}\n${second.slice(1)}\n`));
  folds.add(storedGroup(3, 1));
  while (turn());
  assert.equal(replica.seq, 1);
  assert.equal(failures.length, 1);
  assert.equal(failures[0]?.name, 'JournalDamaged');
  assert.match(String(failures[0]), /group of 1, sequence 2: not JSON/);
});
