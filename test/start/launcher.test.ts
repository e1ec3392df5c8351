import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { environment, LAUNCHER, StartedService, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
/** A module that makes the launcher believe that it runs under Node 20. */
const older = join(folder.path, 'older.cjs');
writeFileSync(
  older,
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });\n",
);
const OLDER_NODE = [process.execPath, '--require', older];

after(() => folder.remove());

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function silent(url: string): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (!(await answers(url))) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

test('under an older Node the launcher runs the pinned one, passes signals on and takes over its exit code', async () => {
  const service = await StartedService.start(folder.path, {}, [...OLDER_NODE, LAUNCHER, 'start']);
  assert.equal(await answers(`${service.operator}/livez`), true);
  assert.equal(await service.end('SIGTERM'), 0);
  const failing = promisify(execFile)(OLDER_NODE[0] ?? '', [...OLDER_NODE.slice(1), LAUNCHER, 'start', '--port', 'x'], {
    env: environment(),
  });
  await assert.rejects(failing, { code: 78 });
});

test('a launcher that is killed leaves no service behind', async () => {
  const service = await StartedService.start(folder.path, {}, [...OLDER_NODE, LAUNCHER, 'start']);
  const { operator } = service;
  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  assert.equal(await silent(`${operator}/livez`), true);
});

test('without any Node that can run the service the launcher says what to do', async () => {
  const elsewhere = join(folder.path, 'elsewhere', 'bin');
  mkdirSync(elsewhere, { recursive: true });
  copyFileSync(LAUNCHER, join(elsewhere, 'sauda.mjs'));
  const failing = promisify(execFile)(OLDER_NODE[0] ?? '', [...OLDER_NODE.slice(1), join(elsewhere, 'sauda.mjs')], {
    env: environment(),
  });
  await assert.rejects(failing, (error: Error & { code: number; stderr: string }) => {
    assert.equal(error.code, 69);
    assert.match(error.stderr, /needs Node 26.*npm ci/s);
    return true;
  });
});

test('a second signal ends the service at once, and the next start finds everything', async () => {
  const service = await StartedService.start(folder.path);
  service.child.kill('SIGSTOP');
  service.child.kill('SIGTERM');
  service.child.kill('SIGINT');
  assert.equal(await service.end('SIGCONT'), 'SIGKILL');
  const again = await StartedService.start(folder.path);
  assert.equal(await again.end('SIGTERM'), 0);
});
