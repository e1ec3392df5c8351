import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from './data-folder.ts';
import { tidyUp } from './tidy-up.ts';

/** A process that has ended; one that runs is the parent of this one. */
const GONE = spawnSync(process.execPath, ['--version']).pid;
const RUNNING = process.ppid;

/** The files of a data folder that had these, by their names below it, once it was tidied up. */
function tidied(names: readonly string[], unlessImported = (work: () => void): void => work()): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-tidy-'));
  try {
    for (const name of ['span', 'audit']) mkdirSync(join(folder, name));
    for (const name of names) writeFileSync(join(folder, name), '');
    tidyUp(dataFolder(folder), unlessImported);
    const left = readdirSync(folder, { recursive: true }).map(String);
    return left.filter((name) => name !== 'span' && name !== 'audit').sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('files that killed processes left half written are removed', () => {
  const ended = [
    'secret.key',
    'identity',
    'demo-users.json',
    'operator.token',
    'instruments.json',
    'span/2026-11-20.NFO',
  ];
  assert.deepEqual(tidied(ended.map((name) => `${name}.${GONE}.new`)), []);
  assert.deepEqual(tidied([`secret.key.${process.pid}.new`, 'identity.new', 'audit/2026-11-20.log.new']), []);
});

test('drafts of a running process stay, and so do files that are not drafts of the service', () => {
  const others = [
    'sauda.json.new',
    `notes.${GONE}.new`,
    'operator.token',
    'audit/2026-11-20.log',
    'new',
    '.new',
  ].sort();
  assert.deepEqual(tidied(others), others);
  const written = [`instruments.json.${RUNNING}.new`, `secret.key.${RUNNING}.new`];
  assert.deepEqual(tidied(written), written);
});

test('the drafts of an import are left alone while there is one', () => {
  const draft = `instruments.json.${GONE}.new`;
  const busy = (): void => undefined;
  assert.deepEqual(tidied([draft], busy), [draft]);
  assert.deepEqual(
    tidied([`secret.key.${GONE}.new`], () => assert.fail()),
    [],
    'nobody asks for an import that never was',
  );
});
