import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  filesBeside,
  type ImportedFile,
  ImportStoreError,
  readImportedFiles,
  renewImportedFiles,
  writeImportedFiles,
} from './imported-files.ts';

const NSE: ImportedFile = { exchanges: ['NSE'], text: 'a,"b"\n' };
const WRONG_MARK = '{"version":1,"files":[{"exchanges":["NSE"],"text":"","delisted":1}]}';
const CONTRACTS: ImportedFile = { exchanges: ['NFO', 'BFO'], text: 'c\r\n' };

test('imported files come back as they were, and a damaged store is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-imported-'));
  try {
    const path = join(folder, 'instruments.json');
    assert.deepEqual(readImportedFiles(path), []);
    writeImportedFiles(path, [NSE, CONTRACTS, { ...NSE, delisted: true }]);
    assert.deepEqual(readImportedFiles(path), [NSE, CONTRACTS, { ...NSE, delisted: true }]);
    for (const text of ['', '[]', '{"version":2,"files":[]}', '{"version":1,"files":[{"text":1}]}', WRONG_MARK]) {
      writeFileSync(path, text);
      assert.throws(() => readImportedFiles(path), ImportStoreError, text);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('no flipped bit of a store is taken for other files, and no figure that somebody changed by hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-imported-'));
  try {
    const path = join(folder, 'instruments.json');
    writeImportedFiles(path, [
      { ...NSE, text: 'NSE,1,30,A-EQ\n' },
      { ...CONTRACTS, delisted: true },
    ]);
    const bytes = readFileSync(path);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(path, other);
      assert.throws(() => readImportedFiles(path), ImportStoreError, other.toString('latin1'));
    }
    writeFileSync(path, bytes.toString('utf8').replace(',30,', ',20,'));
    assert.throws(() => readImportedFiles(path), ImportStoreError);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a store without a digest is read, and gets one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-imported-'));
  try {
    const path = join(folder, 'instruments.json');
    renewImportedFiles(path);
    assert.deepEqual(readImportedFiles(path), []);
    writeFileSync(path, JSON.stringify({ version: 1, files: [NSE] }));
    assert.deepEqual(readImportedFiles(path), [NSE]);
    renewImportedFiles(path);
    assert.match(readFileSync(path, 'utf8'), /^\{"version":2,"sha256":"[0-9a-f]{64}","files":\[/);
    assert.deepEqual(readImportedFiles(path), [NSE]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file takes the place of the one with its exchanges and leaves the others', () => {
  assert.deepEqual(filesBeside([NSE, CONTRACTS], ['BSE']), { ok: true, value: [NSE, CONTRACTS] });
  assert.deepEqual(filesBeside([NSE, CONTRACTS], ['NSE']), { ok: true, value: [CONTRACTS] });
  assert.deepEqual(filesBeside([NSE, CONTRACTS], ['NFO', 'BFO', 'NSE']), { ok: true, value: [] });
});

test('a file cannot take the place of a part of another', () => {
  const refused = filesBeside([NSE, CONTRACTS], ['NFO']);
  assert.ok(!refused.ok);
  assert.match(refused.error, /NFO came in one file with NFO, BFO/);
});
