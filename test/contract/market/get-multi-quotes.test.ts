import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAD_LISTS, quoteShape } from '../../kit/wire/shapes/quote-shape.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld } from '../../kit/wire/world.ts';

const PATH = '/getMultiQuotes';
const MESSAGE = 'Multiple quotes data retrieved successfully';
const WANTED = [
  { exchange: 'NSE', tradingSymbol: 'Nifty 50' },
  { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' },
  { exchange: 'NSE', tradingSymbol: 'idea-eq' },
  { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26C24000' },
];

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { data: WANTED },
  required: badRequestFields('data'),
  fields: { data: 'list' },
  data: [quoteShape(false)],
});

test('getMultiQuotes answers in the order of the request, with the symbol as it was asked but for an index', async () => {
  const world = await openWorld();
  const data = assertSuccess(await world.call(PATH, ALICE, { data: WANTED }), MESSAGE) as Record<string, string>[];
  assert.deepEqual(
    data.map(({ identifier, tradingSymbol }) => [identifier, tradingSymbol]),
    [
      ['NSE:NIFTY', 'NIFTY'],
      ['NSE:RELIANCE-EQ', 'RELIANCE-EQ'],
      ['NSE:idea-eq', 'idea-eq'],
      ['NFO:NIFTY29DEC26C24000', 'NIFTY29DEC26C24000'],
    ],
  );
  const [index] = data;
  assert.deepEqual([index?.bestBuyPrice1, index?.bestBuyQuantity1, index?.bestBuyOrder1], ['0.00', '0', '0']);
  assert.deepEqual([index?.instrumentName, index?.segment, index?.dayClosePrice], ['', 'Indices', '23999.90']);
  await world.close();
});

test('getMultiQuotes carries volume, open and oi under the names that adapters read', async () => {
  const world = await openWorld();
  const asked = [...WANTED, { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F' }];
  const seen = await world.call(PATH, ALICE, { data: asked });
  const data = assertSuccess(seen, MESSAGE) as Record<string, string>[];
  for (const { volume, open, oi, dayOpenPrice, openInterest } of data) {
    assert.deepEqual([open, `${oi}.00`], [dayOpenPrice, openInterest]);
    assert.match(String(volume), /^\d+$/);
  }
  assert.deepEqual([data[1]?.volume, data[4]?.oi], ['5000', '6500']);
  const wanted = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
  const single = await world.call('/getQuote', ALICE, wanted);
  const one = assertSuccess(single, 'Quote data retrieved successfully') as Record<string, string>;
  assert.deepEqual([one.volume, one.open, one.oi], [data[1]?.volume, data[1]?.open, data[1]?.oi]);
  await world.close();
});

test('getMultiQuotes shows the orders of users in the depth', async () => {
  const world = await openWorld();
  const best = async () => {
    const wanted = { data: [{ exchange: 'NSE', tradingSymbol: 'IDEA-EQ' }] };
    const [quote] = assertSuccess(await world.call(PATH, ALICE, wanted), MESSAGE) as Record<string, string>[];
    return [quote?.bestBuyPrice1, quote?.bestBuyQuantity1, quote?.bestBuyOrder1];
  };
  assert.deepEqual(await best(), ['7.05', '1000', '1']);
  await world.place(BOB, { ...LIMIT_BUY, price: '7.05', quantity: '30' });
  assert.deepEqual(await best(), ['7.05', '1030', '2']);
  await world.place(BOB, { ...LIMIT_BUY, price: '7.10', quantity: '7' });
  assert.deepEqual(await best(), ['7.10', '7', '1']);
  await world.close();
});

test('getMultiQuotes fails as a whole for one bad element, naming the field', async () => {
  const world = await openWorld();
  for (const [data, field, message] of BAD_LISTS) {
    assertFailure(await world.call(PATH, ALICE, { data }), 400, 'BAD_REQUEST', field, message);
  }
  const hundred = Array(100).fill({ exchange: 'NSE', tradingSymbol: 'IDEA-EQ' });
  assert.equal((await world.call(PATH, ALICE, { data: hundred })).status, 200);
  await world.close();
});
