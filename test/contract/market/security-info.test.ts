import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRupees } from '../../../src/base/decimal.ts';
import { LTFH } from '../../kit/wire/fake-instruments.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, RUPEES, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld } from '../../kit/wire/world.ts';

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

test('securityInfo gives the freezeQuantity that admission asks, of a share and of an index', async () => {
  const world = await openWorld();
  const freezeOf = async (exchange: string, tradingSymbol: string) => {
    const data = assertSuccess(await world.call('/securityInfo', ALICE, { exchange, tradingSymbol }), MESSAGE);
    return Number((data as Record<string, string>).freezeQuantity);
  };
  const order = { ...LIMIT_BUY, tradingSymbol: 'L&TFH-EQ', product: 'C' };
  const reasonOf = async (change: object) => {
    const orderNumber = await world.place(ALICE, { ...order, ...change });
    const seen = await world.call('/singleOrderHistory', ALICE, { orderNumber });
    return (assertSuccess(seen, 'Order history data received') as Record<string, string>[])[0]?.rejectReason ?? '';
  };
  assert.equal(await freezeOf('NFO', 'NIFTY29DEC26C24000'), 1_800);
  assert.equal(await freezeOf('NSE', 'NIFTY'), 1_800);
  assert.equal(await freezeOf('NSE', 'IDEA-EQ'), 100_000);
  const most = await freezeOf('NSE', 'L&TFH-EQ');
  const { upper } = fakeMarket.band(LTFH.id, fakeMarket.tickAt(world.now));
  const dearest = formatRupees(upper);
  assert.ok(most > 0 && most * upper <= 10_000_000_000);
  assert.doesNotMatch(await reasonOf({ price: dearest, quantity: String(most) }), /single order value|Freeze/);
  assert.match(await reasonOf({ price: dearest, quantity: String(most + 1) }), /single order value/);
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
