import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, INTEGER, RUPEES } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld } from '../../kit/wire/world.ts';

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

test('positionBook shows a long, a short and a flat position, and computes results from the last price', async () => {
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

test('positionBook gives the average of the open lot when avgModel is running, and the same sums', async () => {
  const shown = await Promise.all(
    (['aggregate', 'running'] as const).map(async (avgModel) => {
      const world = await openWorld({ avgModel });
      const row = async () => {
        const rows = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
        const { netAveragePrice, RealizedPNL, unrealizedMTOM, totalMTM, totalPNL } = rows[0] ?? {};
        return [netAveragePrice, RealizedPNL, unrealizedMTOM, totalMTM, totalPNL].join(' ');
      };
      const order = { product: 'I', priceType: 'LMT' };
      await world.place(ALICE, { ...order, price: '7.15' });
      await world.place(ALICE, { ...order, price: '7.05', transactionType: 'S' });
      await world.place(BOB, { ...order, price: '7.10', transactionType: 'S' });
      await world.place(ALICE, { ...order, price: '7.10' });
      const rows = [await row()];
      const conversion = { tradingSymbol: 'IDEA-EQ', exchange: 'NSE', quantity: '5', msgFlag: '1' };
      for (const [previousProduct, product] of [
        ['I', 'C'],
        ['C', 'I'],
      ]) {
        await world.call('/productConversion', ALICE, { ...conversion, previousProduct, product });
        if (product === 'I') rows.push(await row());
      }
      await world.close();
      return rows;
    }),
  );
  assert.deepEqual(shown, [
    ['7.13 -0.75 -0.25 -1.00 -1.00', '7.13 -0.75 -0.25 -1.00 -1.00'],
    ['7.10 -1.00 0.00 -1.00 -1.00', '7.11 -0.87 -0.13 -1.00 -1.00'],
  ]);
});
