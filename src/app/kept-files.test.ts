import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { journalPaths } from '../journal/upkeep/examine.ts';
import { keptFilesOf } from './kept-files.ts';

const root = mkdtempSync(join(tmpdir(), 'sauda-kept-files-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** A data folder with as many segments of ten bytes, and looks at it that are all new. */
function scene(t: TestContext, segments: number) {
  const data = mkdtempSync(join(root, 'data-'));
  const { journal } = journalPaths(data);
  mkdirSync(journal, { recursive: true });
  const path = (number: number): string => join(journal, `segment-${String(number).padStart(16, '0')}`);
  for (let number = 1; number <= segments; number += 1) writeFileSync(path(number), '0123456789');
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 10_000));
  const files = keptFilesOf(data);
  return { path, look: async () => (await files()).segments };
}

test('each look finds the sizes of the newest files, which grow, and what came and what is gone', async (t) => {
  const { path, look } = scene(t, 30);
  const first = await look();
  assert.deepEqual([first.count, first.bytes, first.newest.length], [30, 300, 10]);
  appendFileSync(path(30), 'more');
  appendFileSync(path(21), 'more');
  const grown = await look();
  assert.deepEqual([grown.count, grown.bytes, grown.newest[0]?.bytes, grown.newest[9]?.bytes], [30, 308, 14, 14]);
  for (const number of [31, 32, 33]) writeFileSync(path(number), '01234');
  rmSync(path(1));
  rmSync(path(29));
  const moved = await look();
  assert.deepEqual([moved.count, moved.bytes, moved.newest[9]?.bytes], [31, 303, 10]);
});

test('a file behind the newest is looked at once, as it is then', async (t) => {
  const { path, look } = scene(t, 12);
  await look();
  appendFileSync(path(3), 'more');
  writeFileSync(path(13), '');
  assert.equal((await look()).bytes, 124, 'it was among the newest, and grew since');
  appendFileSync(path(3), 'more');
  appendFileSync(path(1), 'more');
  assert.equal((await look()).bytes, 124, 'no look at either');
  for (const number of [11, 12, 13]) rmSync(path(number));
  assert.equal((await look()).bytes, 112, 'among the newest again');
});

test('folders that are not there hold nothing', async (t) => {
  const { look } = scene(t, 0);
  assert.deepEqual(await look(), { count: 0, bytes: 0, newest: [] });
});
