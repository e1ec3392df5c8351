import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TObject } from 'typebox';
import { Check } from 'typebox/value';
import { type EpochMs, HOUR_MS } from '../../../src/base/time.ts';
import { OPERATOR } from '../../../src/engine/port.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const MESSAGE = 'Market status retrieved successfully';

contractOf({
  path: '/getMarketStatus',
  message: MESSAGE,
  request: {},
  data: {
    marketTime: T1,
    speed: /^1$/,
    exchanges: [
      {
        exchange: /^(NSE|BSE|NFO|BFO)$/,
        phase: /^[A-Z][A-Za-z]+$/,
        isOpen: /^(true|false)$/,
        nextPhase: /^[A-Za-z]*$/,
        nextAt: T1,
      },
    ],
    requestTime: T1,
  },
});

async function statuses(world: World): Promise<readonly Readonly<Record<string, string>>[]> {
  const data = assertSuccess(await world.call('/getMarketStatus', ALICE), MESSAGE);
  return (data as { exchanges: readonly Readonly<Record<string, string>>[] }).exchanges;
}

test('getMarketStatus answers the four exchanges with their phase and the next one', async () => {
  const world = await openWorld();
  const open = { phase: 'Continuous', isOpen: 'true', nextPhase: 'Buffer', nextAt: '22:30:00 20-11-2026' };
  const exchanges = ['NSE', 'BSE', 'NFO', 'BFO'];
  assert.deepEqual(
    await statuses(world),
    exchanges.map((exchange) => ({ exchange, ...open })),
  );
  world.now = (world.now + 11.75 * HOUR_MS) as EpochMs;
  const [nse] = await statuses(world);
  const buffer = { phase: 'Buffer', isOpen: 'false', nextPhase: 'Continuous', nextAt: '23:00:00 20-11-2026' };
  assert.deepEqual(nse, { exchange: 'NSE', ...buffer });
  await world.close();
});

test('getMarketStatus answers the speed that an operator gave the market, and 0 while it stands still', async () => {
  const world = await openWorld();
  const schema = OPERATIONS.find(({ path }) => path === '/getMarketStatus')?.answer.data as TObject;
  for (const speed of [60, 0.1, 3_600, 0]) {
    await world.engine.submit({ command: { type: 'SetClock', speed, by: 'x', why: 'y' }, origin: OPERATOR });
    const data = assertSuccess(await world.call('/getMarketStatus', ALICE), MESSAGE);
    assert.equal((data as { speed: string }).speed, String(speed));
    assert.ok(Check(schema, data), `the answer at ${speed} follows its schema`);
  }
  await world.close();
});

test('getMarketStatus shows an exchange that is halted, and blanks for an end that nobody knows', async () => {
  const world = await openWorld();
  const target = { kind: 'Halt', exchange: 'BSE' } as const;
  await world.engine.submit({ command: { type: 'SetSwitch', target, on: true, by: 'x', why: 'y' }, origin: OPERATOR });
  const [nse, bse] = await statuses(world);
  assert.equal(nse?.phase, 'Continuous');
  assert.deepEqual(bse, { exchange: 'BSE', phase: 'Halted', isOpen: 'false', nextPhase: '', nextAt: '' });
  await world.close();
});
