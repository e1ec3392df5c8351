/** The toolset `time`: agents set the market clock where the operator's token is given and the toolset is asked for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clockOf } from '../../src/mcp/clock-tools.ts';
import { EnvironmentFault, settingsOf } from '../../src/mcp/environment.ts';
import { runServer } from '../../src/mcp/run-server.ts';
import { answers, lost, ScriptedService } from '../client/scripted-service.ts';
import { ALICE, openWorld, type World } from '../kit/wire/world.ts';
import { Agent } from './agent.ts';

const TOKEN = 'b2'.repeat(32);
const CLOCK = {
  market: '2026-11-23 10:20:00',
  wall: '2026-11-23 12:00:00',
  speed: 0,
  set: { at: '2026-11-23 11:00:00', market: '2026-11-23 10:15:00', by: 'sauda mcp', why: 'a drill' },
  lostSeconds: 0,
  phases: [{ exchange: 'NSE', phase: 'Continuous', next: { phase: 'Closed', at: '15:30:00' } }],
  boundaries: [{ exchange: 'NSE', what: 'close', at: '2026-11-23 15:30:00' }],
};

let world: World;
let port: ScriptedService;
let agent: Agent;

before(async () => {
  world = await openWorld();
  port = await ScriptedService.start();
  const operator = { url: port.url, token: TOKEN, by: 'sauda mcp' };
  const time = clockOf({ origin: 'http://127.0.0.1:8080', userId: 'SD1001', operator } as never);
  agent = await Agent.open(world, ALICE, undefined, undefined, time);
});
after(async () => {
  await agent.close();
  await port.close();
  await world.close();
});

test('each tool of the clock is one request with the token, and the answer is the clock', async () => {
  const why = 'a drill';
  const grounds = { by: 'sauda mcp', why };
  const calls: [tool: string, given: Record<string, unknown>, path: string, body: object][] = [
    ['clock_show', {}, '/clock', {}],
    ['clock_run', { speed: 60, why }, '/clock', { speed: 60, ...grounds }],
    ['clock_run', { speed: 'max', why }, '/clock', { speed: 'max', ...grounds }],
    ['clock_pause', { why }, '/clock', { speed: 0, ...grounds }],
    ['clock_step', { for: '5m', why }, '/clock/step', { for: '5m', ...grounds }],
    ['clock_step', { for: 'event', why }, '/clock/step', { for: 'event', user: 'SD1001', ...grounds }],
    ['clock_to', { at: 'expiry of NIFTY', why }, '/clock/to', { at: 'expiry of NIFTY', ...grounds }],
  ];
  for (const [tool, given, path, body] of calls) {
    port.next(answers(200, CLOCK));
    const { isError, data, text } = await agent.call(tool, given);
    assert.equal(isError, false, text);
    assert.deepEqual(data, CLOCK, tool);
    assert.deepEqual(port.taken, [{ path, key: undefined, body }]);
    assert.equal(port.heads[0]?.authorization, `Bearer ${TOKEN}`);
  }
});

test('the tools that set the clock say so, and say that it is of all users', async () => {
  const { tools } = await agent.client.listTools();
  const clock = tools.filter(({ name }) => name.startsWith('clock_'));
  assert.deepEqual(
    clock.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
    [
      ['clock_show', true, undefined],
      ['clock_run', false, true],
      ['clock_pause', false, true],
      ['clock_step', false, true],
      ['clock_to', false, true],
    ],
  );
  for (const { description = '' } of clock) assert.match(description, /of all users.*never instructions/s);
});

test('a refusal is said in words, a lost step may have been done, and the token is in neither', async () => {
  port.next(answers(409, { error: 'the market is at 15:30:00 already' }));
  const refused = await agent.call('clock_to', { at: '10:00:00' });
  assert.ok(refused.isError && refused.data.error === 'CONFLICT' && refused.data.mayHaveBeenDone === false);
  assert.match(refused.text, /is at 15:30:00 already/);
  port.next(lost);
  const unknown = await agent.call('clock_step', { for: '5m' });
  assert.ok(unknown.isError && unknown.data.mayHaveBeenDone === true, unknown.text);
  port.next();
  for (const given of [{ speed: 3_601 }, { speed: -1 }, { speed: 'fast' }, {}, { speed: 1, token: 'x' }]) {
    const { isError } = await agent.call('clock_run', given).catch(() => ({ isError: true }));
    assert.ok(isError, JSON.stringify(given));
  }
  assert.equal(port.taken.length, 0, 'nothing wrong reaches the port');
  assert.ok(!`${refused.text}${unknown.text}`.includes(TOKEN));
});

test('the operator of the environment is refused in words without the token, and asked for by --allow-time', async () => {
  const known = { SAUDA_USER: 'SD1001', SAUDA_JKEY: 'c'.repeat(64) };
  const { operator } = settingsOf({ ...known, SAUDA_OPERATOR_TOKEN: TOKEN });
  assert.deepEqual(operator, { url: 'http://127.0.0.1:8081', token: TOKEN, by: 'sauda mcp' });
  const wrong = [
    { SAUDA_OPERATOR_TOKEN: `${TOKEN}0` },
    { SAUDA_OPERATOR_TOKEN: TOKEN, SAUDA_OPERATOR_URL: `http://127.0.0.1:8081/#${TOKEN}` },
    { SAUDA_OPERATOR_TOKEN: TOKEN, SAUDA_OPERATOR_URL: TOKEN },
    { SAUDA_OPERATOR_TOKEN: TOKEN, SAUDA_OPERATOR_URL: 'http://127.0.0.1:8081/clock' },
    { SAUDA_OPERATOR_TOKEN: TOKEN, SAUDA_OPERATOR_URL: 'http://127.0.0.1:8080' },
  ];
  for (const env of wrong) {
    assert.throws(
      () => settingsOf({ ...known, ...env }),
      (error: Error) => error instanceof EnvironmentFault && !error.message.includes(TOKEN),
      JSON.stringify(env),
    );
  }
  const flags = { allowTime: true, maxOrderValue: 0n, maxOrders: 0 } as const;
  const parts = { version: '0', env: known, report: assert.fail };
  assert.equal(await runServer(flags, parts), 'set SAUDA_OPERATOR_TOKEN for --allow-time');
});
