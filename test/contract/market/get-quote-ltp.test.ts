import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, RUPEES, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const MESSAGE = 'Quote LTP data retrieved successfully';

contractOf({
  path: '/getQuote/ltp',
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' },
  required: { ...badRequestFields('exchange'), tradingSymbol: ['BAD_REQUEST', 'Trading Symbol is required'] },
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: [{ companyName: TEXT, exchange: /^NSE$/, lastTradedPrice: RUPEES, requestTime: T1, token: INTEGER }],
});

test('getQuote/ltp answers a list of one, known by any spelling of an index and by URL-encoded symbols', async () => {
  const world = await openWorld();
  const tokenOf = async (tradingSymbol: string) => {
    const data = assertSuccess(await world.call('/getQuote/ltp', ALICE, { exchange: 'NSE', tradingSymbol }), MESSAGE);
    assert.equal((data as unknown[]).length, 1);
    return (data as { token: string }[])[0]?.token;
  };
  assert.equal(await tokenOf('Nifty 50'), '26000');
  assert.equal(await tokenOf('L%26TFH-EQ'), '24948');
  assert.equal(await tokenOf('L&TFH-EQ'), '24948');
  await world.close();
});

test('getQuote/ltp refuses unknown symbols, unknown exchanges and symbols of another exchange', async () => {
  const world = await openWorld();
  const ask = (exchange: string, tradingSymbol: string) =>
    world.call('/getQuote/ltp', ALICE, { exchange, tradingSymbol });
  assertFailure(await ask('NSE', 'NOSUCH-EQ'), 400, 'BAD_REQUEST', 'tradingSymbol');
  assertFailure(await ask('NSE', '%zz'), 400, 'BAD_REQUEST', 'tradingSymbol');
  assertFailure(await ask('BSE', 'IDEA-EQ'), 400, 'BAD_REQUEST', 'tradingSymbol');
  assertFailure(await ask('MCX', 'GOLD'), 400, 'BAD_REQUEST', 'exchange', 'Invalid exchange provided');
  await world.close();
});
