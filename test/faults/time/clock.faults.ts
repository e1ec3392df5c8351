/**
 * The market clock of a started service: an operator sets it, the interface shows it, a kill and a stop leave it in the
 * journal, and sessions follow the wall at every speed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockReport } from '../../../src/operator/operations/clock-operations.ts';
import { StartedService, temporaryFolder } from '../../process/start/started-service.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const data = join(folder.path, 'data');

const WHY = ['--why', 'a drill'] as const;
const PATIENCE_MS = 60_000;

async function shown(service: StartedService): Promise<ClockReport> {
  const { code, stdout, stderr } = await service.command('clock', 'show', '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as ClockReport;
}

/** The report of the clock without the command line, which takes longer than a month of a quiet market. */
async function clockOf(service: StartedService): Promise<ClockReport> {
  const token = readFileSync(join(service.data, 'operator.token'), 'utf8').trim();
  const answer = await fetch(`${service.operator}/clock`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as ClockReport;
}

/** Waits until something holds; fails when it never does. */
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await sleep(50)) {
    assert.ok(performance.now() < end, what);
  }
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
  // The first second of a clock that is set brings the reviews of ban periods.
  const isPast = async (least: number): Promise<boolean> => instantOf((await clockOf(service)).market) >= least;
  await until(() => isPast(set + 120_000), 'two minutes of the market pass');
  const status = await statusOf(service, session);
  assert.equal(status.speed, '60');
  const before = instantOf((await shown(service)).market);
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
  await until(() => isPast(instantOf(still.market) + 60_001), 'it runs');
  assert.equal((await statusOf(service, session)).speed, '3600', 'the session is of the wall');
  await service.end('SIGTERM');
});

test('a step passes exactly its time, is refused while another goes on, and is finished after a kill', async () => {
  const data = join(folder.path, 'steps');
  const settings = { SAUDA_HOURS: 'exchange', SAUDA_CLOCK: '2026-11-20T09:14:59', SAUDA_SPEED: '0' };
  let service = await StartedService.start(data, settings);
  const asked = async (path: string, wish: object): Promise<string> => {
    const answer = await service.postToOperator(`/clock/${path}`, { ...wish, by: 'desk', why: 'a drill' });
    const report = (await answer.json()) as ClockReport & { readonly error?: string };
    return report.error ?? `${report.market} at ${report.speed}`;
  };
  assert.equal(await asked('step', { for: 'boundary' }), '2026-11-20 09:15:00 at 0');
  assert.match((await service.command('clock', 'step', '1m30s', ...WHY)).stdout, /^the market stands still.*09:16:30/);

  const frames: string[] = [];
  const socket = new WebSocket(new URL('/stream', service.base.replace('http', 'ws')));
  socket.addEventListener('message', ({ data: text }) => frames.push(String(text)));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const entered = await service.call('demoLogin', { userId: 'SD1001' });
  const token = (entered.body.data as { susertoken: string }).susertoken;
  socket.send(JSON.stringify({ login: { userId: 'SD1001', jKey: token } }));
  socket.send(JSON.stringify({ subscribe: ['clock', 'ticks'], instruments: ['NSE:RELIANCE-EQ'] }));
  await until(() => frames.some((frame) => frame.startsWith('{"type":"subscribed"')), 'the subscription');
  frames.length = 0;
  assert.equal(await asked('step', { for: '20s' }), '2026-11-20 09:16:50 at 0');
  const isClock = (frame: string): boolean => frame.startsWith('{"type":"clock"') && frame.includes('09:16:50');
  await until(() => frames.some(isClock), 'the clock after the step');
  await until(() => frames.some((frame) => frame.startsWith('{"type":"tick"')), 'a tick of the step');
  socket.close();

  assert.equal(await asked('to', { at: '15:14:59' }), '2026-11-20 15:14:59 at 0');
  assert.equal(await asked('to', { at: '15:14:59' }), '2026-11-21 15:14:59 at 0');
  assert.equal(await asked('to', { at: 'open' }), '2026-11-23 09:15:00 at 0');
  assert.equal(await asked('to', { at: 'expiry of NIFTY' }), '2026-11-23 15:40:00 at 0');
  assert.match(await asked('to', { at: '2026-11-23T15:29:59' }), /15:29:59 is over: it is 2026-11-23 15:40:00/);
  assert.match(await asked('step', { for: 'soon' }), /it must be 90s, 5m, 1h30m/);
  assert.match(await asked('step', { for: 'event', user: 'SD9' }), /there is no user SD9/);
  assert.equal(await asked('step', { for: 'event', user: 'SD1001' }), '2026-11-24 00:00:00 at 0');

  const long = asked('step', { for: '96h' }).catch(() => undefined);
  let report = await clockOf(service);
  for (; report.until === undefined; report = await clockOf(service)) await sleep(1);
  assert.equal(report.until, '2026-11-28 00:00:00');
  assert.equal(report.speed, 'max');
  assert.match(await asked('step', { for: '5m' }), /a step to 2026-11-28 00:00:00 goes on/);
  await service.end('SIGKILL');
  await long;

  service = await StartedService.start(data, settings);
  do {
    await sleep(50);
    report = await clockOf(service);
  } while (report.until !== undefined);
  assert.equal(report.market, '2026-11-28 00:00:00', 'the step is finished');
  assert.equal(report.speed, 0);
  await service.end('SIGTERM');
});
