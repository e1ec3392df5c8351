import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from './limits-shape.ts';
import { contractOf } from './suite.ts';
import { assertSuccess } from './wire-checks.ts';
import { ALICE, openWorld } from './world.ts';

const MESSAGE = 'Successfully fetched RMS limits';

contractOf({
  path: '/limit',
  message: MESSAGE,
  request: {},
  data: LIMITS,
});

test('limit blocks the value of a resting purchase, and cash plus payin less marginused is what is available', async () => {
  const world = await openWorld();
  await world.place(ALICE, { quantity: '100' });
  const data = assertSuccess(await world.call('/limit', ALICE), MESSAGE) as Record<string, string>;
  assert.deepEqual(
    [data.cash, data.payin, data.marginused, data.availableMargin, data.peak_mar],
    ['1000000.00', '0.00', '700.00', '999300.00', '700.00'],
  );
  await world.close();
});
