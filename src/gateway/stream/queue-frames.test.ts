import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IDEA } from '../../../test/kit/wire/fake-instruments.ts';
import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { Book } from '../../core/exchange/book/book.ts';
import type { Order } from '../../core/order.ts';
import type { State } from '../../core/state.ts';
import type { GatewayParts } from '../deps.ts';
import { OpenOrders, readOpenOrders } from '../endpoints/orders/open-orders.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { Turns } from '../turns.ts';
import { queueFrames } from './queue-frames.ts';

const FIRST = 26_112_000_000_000;
const ORDERS = 3_000;
const MOST_ROWS = 100;
const ACCOUNT = 0 as AccountId;
const SIGHT = { instrument: IDEA, at: 0 } as unknown as Sight;

/** An account with many orders at one price. `seen`: how often an order was asked for, and the most in one piece. */
function restingOrders() {
  const book = new Book();
  const orders = new Map<OrderNumber, Order>();
  const price = 700 as Price;
  for (let serial = 1; serial <= ORDERS; serial += 1) {
    const number = (FIRST + serial) as OrderNumber;
    book.rest({ number, account: ACCOUNT, side: 'B', price, remaining: 1 as Quantity }, 0 as Quantity);
    const terms = { quantity: 1, price };
    orders.set(number, {
      number,
      instrument: IDEA.id,
      status: 'Open',
      side: 'B',
      filled: 0,
      terms,
    } as unknown as Order);
  }
  const seen = { looks: 0, inOnePiece: 0 };
  const findLive = (number: OrderNumber): Order | undefined => {
    seen.looks += 1;
    const order = orders.get(number);
    return order?.status === 'Open' ? order : undefined;
  };
  const account = { orders: [...orders.keys()] };
  const state = { orders: { findLive }, accounts: [account], books: new Map([[IDEA.id, book]]) } as unknown as State;
  /** Does a query, and notes the most looks that one of them took. */
  const query = <T>(ask: (state: State) => T): T => {
    const before = seen.looks;
    const value = ask(state);
    seen.inOnePiece = Math.max(seen.inOnePiece, seen.looks - before);
    return value;
  };
  const engine = { read: query, glance: query } as unknown as GatewayParts['engine'];
  return { parts: { engine, turns: new Turns() }, orders, account, seen };
}

test('a frame of queue places looks at the orders that it shows, however many the account has', async () => {
  const { parts, orders, seen } = restingOrders();
  const make = queueFrames(parts, ACCOUNT);
  const rowsOf = async (): Promise<number> => {
    const frames = await make(SIGHT);
    return String(frames?.newest?.bytes).split('"orderNumber"').length - 1;
  };
  assert.equal(await rowsOf(), MOST_ROWS);
  seen.looks = 0;
  assert.equal(await rowsOf(), MOST_ROWS);
  assert.ok(seen.looks <= MOST_ROWS + 1, `${seen.looks} looks`);
  for (const order of Array.from(orders.values()).slice(0, ORDERS - 7)) Object.assign(order, { status: 'Cancelled' });
  assert.equal(await rowsOf(), 7);
  seen.looks = 0;
  assert.equal(await rowsOf(), 7);
  assert.equal(seen.looks, 7, 'orders that ended are looked at once');
});

test('the open orders of a day are found in pieces, with those that come meanwhile', async () => {
  const { parts, orders, account, seen } = restingOrders();
  const ended = Array.from({ length: 100_000 }, (_, serial) => (FIRST + ORDERS + 1 + serial) as OrderNumber);
  account.orders.push(...ended);
  await queueFrames(parts, ACCOUNT)(SIGHT);
  const open = new OpenOrders(ACCOUNT);
  await readOpenOrders(parts, open);
  assert.ok(seen.inOnePiece <= 10_000 + MOST_ROWS + 1, `${seen.inOnePiece} orders in one piece`);
  const [first, ...rest] = orders.values();
  Object.assign(first as Order, { status: 'Complete' });
  const later = { ...(first as Order), number: (FIRST + ORDERS + 200_000) as OrderNumber, status: 'Open' } as const;
  orders.set(later.number, later);
  account.orders.push(later.number);
  seen.looks = 0;
  assert.deepEqual(
    parts.engine.glance((state) => open.all(state)),
    [...rest, later],
  );
  assert.ok(seen.looks <= ORDERS + 2, `${seen.looks} looks`);
});
