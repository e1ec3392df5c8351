import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from './suite.ts';
import { assertFailure, assertSuccess, INTEGER, RUPEES, TEXT } from './wire-checks.ts';
import { ALICE, openWorld } from './world.ts';

const MESSAGE = 'Fetched security info successfully';

contractOf({
  path: '/securityInfo',
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' },
  required: badRequestFields('exchange', 'tradingSymbol'),
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: {
    companyName: TEXT,
    exchange: /^NSE$/,
    freezeQuantity: INTEGER,
    instrumentName: /^EQ$/,
    lotSize: INTEGER,
    mult: /^1$/,
    priceFactor: /^\(1 \/ 1 \) \* \(1 \/ 1\)$/,
    pricePrecision: /^2$/,
    segment: /^EQT$/,
    symbolName: /^IDEA$/,
    tickSize: RUPEES,
    token: INTEGER,
    tradingSymbol: /^IDEA-EQ$/,
  },
});

test('securityInfo names each kind of instrument, with its tick in rupees', async () => {
  const world = await openWorld();
  const info = async (exchange: string, tradingSymbol: string) => {
    const data = assertSuccess(await world.call('/securityInfo', ALICE, { exchange, tradingSymbol }), MESSAGE);
    const { instrumentName, segment, lotSize, tickSize } = data as Record<string, string>;
    return [instrumentName, segment, lotSize, tickSize];
  };
  assert.deepEqual(await info('NSE', 'NIFTY'), ['UNDIND', 'EQT', '1', '0.05']);
  assert.deepEqual(await info('BSE', 'IDEA'), ['A', 'EQT', '1', '0.05']);
  assert.deepEqual(await info('NFO', 'NIFTY29DEC26F'), ['FUTIDX', 'FNO', '65', '0.05']);
  assert.deepEqual(await info('NFO', 'NIFTY29DEC26P24000'), ['OPTIDX', 'FNO', '65', '0.05']);
  await world.close();
});

test('securityInfo refuses a contract that has expired', async () => {
  const world = await openWorld();
  const wanted = { exchange: 'NFO', tradingSymbol: 'NIFTY01DEC26C24000' };
  assert.equal((await world.call('/securityInfo', ALICE, wanted)).status, 200);
  world.now = (world.now + 12 * 86_400_000) as typeof world.now;
  const user = await world.logIn(ALICE);
  assertFailure(await world.call('/securityInfo', user, wanted), 400, 'BAD_REQUEST', 'tradingSymbol');
  await world.close();
});
