import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantity } from '../../../src/base/money.ts';
import { unasked } from '../../kit/unasked.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

const MESSAGE = 'Fetched holdings';

contractOf({
  path: '/holdings',
  message: MESSAGE,
  request: {},
  data: [{ exchange: /^(NSE|BSE)$/, tradingSymbol: /^IDEA(-EQ)?$/ }],
});

test('holdings has one row for each listing of what is held, and none without holdings', async () => {
  const world = await openWorld();
  assert.deepEqual(assertSuccess(await world.call('/holdings', ALICE), MESSAGE), [
    { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' },
    { exchange: 'BSE', tradingSymbol: 'IDEA' },
  ]);
  assert.deepEqual(assertSuccess(await world.call('/holdings', BOB), MESSAGE), []);
  await world.close();
});

test('holdings lists shares that are all pledged: they are still held', async () => {
  const world = await openWorld();
  const { account } = ALICE;
  await world.engine.submit(unasked({ type: 'PledgeShares', account, instrument: IDEA.id, quantity: quantity(100) }));
  assert.equal((assertSuccess(await world.call('/holdings', ALICE), MESSAGE) as object[]).length, 2);
  await world.close();
});
