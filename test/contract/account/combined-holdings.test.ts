import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise, quantity } from '../../../src/base/money.ts';
import { unasked } from '../../kit/unasked.ts';
import { LTFH, RELIANCE } from '../../kit/wire/fake-instruments.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

const PATH = '/combinedHoldings';
const MESSAGE = 'Holdings fetched successfully';
const TOTALS = { investedValue: 'number', currentValue: 'number', pnl: 'number', pnlPercent: 'number' } as const;
const ROW = {
  exchange: /^(NSE|BSE)$/,
  tradingSymbol: TEXT,
  isin: /^[A-Z]{2}[A-Z0-9]{10}$/,
  quantity: 'number',
  averagePrice: 'number',
  lastTradedPrice: 'number',
  ...TOTALS,
} as const;
const LIST = { holdings: [ROW], ...TOTALS } as const;

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  data: { mutualFunds: LIST, stocks: LIST, combinedHoldings: TOTALS },
});

const NOTHING = { investedValue: 0, currentValue: 0, pnl: 0, pnlPercent: 0 };

test('combinedHoldings adds up cost and value of shares, and has no funds', async () => {
  const world = await openWorld();
  const credit = { account: ALICE.account, instrument: LTFH.id, quantity: quantity(3), cost: paise(50_000) };
  await world.engine.submit(unasked({ type: 'CreditHolding', ...credit }));
  const data = assertSuccess(await world.call(PATH, ALICE), MESSAGE);
  // 100 units at 7.00 are worth 7.10 each, and 3 that cost 500.00 are worth 150.00 each.
  assert.deepEqual(data, {
    mutualFunds: { holdings: [], ...NOTHING },
    stocks: {
      holdings: [
        {
          exchange: 'NSE',
          tradingSymbol: 'IDEA-EQ',
          isin: 'INE669E01016',
          quantity: 100,
          averagePrice: 7,
          lastTradedPrice: 7.1,
          investedValue: 700,
          currentValue: 710,
          pnl: 10,
          pnlPercent: 1.43,
        },
        {
          exchange: 'NSE',
          tradingSymbol: 'L&TFH-EQ',
          isin: 'INE498L01015',
          quantity: 3,
          averagePrice: 166.67,
          lastTradedPrice: 150,
          investedValue: 500,
          currentValue: 450,
          pnl: -50,
          pnlPercent: -10,
        },
      ],
      investedValue: 1200,
      currentValue: 1160,
      pnl: -40,
      pnlPercent: -3.33,
    },
    combinedHoldings: { investedValue: 1200, currentValue: 1160, pnl: -40, pnlPercent: -3.33 },
  });
  await world.close();
});

test('combinedHoldings of nothing is empty lists and zeros, also where shares cost nothing', async () => {
  const world = await openWorld();
  const empty = { holdings: [], ...NOTHING };
  const none = assertSuccess(await world.call(PATH, BOB), MESSAGE);
  assert.deepEqual(none, { mutualFunds: empty, stocks: empty, combinedHoldings: NOTHING });
  const gift = { account: BOB.account, instrument: RELIANCE.id, quantity: quantity(1), cost: paise(0) };
  await world.engine.submit(unasked({ type: 'CreditHolding', ...gift }));
  const { combinedHoldings } = assertSuccess(await world.call(PATH, BOB), MESSAGE) as Record<string, object>;
  assert.deepEqual(combinedHoldings, { investedValue: 0, currentValue: 1260, pnl: 1260, pnlPercent: 0 });
  await world.close();
});
