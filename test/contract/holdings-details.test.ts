import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from './suite.ts';
import { assertSuccess, INTEGER, RUPEES, TEXT } from './wire-checks.ts';
import { ALICE, openWorld } from './world.ts';

const PATH = '/holdingsDetails';
const MESSAGE = 'Fetched holdings';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  data: [
    {
      exchangeTradingSymbol: [
        {
          exchange: /^(NSE|BSE)$/,
          token: INTEGER,
          tradingSymbol: TEXT,
          pricePrecision: /^2$/,
          tickSize: RUPEES,
          lotSize: INTEGER,
        },
      ],
      sellAmount: /^\d+\.\d{6}$/,
      holdQuantity: INTEGER,
      hairCut: RUPEES,
      dpQuantity: INTEGER,
      unPledgeQuantity: INTEGER,
      uploadPrice: RUPEES,
      BTSTQuantity: INTEGER,
      usedQuantity: INTEGER,
      tradeQuantity: INTEGER,
      brokerCollateralQuantity: INTEGER,
      beneficiaryQuantity: INTEGER,
      collateralQuantity: INTEGER,
    },
  ],
});

test('holdingsDetails counts what sales block and what they sold', async () => {
  const world = await openWorld();
  await world.place(ALICE, { transactionType: 'S', price: '7.40', quantity: '30' });
  await world.place(ALICE, { transactionType: 'S', priceType: 'MKT', price: '0', quantity: '20' });
  const [row] = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  const { holdQuantity, usedQuantity, tradeQuantity, sellAmount, uploadPrice } = row ?? {};
  assert.deepEqual(
    [holdQuantity, usedQuantity, tradeQuantity, sellAmount, uploadPrice],
    ['100', '50', '20', '141.000000', '7.00'],
  );
  await world.close();
});
