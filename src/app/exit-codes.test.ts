import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrailNotFlushed } from '../audit/trail-log.ts';
import { Unavailable } from '../engine/port.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';
import { exitCodeOf, pathFailure } from './exit-codes.ts';

const STORAGE = 74;
const DEFECT = 70;

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

function refusal(code: string, more: object = {}): Error {
  return Object.assign(new Error(`${code}: refused`), { code, ...more });
}

test('a start that could not write is a failure of the storage, and no defect', () => {
  assert.equal(exitCodeOf(new Unavailable('the disk is full')), STORAGE);
  assert.equal(exitCodeOf(refusal('EROFS')), STORAGE);
  assert.equal(exitCodeOf(new TrailNotFlushed('EIO')), STORAGE);
});

test('a file that a running process misses is a defect, and one that a command was asked to work with is not', () => {
  const missing = thrownBy(() => readFileSync(join(tmpdir(), 'sauda-nowhere')));
  assert.equal(exitCodeOf(missing), DEFECT);
  const told = pathFailure(missing, EXIT_CONFIG);
  assert.ok(told instanceof CommandFailed);
  assert.deepEqual(
    [told.message, told.exitCode],
    [`${join(tmpdir(), 'sauda-nowhere')}: there is no such file or folder`, EXIT_CONFIG],
  );
});

test('an error of the disk keeps the exit code of the storage, with its words', () => {
  const full = pathFailure(refusal('ENOSPC', { syscall: 'write' }), EXIT_CONFIG);
  assert.ok(full instanceof CommandFailed);
  assert.deepEqual([full.message, full.exitCode], ['the disk is full (ENOSPC: refused)', STORAGE]);
  const fixed = pathFailure(refusal('EROFS', { path: '/there/x', syscall: 'open' }), EXIT_CONFIG);
  assert.ok(fixed instanceof CommandFailed);
  assert.deepEqual([fixed.message, fixed.exitCode], ['/there/x: the disk is read-only', STORAGE]);
});

test('a folder that cannot be made is reported with the broken link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-failure-'));
  try {
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'nowhere'), link);
    const told = pathFailure(
      thrownBy(() => mkdirSync(join(link, 'a', 'b'), { recursive: true })),
      EXIT_CONFIG,
    );
    assert.ok(told instanceof CommandFailed);
    assert.equal(told.message, `${link} is a broken link`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an address that cannot be listened on, and any error that the system did not raise, stay as they are', () => {
  for (const error of [refusal('EACCES', { syscall: 'listen' }), new TypeError('ours'), refusal('ERR_OURS'), 'text']) {
    assert.equal(pathFailure(error, EXIT_CONFIG), error);
  }
});
