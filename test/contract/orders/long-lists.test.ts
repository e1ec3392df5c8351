import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { OrderNumber } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import type { OrderTerms } from '../../../src/core/order.ts';
import { turnDays } from '../../kit/turn-days.ts';
import { unasked } from '../../kit/unasked.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { ALICE, BOB, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

/** More than are made at once, and not a whole number of pieces. */
const ORDERS = 950;
const BELOW = price(700);
/** Better than the market's bid, and below its offer. */
const BETWEEN = price(710);

type Row = Readonly<Record<string, string>>;

function terms(at: number, units: number): OrderTerms {
  return { priceType: 'LMT', retention: 'DAY', quantity: quantity(units), price: price(at), trigger: price(0) };
}

async function place(world: World, user: TestUser, side: 'B' | 'S', asked: OrderTerms): Promise<OrderNumber> {
  const common = { account: user.account, instrument: IDEA.id, side, product: 'I', remarks: '' } as const;
  const reply = await world.engine.submit(unasked({ type: 'PlaceOrder', ...common, terms: asked }));
  assert.ok(reply.type === 'OrderPlaced', JSON.stringify(reply));
  return reply.order;
}

/** A world in which a user has a long list of orders, some of which have ended. */
async function worldOfOrders(count = ORDERS): Promise<{ world: World; orders: OrderNumber[] }> {
  const world = await openWorld();
  for (const { account } of [ALICE, BOB])
    await world.engine.submit(unasked({ type: 'DepositCash', account, amount: paise(100_000_000_000), opening: true }));
  const orders: OrderNumber[] = [];
  for (let index = 0; index < count; index += 1) {
    const order = await place(world, ALICE, 'B', terms(index % 9 === 0 ? BETWEEN : BELOW, 10));
    orders.push(order);
    if (index % 5 === 0) await cancel(world, order);
  }
  return { world, orders };
}

function cancel(world: World, order: OrderNumber) {
  return world.engine.submit(unasked({ type: 'CancelOrder', account: ALICE.account, order }));
}

/** The work comes between two pieces of the next answer, each time with the count of pieces so far. */
function betweenPieces(world: World, work: (piece: number) => void): void {
  const { engine } = world;
  const { read, glance } = engine;
  let pieces = 0;
  engine.read = (query) => {
    const seen = read.call(engine, query) as ReturnType<typeof query>;
    engine.glance = (question) => {
      const piece = glance.call(engine, question) as ReturnType<typeof question>;
      pieces += 1;
      work(pieces);
      return piece;
    };
    return seen;
  };
}

/** More days than the history keeps, from behind a day on. */
function manyDaysAfter(day: number): number[] {
  return Array.from({ length: 10 }, (_, place) => day + 3 + place);
}

/** Changes orders in each way: by a modification, a cancellation, a fill, a refusal, and by new ones. */
function change(world: World, orders: readonly OrderNumber[], nth: number): void {
  const pick = (step: number): OrderNumber => must(orders[(nth * 37 + step * 211) % orders.length], 'an order');
  void world.engine.submit(
    unasked({ type: 'ModifyOrder', account: ALICE.account, order: pick(1), terms: terms(695, 20) }),
  );
  void cancel(world, pick(2));
  void cancel(world, pick(2));
  void place(world, BOB, 'S', terms(BETWEEN, 7));
  void place(world, ALICE, 'B', terms(BELOW, 3));
}

async function listed(world: World, path: string, body: object = {}): Promise<Row[]> {
  const { text } = await world.call(path, ALICE, body);
  return JSON.parse(text).data;
}

test('orderBook shows one moment, though orders change in every way while it is made', async () => {
  const { world, orders } = await worldOfOrders();
  const before = await listed(world, '/orderBook');
  assert.equal(before.length, ORDERS);
  betweenPieces(world, (piece) => change(world, orders, piece));
  assert.deepEqual(await listed(world, '/orderBook'), before);
  const { history } = world.engine.views;
  history.changedSince = () => undefined;
  const mixed = await listed(world, '/orderBook');
  delete (history as { changedSince?: unknown }).changedSince;
  assert.notDeepEqual(mixed.slice(0, ORDERS), (await listed(world, '/orderBook')).slice(0, ORDERS), 'the control');
  await world.close();
});

test('an orderBook over which the day turns is that of the new day', async () => {
  const { world } = await worldOfOrders(250);
  const { engine } = world;
  const { day } = engine.state;
  betweenPieces(world, (piece) => {
    if (piece !== 2) return;
    turnDays(world, [day + 3]);
  });
  assert.equal((await listed(world, '/orderBook')).length, 0);
  assert.ok(engine.state.day > day);
  await world.close();
});

test('singleOrderHistory of very many fills shows the steps of one moment, newest first', async () => {
  const { world } = await worldOfOrders(0);
  const order = await place(world, ALICE, 'B', terms(BETWEEN, 5_000));
  for (let fill = 0; fill < ORDERS; fill += 1) await place(world, BOB, 'S', terms(BETWEEN, 2));
  const record = must(world.engine.views.history.find(order), 'the order is there');
  assert.ok(record.entries.length > 400);
  betweenPieces(world, () => void place(world, BOB, 'S', terms(BETWEEN, 1)));
  const rows = await listed(world, '/singleOrderHistory', { orderNumber: String(order) });
  assert.deepEqual(
    rows.map(({ reportType, fillShares }) => [reportType, fillShares]),
    record.entries.map(({ reportType, filled }) => [reportType, String(filled)]).reverse(),
  );
  await world.close();
});

test('tradeBook shows the fills of one moment', async () => {
  const { world } = await worldOfOrders();
  for (let fill = 0; fill < 400; fill += 1) await place(world, BOB, 'S', terms(BETWEEN, 1));
  const fills = world.engine.views.trades.fillsOf(ALICE.account).length;
  assert.equal(fills, 400);
  betweenPieces(world, () => void place(world, BOB, 'S', terms(BETWEEN, 1)));
  assert.equal((await listed(world, '/tradeBook')).length, fills);
  assert.ok(world.engine.views.trades.fillsOf(ALICE.account).length > fills);
  await world.close();
});

test('tradeBook shows the fills of its moment, though more days turn meanwhile than the history keeps', async () => {
  const { world } = await worldOfOrders();
  for (let fill = 0; fill < 400; fill += 1) await place(world, BOB, 'S', terms(BETWEEN, 1));
  const { day } = world.engine.state;
  const before = await listed(world, '/tradeBook');
  assert.equal(before.length, 400);
  betweenPieces(world, (piece) => {
    if (piece === 2) turnDays(world, manyDaysAfter(day));
  });
  assert.deepEqual(await listed(world, '/tradeBook'), before);
  assert.equal((await listed(world, '/tradeBook')).length, 0);
  await world.close();
});

test('an orderBook over which more days turn than the history keeps is that of the last one', async () => {
  const { world } = await worldOfOrders(250);
  const { day } = world.engine.state;
  betweenPieces(world, (piece) => {
    if (piece === 2) turnDays(world, manyDaysAfter(day));
  });
  assert.equal((await listed(world, '/orderBook')).length, 0);
  await world.close();
});

test('getDayCurve is that of its moment, though more days turn meanwhile than the history keeps', async () => {
  const { world } = await worldOfOrders(10);
  await place(world, BOB, 'S', terms(BETWEEN, 5));
  const curveNow = async (): Promise<object> => JSON.parse((await world.call('/getDayCurve', ALICE, {})).text).data;
  const { points } = (await curveNow()) as { points: object[] };
  const { engine } = world;
  const { read } = engine;
  engine.read = (query) => {
    const seen = read.call(engine, query) as ReturnType<typeof query>;
    engine.read = read;
    turnDays(world, manyDaysAfter(engine.state.day));
    return seen;
  };
  assert.deepEqual(((await curveNow()) as { points: object[] }).points, points);
  await world.close();
});
