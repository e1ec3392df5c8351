/**
 * The market clock of a started service: an operator sets it, the interface shows it, a kill and a stop leave it in the
 * journal, and sessions follow the wall at every speed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockReport } from '../../../src/operator/operations/clock-operations.ts';
import { StartedService, temporaryFolder } from '../start/started-service.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const data = join(folder.path, 'data');

const WHY = ['--why', 'a drill'] as const;

async function shown(service: StartedService): Promise<ClockReport> {
  const { code, stdout, stderr } = await service.command('clock', 'show', '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as ClockReport;
}

/** Milliseconds of `2026-11-23 10:15:00`. */
function instantOf(moment: string): number {
  return Date.parse(`${moment.replace(' ', 'T')}+05:30`);
}

async function statusOf(service: StartedService, session: object): Promise<Record<string, string>> {
  const { status, body } = await service.call('getMarketStatus', { ...session });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data as Record<string, string>;
}

test('a clock that was set goes on after a kill and after a stop from where the journal has it', async () => {
  let service = await StartedService.start(data);
  const entered = await service.call('demoLogin', { userId: 'SD1001' });
  const session = { userId: 'SD1001', jKey: (entered.body.data as { susertoken: string }).susertoken };
  assert.equal((await statusOf(service, session)).speed, '1');
  assert.equal((await shown(service)).set, undefined);

  const run = await service.command('clock', 'run', 'x60', ...WHY);
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /^the market runs at x60; it is \d{4}-/);
  const set = instantOf((await shown(service)).set?.market ?? '');
  await sleep(3_000);
  const status = await statusOf(service, session);
  assert.equal(status.speed, '60');
  const before = instantOf((await shown(service)).market);
  assert.ok(before - set >= 120_000, `${before - set} ms of the market in three seconds`);
  await service.end('SIGKILL');

  service = await StartedService.start(data);
  const killed = await shown(service);
  assert.equal(killed.speed, 60);
  assert.equal(killed.set?.why, 'a drill');
  const again = instantOf(killed.market);
  assert.ok(again >= before - 60_000, 'at most a minute of the market is not in the journal');
  assert.ok((await statusOf(service, session)).speed === '60', 'the session of before the kill holds');

  const pause = await service.command('clock', 'pause', ...WHY);
  assert.match(pause.stdout, /^the market stands still; it is /);
  const still = await shown(service);
  await sleep(1_200);
  assert.equal((await shown(service)).market, still.market);
  await service.end('SIGTERM');

  service = await StartedService.start(data);
  const stopped = await shown(service);
  assert.equal(stopped.market, still.market, 'a clock that stands still stands there after a start');
  assert.equal((await statusOf(service, session)).speed, '0');
  await service.command('clock', 'run', 'x3600', ...WHY);
  await sleep(1_000);
  const fast = await shown(service);
  assert.ok(instantOf(fast.market) > instantOf(still.market) + 60_000, 'it ran');
  assert.equal((await statusOf(service, session)).speed, '3600', 'the session is of the wall');
  await service.end('SIGTERM');
});
