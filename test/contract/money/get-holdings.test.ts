import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantity } from '../../../src/base/money.ts';
import { unasked } from '../../kit/unasked.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { HOLDINGS_SHAPE } from '../../kit/wire/shapes/money-shapes.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertShape, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/getHoldings';
const MESSAGE = 'Holdings';

contractOf({ path: PATH, message: MESSAGE, request: {}, data: HOLDINGS_SHAPE });

async function holdingsOf(world: World, user = ALICE) {
  const data = assertSuccess(await world.call(PATH, user), MESSAGE);
  assertShape(data, HOLDINGS_SHAPE);
  return data as { rows: Record<string, string>[] } & Record<string, string>;
}

test('getHoldings answers the cost, the value, the change of the day and the collateral of each share', async () => {
  const world = await openWorld();
  const { account } = ALICE;
  const pledge = { account, instrument: IDEA.id, quantity: quantity(40) };
  await world.engine.submit(unasked({ type: 'PledgeShares', ...pledge }));
  await world.place(ALICE, { ...LIMIT_BUY, transactionType: 'S', price: '7.30', quantity: '15' });
  const { rows, ...sums } = await holdingsOf(world);
  assert.equal(rows.length, 1);
  const [row = {}] = rows;
  assert.deepEqual(
    [row.tradingSymbol, row.quantity, row.pledged, row.used, row.salable, row.averagePrice],
    ['IDEA-EQ', '100', '40', '15', '45', '7.00'],
  );
  assert.deepEqual(
    [row.lastTradedPrice, row.previousClose, row.invested, row.value, row.result, row.dayChange],
    ['7.10', '7.00', '700.00', '710.00', '10.00', '10.00'],
  );
  const limits = JSON.parse((await world.call('/limit', ALICE)).text).data;
  assert.equal(row.collateral, limits.collateral);
  for (const name of ['invested', 'value', 'result', 'dayChange', 'collateral']) assert.equal(sums[name], row[name]);
  await world.close();
});

test('getHoldings of a user without shares is empty, also after purchases on the same day', async () => {
  const world = await openWorld();
  await world.place(BOB, MARKET_BUY);
  const { rows, value } = await holdingsOf(world, BOB);
  assert.deepEqual([rows, value], [[], '0.00']);
  await world.close();
});
