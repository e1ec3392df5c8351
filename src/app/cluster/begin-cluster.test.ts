import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { groupOf } from '../../../test/kit/cluster/test-cluster.ts';
import { MemoryLane, MemoryLog } from '../../cluster/lanes/memory-lane.ts';
import { openLanes } from '../../cluster/lanes/open-lanes.ts';
import { openFileJournal } from '../../journal/file-journal.ts';
import { beginWith } from './begin-cluster.ts';
import { endCluster } from './end-cluster.ts';
import { clusterFile } from './member-place.ts';
import { clusterOf, joinCluster } from './membership.ts';

const CLUSTER = 'three';

/** Two data folders of one machine each, with histories of their own, and the lanes. */
async function withFolders(
  body: (scene: { readonly one: string; readonly other: string; readonly logs: readonly MemoryLog[] }) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'sauda-begin-'));
  const [one, other] = [join(scratch, 'one'), join(scratch, 'other')];
  try {
    for (const [maker, folder] of [one, other].entries()) await writeHistory(folder, maker);
    await body({ one, other, logs: [new MemoryLog('A'), new MemoryLog('B')] });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function writeHistory(folder: string, maker: number): Promise<void> {
  mkdirSync(folder);
  const journal = await openFileJournal({ folder });
  for (let seq = 1; seq <= 5; seq += 1) await journal.append(groupOf(maker, seq, 1));
  await journal.close();
}

const lanesOf = (logs: readonly MemoryLog[]): MemoryLane[] => logs.map((log) => new MemoryLane(log));

test('of two folders that begin one cluster at the same moment one does, and the other stays one of one machine', () =>
  withFolders(async ({ one, other, logs }) => {
    const outcomes = await Promise.allSettled([one, other].map((data) => beginWith(lanesOf(logs), CLUSTER, data)));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const winner = outcomes[0]?.status === 'fulfilled' ? one : other;
    assert.deepEqual(
      [one, other].filter((data) => clusterOf(data) === CLUSTER),
      [winner],
    );
    await assert.rejects(beginWith(lanesOf(logs), CLUSTER, winner === one ? other : one), /history of another folder/);
    assert.match(await beginWith(lanesOf(logs), CLUSTER, winner), /The cluster had begun/);
    assert.deepEqual(
      [one, other].filter((data) => clusterOf(data) === CLUSTER),
      [winner],
    );
  }));

test('a folder that has the first lane keeps the cluster, also when the second is taken', () =>
  withFolders(async ({ one, other, logs }) => {
    const [first, second] = logs as [MemoryLog, MemoryLog];
    second.add(0, Buffer.from('of somebody else'));
    await assert.rejects(beginWith(lanesOf(logs), CLUSTER, one), /is not empty/);
    assert.equal(clusterOf(one), undefined, 'nothing was written');
    await beginWith(lanesOf([first]), CLUSTER, one);
    await assert.rejects(beginWith(lanesOf([first, new MemoryLog('C')]), CLUSTER, other), /history of another folder/);
    assert.deepEqual([clusterOf(one), clusterOf(other)], [CLUSTER, undefined]);
  }));

/** A folder as a killed process leaves it: zeros stand behind its last group, which nobody may have flushed. */
async function killed(folder: string): Promise<string> {
  const left = `${folder}-killed`;
  mkdirSync(folder, { recursive: true });
  const journal = await openFileJournal({ folder });
  await journal.append(groupOf(0, journal.head().seq + 1, 1));
  cpSync(folder, left, { recursive: true });
  await journal.close();
  return left;
}

/** A start writes such a segment again, flushed, and without the zeros. */
function isRepaired(folder: string): boolean {
  return statSync(join(folder, 'journal', 'segment-0000000000000001')).size < 65_536;
}

test('the history of a killed process is repaired and flushed before a cluster begins with it', () =>
  withFolders(async ({ one, logs }) => {
    const data = await killed(one);
    assert.equal(isRepaired(data), false);
    await beginWith(lanesOf(logs), CLUSTER, data);
    assert.ok(isRepaired(data));
  }));

test('the history of a killed process is repaired and flushed before its cluster is over', () =>
  withFolders(async ({ one, other }) => {
    const file = `${one}.json`;
    const members = [{ name: 'one', publicUrl: 'http://127.0.0.1:1' }];
    writeFileSync(file, JSON.stringify({ name: CLUSTER, members, log: { folder: 'log' } }));
    const data = await killed(one);
    const lanes = await openLanes(clusterFile(file));
    await beginWith([lanes.a, lanes.b], CLUSTER, one);
    await lanes.close();
    const withoutLog = await killed(other);
    for (const folder of [data, withoutLog]) joinCluster(folder, CLUSTER);
    assert.match(await endCluster({ file, data, acceptLoss: undefined }), /has all 6 records/);
    await endCluster({ file, data: withoutLog, acceptLoss: 6 });
    for (const folder of [data, withoutLog])
      assert.deepEqual([isRepaired(folder), clusterOf(folder)], [true, undefined]);
  }));
