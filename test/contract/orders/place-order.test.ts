import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../../src/engine/port.ts';
import { reloaded } from '../../kit/stored-state.ts';
import { expiring } from '../../kit/wire/expiring-instruments.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/placeOrder';
const MESSAGE = 'Order details';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: LIMIT_BUY,
  required: badRequestFields(
    'exchange',
    'retention',
    'product',
    'priceType',
    'tradingSymbol',
    'transactionType',
    'price',
    'quantity',
    'remarks',
  ),
  fields: {
    exchange: 'text',
    retention: 'text',
    product: 'text',
    priceType: 'text',
    tradingSymbol: 'text',
    transactionType: 'text',
    price: 'number',
    triggerPrice: 'number',
    quantity: 'number',
    remarks: 'blank',
  },
  data: { orderNumber: ORDER_NUMBER, requestTime: T1 },
});

async function placed(world: World, change: object, headers: object = {}): Promise<string> {
  const data = assertSuccess(await world.call(PATH, ALICE, { ...LIMIT_BUY, ...change }, headers), MESSAGE);
  return (data as { orderNumber: string }).orderNumber;
}

test('placeOrder takes numbers for numbers, blanks for optional fields and the old name of the trigger', async () => {
  const world = await openWorld();
  await placed(world, { price: 7, quantity: 1 });
  await placed(world, { price: 7.05, quantity: 1 });
  await placed(world, { triggerPrice: '' });
  await placed(world, { triggerPrice: undefined });
  await placed(world, { triggerPrice: null });
  await placed(world, { price: '7.0500', remarks: '' });
  await placed(world, { mkt_protection: '0' });
  await placed(world, { mkt_protection: 1 });
  await placed(world, { triggerPrice: undefined, priceType: 'SL-LMT', trgprc: '7.20', price: '7.30', product: 'I' });
  await world.close();
});

test('placeOrder refuses text that is not a price or a quantity', async () => {
  const world = await openWorld();
  const refused = async (change: object, field: string) =>
    assertFailure(await world.call(PATH, ALICE, { ...LIMIT_BUY, ...change }), 400, 'BAD_REQUEST', field);
  for (const price of ['-1', '1e2', ' 7', '7.', '.5', '07', '7.00001', '1234567890', '0x7', 'NaN', '7,00', '٧']) {
    await refused({ price }, 'price');
  }
  for (const quantity of ['0', '-1', '1.5', '01', ' 1', '1e3', '1234567890', 0, -1, 1.5]) {
    await refused({ quantity }, 'quantity');
  }
  await refused({ price: '7.001' }, 'price');
  await refused({ triggerPrice: 'x' }, 'triggerPrice');
  await refused({ mkt_protection: '-1' }, 'mkt_protection');
  await world.close();
});

test('placeOrder refuses words outside the closed sets', async () => {
  const world = await openWorld();
  const wrong: [field: string, values: string[]][] = [
    ['exchange', ['MCX', 'nse', 'CDS']],
    ['retention', ['GTC', 'EOS', 'day']],
    ['product', ['CNC', 'MIS', 'c']],
    ['priceType', ['LIMIT', 'SL', 'mkt']],
    ['transactionType', ['BUY', 'b']],
  ];
  for (const [field, values] of wrong) {
    for (const value of values) {
      const seen = await world.call(PATH, ALICE, { ...LIMIT_BUY, [field]: value });
      assertFailure(seen, 400, 'BAD_REQUEST', field);
    }
  }
  await world.close();
});

test('placeOrder holds price, trigger and retention to the price type', async () => {
  const world = await openWorld();
  const wrong: [change: object, field: string][] = [
    [{ price: '0' }, 'price'],
    [{ priceType: 'MKT' }, 'price'],
    [{ priceType: 'SL-LMT', price: '0', triggerPrice: '7.20' }, 'price'],
    [{ priceType: 'SL-MKT', triggerPrice: '7.20' }, 'price'],
    [{ priceType: 'SL-LMT' }, 'triggerPrice'],
    [{ priceType: 'SL-MKT', price: '0', triggerPrice: '' }, 'triggerPrice'],
    [{ triggerPrice: '7.20' }, 'triggerPrice'],
    [{ priceType: 'MKT', price: '0', triggerPrice: '7.20' }, 'triggerPrice'],
    [{ priceType: 'SL-LMT', triggerPrice: '7.20', price: '7.30', retention: 'IOC' }, 'retention'],
  ];
  for (const [change, field] of wrong) {
    const seen = await world.call(PATH, ALICE, { ...LIMIT_BUY, ...change });
    assertFailure(seen, 400, 'BAD_REQUEST', field);
  }
  await world.close();
});

test('placeOrder answers the first failure in the published order', async () => {
  const world = await openWorld();
  const { exchange: _exchange, ...noExchange } = LIMIT_BUY;
  const first = async (body: object, field: string) =>
    assertFailure(await world.call(PATH, ALICE, body), 400, 'BAD_REQUEST', field);
  await first({ ...noExchange, quantity: {}, product: 'X', price: '0' }, 'exchange');
  await first({ ...LIMIT_BUY, exchange: 'X', quantity: {}, price: '0' }, 'quantity');
  await first({ ...LIMIT_BUY, transactionType: 'X', price: '0', tradingSymbol: 'NOSUCH-EQ' }, 'transactionType');
  await first({ ...LIMIT_BUY, price: '0', tradingSymbol: 'NOSUCH-EQ' }, 'price');
  await first({ ...LIMIT_BUY, tradingSymbol: 'NOSUCH-EQ', quantity: '999999999' }, 'tradingSymbol');
  await world.close();
});

test('placeOrder gives a number to what the risk desk or the exchange refuses, and the books say why', async () => {
  const world = await openWorld();
  const reasons: [change: object, reason: RegExp][] = [
    [{ price: '7.03' }, /^16283:/],
    [{ quantity: '100001' }, /^RED:Freeze qty Set:100000 Current:100001 for C-AB1234 \[ONLINE\]$/],
    [{ transactionType: 'S', quantity: '101' }, /^RED:RULE:\{Check Holdings Including BTST\}/],
    [{ tradingSymbol: 'RELIANCE-EQ', price: '1200', quantity: '5000' }, /^RED:Margin Shortfall:INR /],
    [{ tradingSymbol: 'NIFTY' }, /^16387:/],
    [{ exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26C24000', product: 'M', price: '120', quantity: '64' }, /^16328:/],
  ];
  for (const [change, reason] of reasons) {
    const orderNumber = await placed(world, change);
    const seen = await world.call('/singleOrderHistory', ALICE, { orderNumber });
    const [newest] = assertSuccess(seen, 'Order history data received') as Record<string, string>[];
    assert.deepEqual([newest?.status, newest?.reportType], ['REJECTED', 'Rejected']);
    assert.match(String(newest?.rejectReason), reason);
  }
  await world.close();
});

test('placeOrder twice is two orders', async () => {
  const world = await openWorld();
  assert.notEqual(await placed(world, {}), await placed(world, {}));
  await world.close();
});

test('placeOrder under an Idempotency-Key answers the same bytes again, and 400 for another body', async () => {
  const world = await openWorld();
  const key = { 'idempotency-key': 'retry-1' };
  const first = await world.call(PATH, ALICE, LIMIT_BUY, key);
  world.now = (world.now + 5_000) as typeof world.now;
  const again = await world.call(PATH, ALICE, LIMIT_BUY, key);
  assert.equal(again.text, first.text);
  const other = await world.call(PATH, ALICE, { ...LIMIT_BUY, quantity: '11' }, key);
  assertFailure(other, 400, 'BAD_REQUEST', 'Idempotency-Key');
  assert.notEqual((await world.call(PATH, BOB, LIMIT_BUY, key)).text, first.text);
  const bad = await world.call(PATH, ALICE, LIMIT_BUY, { 'idempotency-key': 'x'.repeat(129) });
  assertFailure(bad, 400, 'BAD_REQUEST', 'Idempotency-Key');
  await world.close();
});

test('placeOrder under a key that was used answers as it did first when the contract has expired since', async () => {
  for (const slicing of ['off', 'on'] as const) {
    const { instruments, expireAll } = expiring();
    const world = await openWorld({ slicing, instruments });
    const future = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', price: '24000', quantity: '6500' };
    const key = { 'idempotency-key': 'retry-1' };
    const place = (change: object, headers: object) =>
      world.call(PATH, ALICE, { ...LIMIT_BUY, ...future, ...change }, headers);
    const first = await place({}, key);
    expireAll();
    assert.equal((await place({}, key)).text, first.text);
    const other = await place({ quantity: '6565' }, key);
    assertFailure(other, 400, 'BAD_REQUEST', 'Idempotency-Key', 'the key was used with another body');
    for (const headers of [{}, { 'idempotency-key': 'retry-2' }]) {
      assertFailure(await place({}, headers), 400, 'BAD_REQUEST', 'tradingSymbol', 'Security not found');
    }
    const ofBob = await world.call(PATH, BOB, { ...LIMIT_BUY, ...future }, key);
    assertFailure(ofBob, 400, 'BAD_REQUEST', 'tradingSymbol', 'Security not found');
    assert.equal(world.engine.state.orders.size, slicing === 'on' ? 4 : 1);
    await world.close();
  }
});

test('placeOrder keeps remarks of 256 characters as they are and refuses more', async () => {
  const world = await openWorld();
  const remarks = `<&>"\\/ 🚀 é ${'x'.repeat(200)}`;
  const orderNumber = await placed(world, { remarks });
  const seen = await world.call('/singleOrderHistory', ALICE, { orderNumber });
  const [row] = assertSuccess(seen, 'Order history data received') as { remarks: string }[];
  assert.equal(row?.remarks, remarks);
  await placed(world, { remarks: 'x'.repeat(256) });
  for (const bad of ['x'.repeat(257), '\ud800']) {
    assertFailure(await world.call(PATH, ALICE, { ...LIMIT_BUY, remarks: bad }), 400, 'BAD_REQUEST', 'remarks');
  }
  await world.close();
});

test('placeOrder keeps remarks with control characters as they are, wherever remarks are answered', async () => {
  const world = await openWorld();
  const remarks = `\n\t\r\0\b\f\x1b[31m\x1f\x7f\u0085\u2028 ",\\`;
  const orderNumber = await placed(world, { remarks });
  const told = async (path: string, message: string, fields: object) =>
    (assertSuccess(await world.call(path, ALICE, fields), message) as { remarks: string }[])[0]?.remarks;
  assert.equal(await told('/singleOrderHistory', 'Order history data received', { orderNumber }), remarks);
  assert.equal(await told('/orderBook', 'Order book', {}), remarks);
  await world.close();
});

test('placeOrder decodes the symbol, and market orders fill', async () => {
  const world = await openWorld();
  const orderNumber = await placed(world, { ...MARKET_BUY, tradingSymbol: 'L%26TFH-EQ' });
  const seen = await world.call('/singleOrderHistory', ALICE, { orderNumber });
  const [newest] = assertSuccess(seen, 'Order history data received') as Record<string, string>[];
  assert.deepEqual([newest?.tradingSymbol, newest?.status, newest?.averagePrice], ['L&TFH-EQ', 'COMPLETE', '150.05']);
  await world.close();
});

test('placeOrder above the freeze quantity is one order that is rejected, or slices of whole lots where they are turned on', async () => {
  const big = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', price: '24000', quantity: '6500' };
  const whole = await openWorld();
  assert.match(await placed(whole, big), ORDER_NUMBER);
  await whole.close();
  const world = await openWorld({ slicing: 'on' });
  const place = (change: object, headers: object = {}) =>
    world.call(PATH, ALICE, { ...LIMIT_BUY, ...big, ...change }, headers);
  const key = { 'idempotency-key': 'once' };
  const rows = assertSuccess(await place({}, key), MESSAGE) as { orderNumber: string; quantity: string }[];
  assert.deepEqual(
    rows.map(({ quantity }) => quantity),
    ['1755', '1755', '1755', '1235'],
  );
  assert.equal(new Set(rows.map(({ orderNumber }) => orderNumber)).size, 4);
  assert.deepEqual(assertSuccess(await place({}, key), MESSAGE), rows, 'a retry finds the same orders');
  assert.match(await placed(world, { ...big, quantity: '1755' }), ORDER_NUMBER);
  assertFailure(await place({ quantity: '17615' }), 400, 'BAD_REQUEST', 'quantity');
  await world.close();
});

test('placeOrder answers the slices that were placed when there is no room for the others, and 503 when there is for none', async () => {
  const world = await openWorld({ slicing: 'on' });
  const { engine } = world;
  const submit = engine.submit.bind(engine);
  let room = 2;
  engine.submit = (submission) => {
    if (submission.command.type === 'PlaceOrder') room -= 1;
    return room < 0 ? Promise.reject(new Unavailable('the inbox is full')) : submit(submission);
  };
  const big = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', price: '24000', quantity: '6500' };
  const place = () => world.call(PATH, ALICE, { ...LIMIT_BUY, ...big });
  const rows = assertSuccess(await place(), MESSAGE) as { orderNumber: string; quantity: string }[];
  const book = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as { orderNumber: string }[];
  assert.deepEqual(
    rows.map(({ quantity }) => quantity),
    ['1755', '1755'],
  );
  assert.deepEqual(
    rows.map(({ orderNumber }) => orderNumber).sort(),
    book.map(({ orderNumber }) => orderNumber).sort(),
  );
  assert.equal((await place()).status, 503);
  await world.close();
});

test('placeOrder keeps the strategy and the device that a program names, and orderBook shows them', async () => {
  const world = await openWorld();
  await placed(world, {});
  await placed(world, { strategyId: 'mean-reversion.2', deviceId: '' });
  await placed(world, { strategyId: 'a:1', deviceId: 'pi_4' });
  const rows = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Record<string, string>[];
  assert.deepEqual(
    rows.map(({ strategyId, deviceId }) => [strategyId, deviceId]),
    [
      [undefined, undefined],
      ['mean-reversion.2', undefined],
      ['a:1', 'pi_4'],
    ],
  );
  const { state } = world.engine;
  const restored = reloaded(state);
  assert.deepEqual(
    [...restored.orders.values()].map(({ tags }) => tags),
    [...state.orders.values()].map(({ tags }) => tags),
  );
  for (const strategyId of ['two words', 'x'.repeat(33), 'é', '<b>']) {
    const text = 'strategyId must be 1 to 32 letters, digits, points, dashes, colons or underlines';
    assertFailure(await world.call(PATH, ALICE, { ...LIMIT_BUY, strategyId }), 400, 'BAD_REQUEST', 'strategyId', text);
  }
  await world.close();
});
