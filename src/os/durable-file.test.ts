import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDurably, writeDurably } from './durable-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sauda-durable-'));
after(() => rmSync(folder, { recursive: true }));

test('a file that cannot get its name leaves no draft', () => {
  const path = join(folder, 'taken');
  mkdirSync(join(path, 'by-a-folder'), { recursive: true });
  assert.throws(() => writeDurably(path, 'text'), /EISDIR|ENOTEMPTY|EPERM/);
  assert.deepEqual(readdirSync(folder), ['taken']);
  assert.equal(createDurably(path, 'text'), false);
  assert.deepEqual(readdirSync(folder), ['taken']);
  rmSync(path, { recursive: true });
});

test('a file for which there is no room leaves what was there, and no draft', () => {
  const path = join(folder, 'large');
  writeFileSync(path, 'old');
  const module = new URL('./durable-file.ts', import.meta.url).href;
  const write = `import { writeDurably } from '${module}'; writeDurably(process.argv[1], new Uint8Array(1048576));`;
  const command = ['-c', 'ulimit -f 64; exec "$@"', 'bash', process.execPath, '--input-type=module', '-e', write, path];
  const { status, stderr } = spawnSync('bash', command, { encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /EFBIG/);
  assert.deepEqual(readdirSync(folder), ['large']);
  assert.equal(readFileSync(path, 'utf8'), 'old');
});
