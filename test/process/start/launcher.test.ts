import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SERVICE_ROOM } from '../../../bench/process/service-room.ts';
import { environment, LAUNCHER, PROJECT, StartedService, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
/** A module that makes the launcher believe that it runs under Node 20. */
const older = join(folder.path, 'older.cjs');
writeFileSync(
  older,
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });\n",
);
/** Longer than a second signal counts as the echo of the first. */
const ECHO_MS = 700;
/** Behind the room: calls into C are an experiment of Node, of which nobody needs to hear. */
const QUIET = '--disable-warning=ExperimentalWarning';
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
    await setTimeout(50);
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

test('the service runs with more room for objects, or with that which was chosen, in the process that was started', async () => {
  const told = join(folder.path, 'told.cjs');
  writeFileSync(told, "console.error(process.pid, process.execArgv.join(' '));\n");
  const toldBy = async (...flags: string[]): Promise<string[]> => {
    const run = promisify(execFile)(process.execPath, [...flags, '--require', told, LAUNCHER, 'demo', 'help'], {
      env: environment(),
    });
    const { stderr } = (await run.catch((error) => error)) as { stderr: string };
    return stderr.split('\n');
  };
  const [first, second] = await toldBy();
  assert.equal(second, `${first} ${SERVICE_ROOM.join(' ')} ${QUIET}`);
  const [chosen, kept] = await toldBy('--initial-old-space-size=100');
  assert.equal(kept, `${chosen} --max-semi-space-size=32 --no-memory-reducer ${QUIET}`);
  const [reducing, left] = await toldBy('--memory-reducer');
  assert.equal(left, `${reducing} --max-semi-space-size=32 --initial-old-space-size=384 ${QUIET}`);
});

test('a launcher that is killed leaves no service behind', async () => {
  const service = await StartedService.start(folder.path, {}, [...OLDER_NODE, LAUNCHER, 'start']);
  const { operator } = service;
  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  assert.equal(await silent(`${operator}/livez`), true);
});

test('without any Node that can run the service the launcher says what to do', async () => {
  const elsewhere = join(folder.path, 'elsewhere', 'bin');
  cpSync(dirname(LAUNCHER), elsewhere, { recursive: true });
  const failing = promisify(execFile)(OLDER_NODE[0] ?? '', [...OLDER_NODE.slice(1), join(elsewhere, 'sauda.mjs')], {
    env: environment(),
  });
  await assert.rejects(failing, (error: Error & { code: number; stderr: string }) => {
    assert.equal(error.code, 69);
    assert.match(error.stderr, /needs Node 26.*npm ci/s);
    return true;
  });
});

/**
 * Sends the head of a request and keeps its body back, so that an orderly end has to wait. Resolves when the service
 * has taken the head and asks for the body.
 */
async function holdRequest(base: string): Promise<Socket> {
  const { port, pathname } = new URL(base);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(
    `POST ${pathname}/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  );
  const [asked] = (await once(socket, 'data')) as [Buffer];
  assert.match(asked.toString('latin1'), /^HTTP\/1\.1 100 /);
  return socket;
}

test('a second signal ends the service at once, one that is the echo of the first does not', async () => {
  for (const [isEcho, ended] of [
    [true, 0],
    [false, 'SIGKILL'],
  ] as const) {
    const service = await StartedService.start(folder.path);
    const held = await holdRequest(service.base);
    while (!(await answers(`${service.operator}/livez`))) await setTimeout(20);
    service.child.kill('SIGTERM');
    if (!isEcho) await laterThanAnEcho(service);
    assert.equal(await service.end('SIGINT'), ended);
    held.destroy();
  }
});

/** Waits until the service says that it is ending, and then longer than an echo may take. */
async function laterThanAnEcho({ operator }: StartedService): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const reasons = await (await fetch(`${operator}/readyz`)).text();
    if (reasons.includes('the service is ending')) break;
    assert.ok(tries < 500, `the service does not end: ${reasons}`);
    await setTimeout(10);
  }
  await setTimeout(ECHO_MS);
}

test('a service that npm started ends when npm or its shell is gone', async () => {
  const npm = ['npm', 'start', '--silent', '--prefix', PROJECT];
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const service = await StartedService.start(folder.path, {}, npm);
    const { operator } = service;
    await service.end(signal);
    assert.equal(await silent(`${operator}/livez`), true, signal);
  }
  const again = await startWhenFree(folder.path);
  assert.equal(await again.end('SIGHUP'), 0, 'a service whose terminal goes away ends in order');
});

/** The port is closed a moment before the data folder is let go. */
async function startWhenFree(data: string): Promise<StartedService> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await StartedService.start(data);
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}
