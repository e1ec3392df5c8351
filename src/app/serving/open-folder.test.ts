import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../config.ts';
import { WriterLock } from '../../journal/disk/writer-lock.ts';
import { openedFolder } from './open-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'sauda-'));
after(() => rmSync(folder, { recursive: true }));

test('a start writes neither keys nor an identity into an empty folder that somebody else holds, as a restore does', () => {
  const config = loadConfig({ flags: { data: folder }, env: {}, readFile: () => undefined });
  assert.ok(config.ok);
  const restore = new WriterLock(folder);
  assert.throws(() => openedFolder(config.value), { name: 'FolderInUse' });
  assert.deepEqual(readdirSync(folder), ['writer.lock']);
  restore.release();
});
