import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from './suite.ts';
import { assertSuccess, INTEGER, RUPEES } from './wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld } from './world.ts';

const PATH = '/positionBook';
const MESSAGE = 'Positions retrieved successfully';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  jKeyMissing: 'jKey is required',
  prepare: async (world) => {
    await world.place(ALICE, MARKET_BUY);
    return undefined;
  },
  data: [
    {
      RealizedPNL: RUPEES,
      cfBuyAmt: /^$/,
      cfBuyQty: /^$/,
      cfSellAmt: /^$/,
      cfSellQty: /^$/,
      dayBuyAmount: RUPEES,
      dayBuyAveragePrice: RUPEES,
      dayBuyQuantity: INTEGER,
      daySellAmount: RUPEES,
      daySellAveragePrice: RUPEES,
      daySellQuantity: INTEGER,
      exchange: /^NSE$/,
      lastTradedPrice: RUPEES,
      lotSize: INTEGER,
      netAveragePrice: RUPEES,
      netQuantity: INTEGER,
      netUploadPrice: RUPEES,
      product: /^C$/,
      tickSize: RUPEES,
      token: INTEGER,
      totalMTM: RUPEES,
      totalPNL: RUPEES,
      tradingSymbol: /^IDEA-EQ$/,
      unrealizedMTOM: RUPEES,
      uploadPrice: RUPEES,
      userId: /^AB1234$/,
    },
  ],
});

test('positionBook shows a long, a short and a flat position, and tells results from the last price', async () => {
  const world = await openWorld();
  const rows = async (user: typeof ALICE) =>
    (assertSuccess(await world.call(PATH, user), MESSAGE) as Record<string, string>[]).map((row) =>
      [row.product, row.netQuantity, row.netAveragePrice, row.dayBuyAmount, row.daySellAmount, row.RealizedPNL].join(
        ' ',
      ),
    );
  assert.deepEqual(await rows(ALICE), []);
  await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
  await world.place(BOB, { ...MARKET_BUY, product: 'I', transactionType: 'S', quantity: '3' });
  assert.deepEqual(await rows(ALICE), ['I 10 7.15 71.50 0.00 0.00']);
  assert.deepEqual(await rows(BOB), ['I -3 7.05 0.00 21.15 0.00']);
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S' });
  const [flat] = await rows(ALICE);
  assert.match(String(flat), /^I 0 0\.00 71\.50 70\.50 -1\.00$/);
  await world.close();
});
