import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDurably, ENTER, isOpenToOthers, readIfPresent, writeDurably } from './durable-file.ts';

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

test('a folder in the place of a file that is read is named', () => {
  assert.throws(() => readIfPresent(folder), { code: 'EISDIR', path: folder });
  assert.equal(readIfPresent(join(folder, 'nowhere')), undefined);
});

test('a file is open to others when one of them may read or write it, and a folder when one may enter it', () => {
  const file = join(folder, 'modes');
  writeFileSync(file, '');
  const openIn = (modes: readonly number[], bits?: number): readonly number[] => {
    return modes.filter((mode) => {
      chmodSync(file, mode);
      return isOpenToOthers(file, bits);
    });
  };
  const open = [0o644, 0o640, 0o604, 0o660, 0o620, 0o602];
  assert.deepEqual(openIn([0o600, 0o400, 0o700, ...open]), open);
  const entered = [0o755, 0o710, 0o701];
  assert.deepEqual(openIn([0o700, 0o744, ...entered], ENTER), entered);
});
