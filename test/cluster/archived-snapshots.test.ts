import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WallMs } from '../../src/base/time.ts';
import type { ClusterTime } from '../../src/cluster/cluster-time.ts';
import { MemoryLane, MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { Member, type Promotion } from '../../src/cluster/member.ts';
import type { Live } from '../../src/engine/live.ts';
import { openReplica, promote } from '../../src/engine/start-engine.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../kit/journal/small-market.ts';
import { opening } from '../kit/journal/trading.ts';
import { testPorts } from '../kit/ports.ts';
import { unasked } from '../kit/unasked.ts';

/** Longer than two looks of the driver of snapshots. */
const TWO_LOOKS_MS = 2_500;

const wall = (): WallMs => Date.now() as WallMs;
const TIME: ClusterTime = {
  elapsed: () => performance.now(),
  wall,
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  defer: (work) => void setImmediate(work),
};

/** A journal whose appends wait until its disk has room. */
function withoutRoom(files: Journal): { readonly files: Journal; readonly makeRoom: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let closed: Promise<void> | undefined;
  const held: Journal = {
    name: files.name,
    head: () => files.head(),
    begin: () => files.begin(),
    append: async (group) => {
      await promise;
      return files.append(group);
    },
    isFull: () => files.isFull(),
    groups: (after) => files.groups(after),
    hashAt: (seq) => files.hashAt(seq),
    // The member and the engine both close it.
    close: () => {
      closed ??= files.close();
      return closed;
    },
  };
  return { files: held, makeRoom: resolve };
}

test('a leader whose disk is full takes no snapshots before its own files have records for one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-archived-'));
  const notes: string[] = [];
  const around = {
    ports: testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() }),
    wall,
    failStop: assert.ifError,
    log: (message: string) => void notes.push(message),
  };
  const taken = (): number[] =>
    notes.flatMap((note) => Number(/^snapshot at (\d+)/.exec(note)?.[1] ?? Number.NaN) || []);
  try {
    const replica = await openReplica({ folder, snapshotRecords: 1, snapshotMinutes: 600 }, around);
    const { files, makeRoom } = withoutRoom(replica.journal);
    const { promise, resolve } = Promise.withResolvers<Promotion<Live>>();
    const member = new Member<Live>({
      name: 'one',
      rank: 0,
      lanes: [new MemoryLog('A'), new MemoryLog('B')].map((log) => new MemoryLane(log)),
      replica: replica.live,
      archive: files,
      time: TIME,
      promote: resolve,
      gone: assert.ifError,
      alarm: () => undefined,
    });
    member.start();
    const running = await promote({ ...replica, journal: (await promise).journal }, around);
    try {
      for (const command of opening()) await running.engine.submit(unasked(command));
      const acknowledged = running.head().seq;
      assert.ok(acknowledged > 5, `${acknowledged}`);
      await sleep(TWO_LOOKS_MS);
      assert.equal(replica.archived(), 0);
      // The day's own notes depend on the time at which the test runs.
      const tried = notes.filter((note) => note.startsWith('snapshot'));
      assert.deepEqual(tried, []);
      makeRoom();
      while (replica.archived() < acknowledged) await sleep(10);
    } finally {
      makeRoom();
      await running.stop();
      await member.close();
    }
    const last = taken().at(-1) ?? 0;
    assert.ok(last > 0 && last <= replica.archived(), `${last} of ${replica.archived()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
