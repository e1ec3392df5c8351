import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { environment, LAUNCHER, StartedService, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
const PORTS = 1_000;
/** Another one in each process. */
const FIRST_PORT = 20_000 + (process.pid % 10) * PORTS;

after(() => folder.remove());

/** A port that is free and stays so: systems give those who do not mind one from 32,768 on. */
async function freePort(): Promise<number> {
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    const listens = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!listens) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`no port from ${FIRST_PORT} on is free`);
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

test('a service whose output nobody reads any more goes on, writes its log to nobody and ends in order', async () => {
  const service = await StartedService.start(folder.path);
  const { operator } = service;
  service.child.stdout?.destroy();
  service.child.stderr?.destroy();
  for (const lift of [[], ['--lift']]) {
    const done = await service.command('halt', 'NSE', '--why', 'a line of the log', ...lift);
    assert.equal(done.code, 0, done.stderr);
    await setTimeout(100);
    assert.equal(await answers(`${operator}/readyz`), true);
  }
  assert.equal(await service.end('SIGTERM'), 0);
});

test('a service whose output nobody ever reads is ready all the same', async () => {
  const port = await freePort();
  const env = environment({ SAUDA_PORT: '0', SAUDA_OPERATOR_PORT: String(port), SAUDA_DATA: folder.path });
  const child = spawn(process.execPath, [LAUNCHER], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  child.stdout.destroy();
  child.stderr.destroy();
  try {
    while (child.exitCode === null && !(await answers(`http://127.0.0.1:${port}/readyz`))) await setTimeout(50);
    assert.equal(child.exitCode, null, 'it goes on');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

/** Long enough for whatever the command can print without a reader. */
const PAUSE_MS = 300;

test('an export whose reader stops and goes prints no further, and ends in order', async () => {
  const data = join(folder.path, 'exported');
  mkdirSync(join(data, 'audit'), { recursive: true });
  const line = `{"n":1,"utc":${Date.UTC(2026, 10, 20, 6)},"kind":"Refusal","hash":""}\n`;
  writeFileSync(join(data, 'audit', '2026-11-20.log'), line.repeat(100_000));
  // A reader that reads on comes to a day that cannot be read.
  mkdirSync(join(data, 'audit', '2026-11-21.log'));
  for (const form of [[], ['--csv'], ['--json']]) {
    const child = spawn(process.execPath, [LAUNCHER, 'audit', 'search', '--data', data, ...form], {
      env: environment({}),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    child.stderr.on('data', (bytes) => said.push(String(bytes)));
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.pause();
    await setTimeout(PAUSE_MS);
    child.stdout.destroy();
    assert.deepEqual([await ended, said.join('')], [[0, null], '']);
  }
});
