import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SnapshotDriver } from './snapshot-driver.ts';

/** A driver whose snapshots are of the given record and cost this processor time; `fails` makes them fail. */
function driverWith(cost: { seq: number; cpuMs: number; fails?: boolean; packFault?: string }) {
  const taken: number[] = [];
  const failures: string[] = [];
  const unpacked: string[] = [];
  const driver = new SnapshotDriver(
    {
      files: { folder: 'nowhere' },
      records: 100,
      intervalMs: 60_000,
      lastSeq: 0,
      onTaken: ({ seq }) => taken.push(seq),
      onFailed: ({ message }) => failures.push(message),
      onNotPacked: (words) => unpacked.push(words),
      take: async () => {
        if (cost.fails) throw new Error('no space');
        const { seq, cpuMs, packFault } = cost;
        return { seq, path: '', tookMs: cpuMs, cpuMs, packed: [], ...(packFault && { packFault }) };
      },
    },
    0,
  );
  const pass = async (durableSeq: number, now: number): Promise<void> => {
    driver.passSecond(durableSeq, now);
    await setImmediate();
  };
  return { driver, taken, failures, unpacked, pass };
}

test('a snapshot is due after the given number of records, or after the given time when there was any record', async () => {
  const cost = { seq: 100, cpuMs: 0 };
  const { taken, pass } = driverWith(cost);
  await pass(99, 1_000);
  assert.deepEqual(taken, []);
  await pass(100, 2_000);
  assert.deepEqual(taken, [100]);
  await pass(100, 90_000);
  assert.deepEqual(taken, [100], 'nothing is new');
  cost.seq = 101;
  await pass(101, 91_000);
  assert.deepEqual(taken, [100, 101]);
});

test('a snapshot that cost much is followed by a long rest', async () => {
  const cost = { seq: 100, cpuMs: 3_000 };
  const { taken, pass } = driverWith(cost);
  await pass(100, 1_000);
  cost.seq = 5_000;
  await pass(5_000, 2_000);
  await pass(5_000, 31_999);
  assert.deepEqual(taken, [100]);
  await pass(5_000, 32_000);
  assert.deepEqual(taken, [100, 5_000]);
});

test('an orderly end takes the last snapshot without a rest, and only when something is new', async () => {
  const cost = { seq: 100, cpuMs: 3_000 };
  const { driver, taken, pass } = driverWith(cost);
  await pass(100, 1_000);
  await driver.finish(100);
  assert.deepEqual(taken, [100]);
  cost.seq = 101;
  await driver.finish(101);
  assert.deepEqual(taken, [100, 101]);
});

test('a failed snapshot is reported, and tried again after a rest', async () => {
  const cost = { seq: 100, cpuMs: 0, fails: true };
  const { taken, failures, pass } = driverWith(cost);
  await pass(100, 1_000);
  assert.deepEqual([taken, failures], [[], ['no space']]);
  await pass(100, 2_000);
  await pass(100, 11_999);
  assert.deepEqual(failures, ['no space']);
  await pass(100, 12_000);
  assert.deepEqual(failures, ['no space', 'no space'], 'ten seconds later');
  cost.fails = false;
  await pass(100, 22_000);
  await pass(100, 121_999);
  assert.deepEqual(taken, [], 'a try of ten seconds calls for a hundred');
  await pass(100, 122_000);
  assert.deepEqual(taken, [100]);
});

test('segments that are not compressed are reported once, and again when the words change', async () => {
  const cost: Parameters<typeof driverWith>[0] = { seq: 0, cpuMs: 0 };
  const { unpacked, pass } = driverWith(cost);
  for (const words of ['full', 'full', undefined, 'full', 'damaged', 'damaged']) {
    cost.seq += 100;
    if (words === undefined) delete cost.packFault;
    else cost.packFault = words;
    await pass(cost.seq, cost.seq * 1_000);
  }
  assert.deepEqual(unpacked, ['full', 'full', 'damaged']);
});
