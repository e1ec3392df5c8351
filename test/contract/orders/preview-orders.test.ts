/**
 * Contract tests of previewOrders: the words and figures of a preview are those that placing gives afterwards, to the
 * paisa, and a preview changes nothing.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderNumber } from '../../../src/base/ids.ts';
import { FUTURE } from '../../kit/wire/fake-instruments.ts';
import { PREVIEW_SHAPE } from '../../kit/wire/shapes/trial-shapes.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, paiseOf } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/previewOrders';
const MESSAGE = 'Orders previewed';
const { remarks: _remarks, ...SHARE } = LIMIT_BUY;
const OPTION = { ...SHARE, exchange: 'NFO', product: 'M', quantity: '65', price: '120.00' };
const leg = (transactionType: string, strike: string, price: string) => {
  return { ...OPTION, transactionType, tradingSymbol: `NIFTY29DEC26${strike}`, price };
};
/** An iron condor of limit orders that rest: the market stands at 130.00. */
const CONDOR = [
  leg('S', 'P23900', '141.00'),
  leg('S', 'C24050', '142.00'),
  leg('B', 'P23800', '118.00'),
  leg('B', 'C24100', '117.00'),
];

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { orders: [SHARE] },
  required: badRequestFields('orders'),
  fields: { orders: 'list' },
  data: PREVIEW_SHAPE,
});

interface Row {
  readonly [name: string]: string;
}
interface Preview {
  readonly orders: readonly (Row & { readonly warnings: readonly string[] })[];
  readonly bestOrder: readonly string[];
  readonly [figure: string]: unknown;
}

async function preview(world: World, orders: readonly object[]): Promise<Preview> {
  return assertSuccess(await world.call(PATH, ALICE, { orders }), MESSAGE) as Preview;
}

async function limit(world: World): Promise<Row> {
  return assertSuccess(await world.call('/limit', ALICE), 'Successfully fetched RMS limits') as Row;
}

async function placeAll(world: World, orders: readonly object[]): Promise<readonly Row[]> {
  const legs = orders.map((order) => ({ ...order, remarks: '' }));
  const rows = assertSuccess(await world.call('/basketOrder', ALICE, { legs }), 'Basket order details') as Row[];
  const book = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Row[];
  return rows.map(({ orderNumber }) => book.find((row) => row.orderNumber === orderNumber) as Row);
}

/** Previews orders, places them, and compares each word and figure that both have. */
async function assertForetold(world: World, orders: readonly object[]): Promise<Preview> {
  const before = await limit(world);
  const seen = await preview(world, orders);
  assert.deepEqual(await limit(world), before, 'a preview changes nothing');
  const placed = await placeAll(world, orders);
  const after = await limit(world);
  assert.equal(seen.marginUsed, before.marginused);
  assert.equal(seen.availableMargin, before.availableMargin);
  assert.equal(seen.marginUsedAfter, after.marginused);
  assert.equal(seen.availableAfter, after.availableMargin);
  assert.equal(Number(seen.blocked).toFixed(2), (Number(after.marginused) - Number(before.marginused)).toFixed(2));
  for (const [place, row] of placed.entries()) {
    const shown = seen.orders[place] as Row;
    assert.equal(shown.outcome, row.status === 'REJECTED' ? 'refused' : 'admitted');
    if (row.status === 'REJECTED') assert.equal(shown.reason, row.rejectReason);
    else assert.equal(Number(shown.filled), Number(row.fillShares));
  }
  return seen;
}

test('four resting legs block what the preview shows, to the paisa', async () => {
  const world = await openWorld();
  const seen = await assertForetold(world, CONDOR);
  assert.ok(seen.orders.every(({ outcome }) => outcome === 'admitted'));
  assert.ok(Number(seen.blocked) > 0);
  await world.close();
});

test('four resting legs beside earlier orders and positions block what the preview shows', async () => {
  const world = await openWorld();
  await placeAll(world, [leg('B', 'C24000', '200.00'), leg('S', 'P24000', '140.00')]);
  await assertForetold(world, CONDOR);
  await assertForetold(world, CONDOR.toReversed());
  await world.close();
});

test('market orders block what the preview shows where the depth stands still', async () => {
  const world = await openWorld();
  const atMarket = CONDOR.map((order) => ({ ...order, priceType: 'MKT', price: '0' }));
  const seen = await assertForetold(world, [atMarket[2], atMarket[3], atMarket[0], atMarket[1]] as object[]);
  assert.deepEqual(
    seen.orders.map(({ filled }) => filled),
    ['65', '65', '65', '65'],
  );
  await world.close();
});

test('shares for delivery and intraday, bought and sold, block what the preview shows', async () => {
  const world = await openWorld();
  const sale = { ...SHARE, transactionType: 'S', price: '7.30' };
  const bought = { ...SHARE, priceType: 'MKT', price: '0' };
  await assertForetold(world, [SHARE, sale, { ...sale, product: 'I' }, bought, { ...bought, product: 'I' }]);
  await assertForetold(world, [
    { ...sale, priceType: 'MKT', price: '0', quantity: '100' },
    { ...SHARE, quantity: '5' },
  ]);
  await world.close();
});

test('a refused order is named with its check and its words, and blocks nothing for those behind it', async () => {
  const world = await openWorld();
  const odd = { ...(CONDOR[0] as object), quantity: '64' };
  const tooDear = { ...SHARE, quantity: '100000', price: '7.00', exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
  const far = { ...tooDear, quantity: '900', price: '1200.00' };
  const delivery = {
    ...SHARE,
    exchange: 'NFO',
    tradingSymbol: FUTURE.tradingSymbol,
    quantity: '65',
    price: '24000.00',
  };
  const index = { ...SHARE, tradingSymbol: 'NIFTY', price: '24000.00' };
  const seen = await assertForetold(world, [odd, tooDear, far, delivery, index, SHARE]);
  assert.deepEqual(
    seen.orders.map(({ check, rule }) => [check, rule]),
    [
      ['the quantity is whole lots', 'R1.22'],
      ['price and trigger are inside the band', 'R1.41'],
      ['the margin is there', 'R4.27'],
      ['the product is enabled on the exchange', 'R3.3'],
      ['the instrument can be traded', 'R1.2'],
      ['', ''],
    ],
  );
  assert.equal(seen.orders[3]?.marginAlone, '0.00');
  assert.deepEqual([...seen.bestOrder].sort(), ['0', '1', '2', '3', '4', '5']);
  await world.close();
});

test('each order is judged as if those before it had been placed', async () => {
  const world = await openWorld();
  const sale = { ...SHARE, transactionType: 'S', price: '7.30', quantity: '60' };
  const seen = await assertForetold(world, [sale, sale]);
  assert.deepEqual(
    seen.orders.map(({ outcome, check }) => [outcome, check]),
    [
      ['admitted', ''],
      ['refused', 'a delivery sale has the shares'],
    ],
  );
  const share = { ...SHARE, tradingSymbol: 'RELIANCE-EQ', price: '1200.00', quantity: '500' };
  assert.deepEqual(
    (await assertForetold(world, [share, share])).orders.map(({ outcome }) => outcome),
    ['admitted', 'refused'],
  );
  await world.close();
});

test('the margins are those of orderMargin and basketMargin, and the best order needs least on the way', async () => {
  const world = await openWorld();
  const seen = await preview(world, CONDOR);
  const basket = async (orders: readonly object[]) => {
    const [first, ...BasketList_Params] = orders;
    const answer = await world.call('/basketMargin', ALICE, { ...first, BasketList_Params });
    return assertSuccess(answer, 'Fetched basket margin successfully') as Record<string, number>;
  };
  const given = await basket(CONDOR);
  assert.equal(Number(seen.margin), given.TradedMargin);
  assert.equal(Number(seen.peak), given.MarginOnNewOrder);
  let sum = 0;
  for (const [place, order] of CONDOR.entries()) {
    const alone = await world.call('/orderMargin', ALICE, order);
    const { marginOnNewOrder } = assertSuccess(alone, 'Fetched order margin successfully') as Row;
    assert.equal(seen.orders[place]?.marginAlone, marginOnNewOrder);
    sum += paiseOf(marginOnNewOrder);
  }
  assert.equal(paiseOf(String(seen.sumAlone)), sum);
  const peaks: number[] = [];
  for (const way of permutations(CONDOR)) peaks.push((await basket(way)).MarginOnNewOrder as number);
  assert.equal(Number(seen.bestPeak), Math.min(...peaks));
  assert.ok(Number(seen.bestPeak) < Number(seen.peak), 'the given order sells first, which needs more');
  const best = seen.bestOrder.map((place) => CONDOR[Number(place)] as object);
  assert.equal((await basket(best)).MarginOnNewOrder, Number(seen.bestPeak));
  await world.close();
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, place) =>
    permutations(list.filter((_, other) => other !== place)).map((rest) => [one, ...rest]),
  );
}

test('an order above the freeze quantity goes in the slices of placeOrder where slicing is on', async () => {
  const world = await openWorld({ slicing: 'on' });
  const large = { ...OPTION, tradingSymbol: 'NIFTY29DEC26C24000', quantity: '3640', price: '110.00' };
  const seen = await preview(world, [large]);
  assert.equal(seen.orders[0]?.slices, '3');
  assert.match(String(seen.orders[0]?.warnings[0]), /freeze quantity of 1800: placeOrder sends 3 orders/);
  await world.call('/placeOrder', ALICE, { ...large, remarks: '' });
  assert.equal((await limit(world)).marginused, seen.marginUsedAfter);
  const most = (await preview(world, [{ ...large, quantity: '65000' }])).orders[0];
  assert.deepEqual([most?.outcome, most?.reason], ['refused', 'quantity needs more than 10 slices']);
  await world.close();
});

test('a preview warns of a far price, of the protection of market orders and of a part that rests', async () => {
  const world = await openWorld();
  const warnings = async (order: object) => (await preview(world, [order])).orders[0]?.warnings;
  assert.deepEqual(await warnings({ ...SHARE, price: '6.00' }), ['The price is 15 % below the last price of 7.10.']);
  const market = { ...SHARE, priceType: 'MKT', price: '0' };
  assert.deepEqual(await warnings(market), ['The order buys at no more than 7.25, its protected price.']);
  assert.deepEqual(await warnings({ ...SHARE, price: '7.20', quantity: '2500' }), [
    '2000 of 2500 units find a counterparty now; the others rest at 7.20.',
  ]);
  assert.deepEqual(await warnings({ ...SHARE, retention: 'IOC' }), [
    '0 of 10 units find a counterparty now; the others end without a trade.',
  ]);
  await world.close();
});

test('an order for a closed market waits, blocks nothing, and warns of the money that it would lack', async () => {
  const world = await openWorld();
  world.now = (world.now + 11.6 * 3_600_000) as typeof world.now;
  const user = await world.logIn(ALICE);
  const dear = { ...SHARE, tradingSymbol: 'RELIANCE-EQ', price: '1200.00', quantity: '1000' };
  const seen = assertSuccess(await world.call(PATH, user, { orders: [dear] }), MESSAGE) as Preview;
  assert.equal(seen.orders[0]?.outcome, 'admitted');
  assert.equal(seen.blocked, '0.00');
  assert.match(String(seen.orders[0]?.warnings[0]), /waits for the session of 2026-11-20/);
  assert.match(String(seen.orders[0]?.warnings[1]), /RED:Margin Shortfall/);
  await world.close();
});

test('an order that would end a resting order of its own account is measured without it', async () => {
  const world = await openWorld();
  const future = { ...OPTION, tradingSymbol: FUTURE.tradingSymbol, price: '24100.00' };
  const number = await world.place(ALICE, { ...future, product: 'M' });
  const crossing = { ...future, transactionType: 'S', price: '24099.95' };
  const seen = await assertForetold(world, [crossing]);
  assert.equal(seen.orders[0]?.filled, '65');
  const order = world.engine.state.orders.get(Number(number) as OrderNumber);
  assert.equal(order?.status, 'Cancelled');
  await world.close();
});

test('charges are those of the value of each order, and of all together', async () => {
  const world = await openWorld();
  const { orders, charges } = await preview(world, CONDOR);
  const sum = orders.reduce((total, row) => total + Number(row.charges), 0);
  assert.ok(sum > 0);
  assert.ok(Math.abs(Number(charges) - sum) <= 0.02, 'the sum is rounded once');
  await world.close();
});

test('previewOrders names the field of a bad order, and takes 1 to 50 of them', async () => {
  const world = await openWorld();
  const many = 'orders must be an array of 1 to 50 orders';
  const wrong: [orders: unknown, field: string, message?: string][] = [
    [[], 'orders', 'required field is empty or missing: orders'],
    [Array(51).fill(SHARE), 'orders', many],
    [[SHARE, {}], 'exchange'],
    [[SHARE, { ...SHARE, price: '0' }], 'price'],
    [[SHARE, { ...SHARE, tradingSymbol: 'NOSUCH-EQ' }], 'tradingSymbol'],
    [[SHARE, 5], 'orders', 'each element of orders must be an object'],
  ];
  for (const [orders, field, message] of wrong) {
    assertFailure(await world.call(PATH, ALICE, { orders }), 400, 'BAD_REQUEST', field, message);
  }
  await world.close();
});

const LOOKS = 5;

test('50 orders are previewed in slices: no turn of the event loop works on them for 20 ms', async () => {
  const world = await openWorld();
  const orders = Array.from({ length: 50 }, (_, place) => CONDOR[place % 4] as object);
  await preview(world, orders);
  // A machine that stands still, or a collection of memory, makes one look longer, and not each of them.
  let longest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS && longest >= 20; look += 1) {
    longest = Math.min(longest, await longestTurn(() => preview(world, orders)));
  }
  assert.ok(longest < 20, `${longest.toFixed(1)} ms`);
  await world.close();
});

/** The most work of this thread between two looks, one in each turn of the event loop; in milliseconds of processor. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const worked = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest = 0;
  let last = worked();
  const look = () => {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  await work();
  clearImmediate(timer);
  return longest;
}
