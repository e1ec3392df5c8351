import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { makeFolder } from '../../os/durable-file.ts';
import { REAL_DISK } from './real-disk.ts';
import { replaceFile } from './replace-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sauda-disk-'));
after(() => rmSync(folder, { recursive: true }));

it('reads the written bytes, fewer at the end of the file, none after it', () => {
  const path = join(folder, 'read');
  const file = REAL_DISK.create(path);
  file.write(0, Buffer.from('abcdef'));
  file.write(8, Buffer.from('z'));
  file.flush();
  assert.equal(file.size(), 9);
  assert.deepEqual(Buffer.from(file.read(4, 100)).toString('latin1'), 'ef\0\0z');
  assert.equal(file.read(9, 5).length, 0);
  file.truncate(3);
  file.truncate(5);
  assert.equal(Buffer.from(file.read(0, 9)).toString('latin1'), 'abc\0\0');
  file.close();
});

it('makes a file only when there is none, for its owner only, and the folders that it lies in', () => {
  const path = join(folder, 'a', 'b', 'made');
  REAL_DISK.create(path).close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'a')).mode & 0o777, 0o700);
  assert.throws(() => REAL_DISK.create(path), { code: 'EEXIST' });
  makeFolder(join(folder, 'a', 'b'));
});

it('says that a file is absent, and that a folder that is absent holds nothing', () => {
  assert.throws(() => REAL_DISK.open(join(folder, 'none'), 'read'), { code: 'ENOENT' });
  assert.throws(() => REAL_DISK.open(join(folder, 'none'), 'write'), { code: 'ENOENT' });
  assert.deepEqual(REAL_DISK.names(join(folder, 'none')), []);
  assert.equal(existsSync(join(folder, 'none')), false);
});

it('opens for reading without the right to write', () => {
  const path = join(folder, 'kept');
  REAL_DISK.create(path).close();
  const file = REAL_DISK.open(path, 'read');
  assert.throws(() => file.write(0, Buffer.from('x')), { code: 'EBADF' });
  file.close();
});

it('replaces a file whole, also over a draft that a crash left, and leaves nothing beside it', () => {
  const path = join(folder, 'replaced', 'file');
  for (const text of ['long content', 'new']) {
    REAL_DISK.create(`${path}.new`).close();
    replaceFile(REAL_DISK, path, (file) => file.write(0, Buffer.from(text)));
  }
  assert.equal(readFileSync(path, 'utf8'), 'new');
  assert.deepEqual(readdirSync(join(folder, 'replaced')), ['file']);
});

it('does not flush a file that was replaced by another or removed', () => {
  const path = join(folder, 'taken');
  const replaced = REAL_DISK.create(path);
  replaced.write(0, Buffer.from('old'));
  replaced.flush();
  replaceFile(REAL_DISK, path, (file) => file.write(0, Buffer.from('new')));
  replaced.write(0, Buffer.from('lost'));
  assert.throws(() => replaced.flush(), /another process/);
  const removed = REAL_DISK.open(path, 'write');
  REAL_DISK.remove(path);
  assert.throws(() => removed.flush(), /another process/);
});

it('leaves the file that is there when a draft cannot be finished', () => {
  const path = join(folder, 'unfinished', 'file');
  replaceFile(REAL_DISK, path, (file) => file.write(0, Buffer.from('old')));
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  assert.throws(
    () =>
      replaceFile(REAL_DISK, path, () => {
        throw full;
      }),
    { name: 'DiskFull', code: 'ENOSPC' },
  );
  assert.equal(readFileSync(path, 'utf8'), 'old');
  assert.deepEqual(readdirSync(join(folder, 'unfinished')), ['file']);
});
