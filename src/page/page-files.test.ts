import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type PageFile, readPageFiles, smallest } from './page-files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sauda-page-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

test('a build is read whole: each file under its path, with its packed forms, and nothing beside known types', () => {
  write({
    'source.txt': 'abc\n',
    'index.html': '<!doctype html>',
    'assets/index-1.js': 'plain',
    'assets/index-1.js.br': 'brotli',
    'assets/index-1.js.gz': 'gzip',
    'assets/index-1.js.map': '{}',
    'notes.sh': 'rm',
  });
  const files = readPageFiles(folder) ?? assert.fail('no page');
  assert.deepEqual([...files.keys()].sort(), ['/assets/index-1.js', '/index.html']);
  const script = files.get('/assets/index-1.js') as PageFile;
  assert.deepEqual([...script.packed.keys()], ['br', 'gzip']);
  assert.equal(script.isHashed, true);
  assert.equal(files.get('/index.html')?.isHashed, false);
});

test('a link in the folder is left out of the page, wherever it leads', () => {
  write({ 'source.txt': 'abc', 'index.html': '<!doctype html>' });
  symlinkSync('/etc/hostname', join(folder, 'secret.html'));
  assert.deepEqual([...(readPageFiles(folder)?.keys() ?? [])], ['/index.html']);
});

test('a folder without a stamp or without the page itself holds no build', () => {
  assert.equal(readPageFiles(folder), undefined);
  assert.equal(readPageFiles(join(folder, 'nowhere')), undefined);
  write({ 'index.html': '<!doctype html>' });
  assert.equal(readPageFiles(folder), undefined);
  rmSync(join(folder, 'index.html'));
  write({ 'source.txt': 'abc' });
  assert.equal(readPageFiles(folder), undefined);
});

test('a client gets the smallest form that it reads', () => {
  const packed = new Map([
    ['br', Buffer.from('b')],
    ['gzip', Buffer.from('gz')],
  ] as const);
  const file: PageFile = { type: 'text/css', plain: Buffer.from('plain'), packed, isHashed: false };
  assert.equal(smallest(file, () => true).coding, 'br');
  assert.equal(smallest(file, (coding) => coding === 'gzip').coding, 'gzip');
  assert.deepEqual(
    smallest(file, () => false),
    { bytes: file.plain, coding: undefined },
  );
});
