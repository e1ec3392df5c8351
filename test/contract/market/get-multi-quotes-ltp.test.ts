import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAD_LISTS } from '../../kit/wire/shapes/quote-shape.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, RUPEES, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const PATH = '/getMultiQuotes/ltp';
const MESSAGE = 'Multiple quotes LTP data retrieved successfully';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {
    data: [
      { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' },
      { exchange: 'BSE', tradingSymbol: 'IDEA' },
    ],
  },
  required: badRequestFields('data'),
  fields: { data: 'list' },
  data: [
    {
      companyName: TEXT,
      exchange: /^(NSE|BSE)$/,
      identifier: /^(NSE:RELIANCE-EQ|BSE:IDEA)$/,
      lastTradedPrice: RUPEES,
      requestTime: T1,
      token: 'number',
      tradingSymbol: TEXT,
    },
  ],
});

test('getMultiQuotes/ltp fails as a whole for one bad element, naming the field', async () => {
  const world = await openWorld();
  for (const [data, field, message] of BAD_LISTS) {
    assertFailure(await world.call(PATH, ALICE, { data }), 400, 'BAD_REQUEST', field, message);
  }
  await world.close();
});

test('getMultiQuotes/ltp answers text with quotes and accents as it is', async () => {
  const world = await openWorld();
  const data = [{ exchange: 'NSE', tradingSymbol: 'L%26TFH-EQ' }];
  const [row] = assertSuccess(await world.call(PATH, ALICE, { data }), MESSAGE) as Record<string, string>[];
  assert.equal(row?.companyName, 'L&T "FINANCE" HOLDINGS');
  assert.equal(row?.tradingSymbol, 'L&TFH-EQ');
  await world.close();
});
