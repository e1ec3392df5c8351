import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from './suite.ts';
import { assertSuccess, RUPEES, T1 } from './wire-checks.ts';
import { ALICE, openWorld } from './world.ts';

const MESSAGE = 'Successfully fetched RMS limits';

contractOf({
  path: '/limit',
  message: MESSAGE,
  request: {},
  data: {
    availableMargin: RUPEES,
    brkcollamt: RUPEES,
    cash: RUPEES,
    collateral: RUPEES,
    expo: RUPEES,
    marginused: RUPEES,
    totalMargin: RUPEES,
    payin: RUPEES,
    peak_mar: RUPEES,
    premium: RUPEES,
    requestTime: T1,
    span: RUPEES,
  },
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
