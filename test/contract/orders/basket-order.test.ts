import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochMs } from '../../../src/base/time.ts';
import { Unavailable } from '../../../src/engine/port.ts';
import { expiring } from '../../kit/wire/expiring-instruments.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, type Seen, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/basketOrder';
const MESSAGE = 'Basket order details';
const { userId: _user, ...LEG } = { ...LIMIT_BUY, userId: '' };
const FUTURE_LEG = { ...LEG, exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', quantity: '65' };

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { legs: [LEG, { ...LEG, quantity: '11' }] },
  required: { legs: ['BAD_REQUEST', 'required field is empty or missing: legs'] },
  fields: { legs: 'list' },
  data: [{ orderNumber: ORDER_NUMBER, requestTime: T1 }],
});

type Row = Readonly<Record<string, string>>;

async function placedBy(seen: Seen | Promise<Seen>): Promise<readonly Row[]> {
  return assertSuccess(await seen, MESSAGE) as Row[];
}

async function book(world: World): Promise<readonly Row[]> {
  return assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Row[];
}

const wordsOf = ({ quantity, status, tradingSymbol }: Row): string => `${tradingSymbol} ${quantity} ${status}`;

test('basketOrder places its legs in their order, and the desk judges each by itself', async () => {
  const world = await openWorld();
  const legs = [LEG, { ...LEG, price: '7.03' }, { ...MARKET_BUY, quantity: '3' }, { ...FUTURE_LEG, price: '24000' }];
  const rows = await placedBy(world.call(PATH, ALICE, { legs }));
  const orders = await book(world);
  assert.deepEqual(
    rows.map(({ orderNumber }) => orderNumber),
    orders.map(({ orderNumber }) => orderNumber),
  );
  assert.deepEqual(orders.map(wordsOf), [
    'IDEA-EQ 10 OPEN',
    'IDEA-EQ 10 REJECTED',
    'IDEA-EQ 3 COMPLETE',
    'NIFTY29DEC26F 65 OPEN',
  ]);
  await world.close();
});

test('basketOrder places nothing when one leg is invalid, and names its field', async () => {
  const world = await openWorld();
  const wrong: [leg: unknown, field: string][] = [
    [{ ...LEG, quantity: 'x' }, 'quantity'],
    [{ ...LEG, product: undefined }, 'product'],
    [{ ...LEG, exchange: 'MCX' }, 'exchange'],
    [{ ...LEG, priceType: 'MKT' }, 'price'],
    [{ ...LEG, mkt_protection: '-1' }, 'mkt_protection'],
    [{ ...LEG, tradingSymbol: 'NOSUCH-EQ' }, 'tradingSymbol'],
    ['NSE:IDEA-EQ', 'legs'],
  ];
  for (const [leg, field] of wrong) {
    const seen = await world.call(PATH, ALICE, { legs: [LEG, leg] });
    assertFailure(seen, 400, 'BAD_REQUEST', field);
    if (field !== 'legs') assert.match(JSON.parse(seen.text).error.message, /^leg 2: /);
  }
  const contradictory = [
    { ...LEG, tradingSymbol: 'NOSUCH-EQ' },
    { ...LEG, price: '0' },
  ];
  const price = await world.call(PATH, ALICE, { legs: contradictory });
  assertFailure(price, 400, 'BAD_REQUEST', 'price');
  assert.match(JSON.parse(price.text).error.message, /^leg 2: /);
  const unknown = await world.call(PATH, ALICE, { legs: [LEG, LEG, { ...LEG, tradingSymbol: 'NOSUCH-EQ' }] });
  assertFailure(unknown, 400, 'BAD_REQUEST', 'tradingSymbol', 'leg 3: Security not found');
  assertFailure(await world.call(PATH, ALICE, { legs: Array(51).fill(LEG) }), 400, 'BAD_REQUEST', 'legs');
  assert.deepEqual(await book(world), []);
  assert.equal((await placedBy(world.call(PATH, ALICE, { legs: Array(50).fill(LEG) }))).length, 50);
  await world.close();
});

test('basketOrder under an Idempotency-Key is one basket, and 400 for another one', async () => {
  const world = await openWorld();
  const headers = { 'idempotency-key': 'basket-1' };
  const legs = [LEG, { ...LEG, quantity: '11' }];
  const first = await world.call(PATH, ALICE, { legs }, headers);
  world.now = (world.now + 5_000) as EpochMs;
  const again = await world.call(PATH, ALICE, { legs }, headers);
  assert.equal(again.text, first.text);
  const otherBasket = [LEG, { ...LEG, quantity: '12' }];
  const refused = await world.call(PATH, ALICE, { legs: otherBasket }, headers);
  assertFailure(refused, 400, 'BAD_REQUEST', 'Idempotency-Key', 'the key was used with another body');
  await world.call('/placeOrder', ALICE, LIMIT_BUY, { 'idempotency-key': 'order-1' });
  const taken = await world.call(PATH, ALICE, { legs }, { 'idempotency-key': 'order-1' });
  assertFailure(taken, 400, 'BAD_REQUEST', 'Idempotency-Key');
  assert.equal((await book(world)).length, 3, 'no leg of a refused basket was placed');
  await world.close();
});

test('basketOrder under a key that was used answers as it did first when a contract has expired since', async () => {
  const { instruments, expireAll } = expiring();
  const world = await openWorld({ instruments });
  const headers = { 'idempotency-key': 'basket-3' };
  const legs = [LEG, { ...FUTURE_LEG, price: '24000' }];
  const first = await world.call(PATH, ALICE, { legs }, headers);
  expireAll();
  assert.equal((await world.call(PATH, ALICE, { legs }, headers)).text, first.text);
  const other = await world.call(PATH, ALICE, { legs: [...legs, LEG] }, headers);
  assertFailure(other, 400, 'BAD_REQUEST', 'tradingSymbol', 'leg 3: Security not found');
  assertFailure(await world.call(PATH, ALICE, { legs }), 400, 'BAD_REQUEST', 'tradingSymbol');
  assert.equal((await book(world)).length, 2);
  await world.close();
});

test('basketOrder says which legs there was no room for, and a retry under the same key places them alone', async () => {
  const world = await openWorld();
  const { submit } = world.engine;
  let count = 0;
  world.engine.submit = async (submission) => {
    count += 1;
    if (count === 2) throw new Unavailable('full');
    return submit.call(world.engine, submission);
  };
  const legs = [LEG, { ...LEG, quantity: '11' }, { ...LEG, quantity: '12' }];
  const headers = { 'idempotency-key': 'basket-2' };
  const rows = await placedBy(world.call(PATH, ALICE, { legs }, headers));
  assert.deepEqual(
    rows.map(({ orderNumber, rejreason }) => [orderNumber !== '', rejreason !== undefined]),
    [
      [true, false],
      [false, true],
      [true, false],
    ],
  );
  const again = await placedBy(world.call(PATH, ALICE, { legs }, headers));
  assert.equal(again[0]?.orderNumber, rows[0]?.orderNumber);
  assert.equal(again[2]?.orderNumber, rows[2]?.orderNumber);
  assert.deepEqual((await book(world)).map(({ quantity }) => quantity).sort(), ['10', '11', '12']);
  world.engine.failure = new Unavailable('full');
  world.engine.submit = submit;
  assertFailure(await world.call(PATH, ALICE, { legs }), 503, 'SERVICE_UNAVAILABLE', 'server');
  await world.close();
});

test('each leg of basketOrder counts against the rate of its segment, and none when there is no room for all', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  const legs = Array(6).fill(LEG);
  await placedBy(world.call(PATH, ALICE, { legs }));
  const seen = await world.call(PATH, ALICE, { legs: [FUTURE_LEG, ...legs] });
  assertFailure(seen, 429, 'RATE_LIMIT_EXCEEDED', 'rate');
  await placedBy(world.call(PATH, ALICE, { legs: legs.slice(0, 4) }));
  const tenFutures = Array(10).fill({ ...FUTURE_LEG, price: '23900' });
  await placedBy(world.call(PATH, ALICE, { legs: tenFutures }));
  const eleven = await world.call(PATH, ALICE, { legs: Array(11).fill(LEG) });
  assertFailure(eleven, 400, 'BAD_REQUEST', 'legs');
  assert.equal((await book(world)).length, 20);
  await world.close();
});
