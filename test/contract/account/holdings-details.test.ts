import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantity } from '../../../src/base/money.ts';
import { unasked } from '../../kit/unasked.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, INTEGER, RUPEES, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

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

async function pledge(world: World, units: number): Promise<void> {
  const { account } = ALICE;
  const reply = await world.engine.submit(
    unasked({
      type: 'PledgeShares',
      account,
      instrument: IDEA.id,
      quantity: quantity(units),
    }),
  );
  assert.equal(reply.type, 'Done');
}

async function onlyRow(world: World): Promise<Record<string, string>> {
  const [row, ...others] = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  assert.ok(row !== undefined && others.length === 0);
  return row;
}

/** Units that the fields of a row add up to. Source: market-rules R5.19. */
function salable(row: Record<string, string>): number {
  const units = (...fields: string[]) => fields.reduce((sum, field) => sum + Number(row[field]), 0);
  const held = units('BTSTQuantity', 'holdQuantity', 'unPledgeQuantity', 'beneficiaryQuantity', 'dpQuantity');
  return held - units('usedQuantity');
}

test('holdingsDetails shows pledged shares as collateral, and what is left adds up to what can be sold', async () => {
  const world = await openWorld();
  await pledge(world, 60);
  const row = await onlyRow(world);
  const { holdQuantity, collateralQuantity, brokerCollateralQuantity, usedQuantity } = row;
  assert.deepEqual([holdQuantity, collateralQuantity, brokerCollateralQuantity, usedQuantity], ['40', '60', '60', '0']);
  assert.equal(salable(row), 40);
  assert.equal(salable(row) + Number(brokerCollateralQuantity), 100, 'all of them are the client’s own');
  const sell = { transactionType: 'S', price: '7.40' };
  const refused = await world.place(ALICE, { ...sell, quantity: '41' });
  const taken = await world.place(ALICE, { ...sell, quantity: '40' });
  const book = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Record<string, string>[];
  const reasonOf = (number: string) => book.find(({ orderNumber }) => orderNumber === number)?.rejectReason?.trim();
  assert.deepEqual(
    [reasonOf(refused), reasonOf(taken)],
    ['RED:RULE:{Check Holdings Including BTST}Eligible Sell:40', ''],
  );
  assert.equal(salable(await onlyRow(world)), 0);
  await world.close();
});

test('holdingsDetails gives the haircut of a share as a part of one, pledged or not', async () => {
  const world = await openWorld();
  assert.equal((await onlyRow(world)).hairCut, '0.10');
  await pledge(world, 60);
  const { hairCut } = await onlyRow(world);
  const { collateral } = assertSuccess(await world.call('/limit', ALICE), 'Successfully fetched RMS limits') as {
    collateral: string;
  };
  assert.deepEqual([hairCut, collateral], ['0.10', '378.00']);
  await world.close();
});
