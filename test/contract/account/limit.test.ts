import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { unasked } from '../../kit/unasked.ts';
import { LIMITS } from '../../kit/wire/shapes/limits-shape.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

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

async function limitOf(world: World): Promise<Record<string, string>> {
  return assertSuccess(await world.call('/limit', ALICE), MESSAGE) as Record<string, string>;
}

test("limit gives money that was transferred in as payin, and proceeds of the day's sales as cash", async () => {
  const world = await openWorld();
  const { account } = ALICE;
  await world.engine.submit(unasked({ type: 'DepositCash', account, amount: paise(5_000_00), opening: false }));
  await world.place(ALICE, { transactionType: 'S', priceType: 'MKT', price: '0', quantity: '20' });
  const { cash, payin, totalMargin, marginused, availableMargin } = await limitOf(world);
  assert.deepEqual(
    [cash, payin, totalMargin, marginused, availableMargin],
    ['1000141.00', '5000.00', '1005141.00', '0.00', '1005141.00'],
  );
  const question = { ...LIMIT_BUY, tradingSymbol: 'RELIANCE-EQ', price: '1200' };
  const asked = assertSuccess(
    await world.call('/orderMargin', ALICE, question),
    'Fetched order margin successfully',
  ) as Record<string, string>;
  assert.deepEqual([asked.cash, asked.availableMargin], [cash, availableMargin]);
  await world.close();
});

test('limit counts what sales of the day brought only beyond what purchases cost, which is margin in use', async () => {
  const world = await openWorld();
  await world.place(ALICE, { transactionType: 'S', priceType: 'MKT', price: '0', quantity: '20' });
  await world.place(ALICE, { priceType: 'MKT', price: '0', quantity: '30' });
  const { cash, payin, marginused, availableMargin } = await limitOf(world);
  assert.deepEqual([cash, payin, marginused, availableMargin], ['1000000.00', '0.00', '73.50', '999926.50']);
  await world.close();
});
