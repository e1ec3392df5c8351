import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs, { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataFolder, notedDigests } from '../../../folder/data-folder.ts';
import { type CarriedFile, INSTRUMENTS, OwnFiles } from './own-files.ts';

const root = mkdtempSync(join(tmpdir(), 'sauda-own-files-'));
after(() => rmSync(root, { recursive: true, force: true }));

const NOW = 1_800_000_000_000;
const TAPE = `tapes/${'a'.repeat(64)}.tape`;
const SPAN = `span/${'b'.repeat(64)}.spn.gz`;

function scene() {
  const folder = mkdtempSync(join(root, 'data-'));
  for (const name of ['span', 'tapes']) mkdirSync(join(folder, name));
  return {
    folder,
    /** Writes a file in its place, with a time of change in seconds. */
    write: (path: string, content: string, changed = 1_700_000_000): void => {
      writeFileSync(join(folder, path), content);
      utimesSync(join(folder, path), changed, changed);
    },
    /** The files as a process that starts now finds them. */
    start: async (): Promise<CarriedFile[]> => {
      const own = new OwnFiles(folder, () => NOW);
      await own.refresh();
      return own.list();
    },
  };
}

function carried(path: string, content: string): CarriedFile {
  return { path, bytes: content.length, digest: createHash('sha256').update(content).digest('hex') };
}

test('a start hashes no file that an earlier one hashed, unless it changed since or its name may change', async () => {
  const { write, start } = scene();
  for (const path of [INSTRUMENTS, SPAN, TAPE]) write(path, 'first');
  assert.deepEqual(
    await start(),
    [INSTRUMENTS, SPAN, TAPE].map((path) => carried(path, 'first')),
  );
  for (const path of [INSTRUMENTS, TAPE]) write(path, 'other');
  write(SPAN, 'other', 1_700_000_001);
  assert.deepEqual(await start(), [carried(INSTRUMENTS, 'other'), carried(SPAN, 'other'), carried(TAPE, 'first')]);
  write(TAPE, 'a longer one');
  assert.deepEqual((await start())[2], carried(TAPE, 'a longer one'));
});

test('files that came and files that went are noted as such', async () => {
  const { folder, write, start } = scene();
  const own = new OwnFiles(folder, () => NOW);
  await own.refresh();
  write(TAPE, 'tape');
  await own.refresh();
  write(TAPE, 'epat');
  assert.deepEqual(await start(), [carried(TAPE, 'tape')]);
  rmSync(join(folder, TAPE));
  assert.deepEqual(await start(), []);
  write(TAPE, 'tape');
  write(TAPE, 'epat');
  assert.deepEqual(await start(), [carried(TAPE, 'epat')]);
});

test('a file of digests that is damaged costs the hashing alone', async () => {
  for (const damage of [
    '',
    '{',
    '[]',
    '{"version":1}',
    '{"version":1,"files":[{"path":1}]}',
    '{"version":2,"files":[]}',
  ]) {
    const { folder, write, start } = scene();
    write(TAPE, 'tape');
    await start();
    writeFileSync(notedDigests(dataFolder(folder)), damage);
    write(TAPE, 'epat');
    assert.deepEqual(await start(), [carried(TAPE, 'epat')], damage);
  }
});

test('a full disk costs the hashing of the next start alone', async (t) => {
  const { write, start } = scene();
  const full = t.mock.method(fs, 'writeSync', () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  for (const content of ['tape', 'epat']) {
    write(TAPE, content);
    assert.deepEqual(await start(), [carried(TAPE, content)]);
  }
  assert.equal(full.mock.callCount(), 2);
  full.mock.restore();
  syncBuiltinESMExports();
  await start();
  write(TAPE, 'else');
  assert.deepEqual(await start(), [carried(TAPE, 'epat')]);
});
