import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../../test/kit/rules.ts';
import { type AccountId, type InstrumentId, instrumentId, type OrderNumber } from '../../base/ids.ts';
import { type Paise, quantity, ZERO_PAISE } from '../../base/money.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';
import type { Account } from '../../core/account.ts';
import type { Order } from '../../core/order.ts';
import type { State } from '../../core/state.ts';
import { type ChargesSource, DayCharges } from './day-charges.ts';

const SHARE: InstrumentId = instrumentId('NSE', 1);
const ORDERS = 1_200;
const AT_A_TIME = 100;

/** An account with intraday orders of a share, each filled once. `looksOf`: how many orders some work looks at. */
function tradedDay() {
  const orders = new Map<OrderNumber, Order>();
  for (let number = 1; number <= ORDERS; number += 1) {
    const shared = {
      instrument: SHARE,
      kind: 'equity',
      side: 'B',
      isin: 'X',
      gross: false,
      product: 'I',
      squareOff: false,
    };
    const order = { ...shared, number, filled: 2, filledAmount: 1_000_00 + number };
    orders.set(number as OrderNumber, order as unknown as Order);
  }
  const fills = Array.from(orders.keys(), (order) => ({ order }));
  let looks = 0;
  const get = (number: OrderNumber): Order | undefined => {
    looks += 1;
    return orders.get(number);
  };
  const source = {
    state: { day: parseIsoDay('2026-11-20') as IstDay, orders: { get } } as unknown as State,
    trades: { fillsOf: () => fills },
    charges: RULES.charges,
  } as unknown as ChargesSource;
  const account = { id: 0, exercises: [], physicalDeliveries: [] } as unknown as Account;
  const looksOf = (work: () => unknown): number => {
    looks = 0;
    work();
    return looks;
  };
  return { source, account, looksOf };
}

/** The orders of which all units count as another product. */
function convert(account: Account, orders: number): void {
  const numbers = Array.from({ length: orders }, (_, place) => (place + 1) as OrderNumber);
  const units = numbers.map(() => quantity(2));
  account.converted = { orders: numbers, units, brokerage: ZERO_PAISE, levies: ZERO_PAISE };
}

/** Follows to the end; no step looks at more orders than it may. */
function followAll(charges: DayCharges, { source, account, looksOf }: ReturnType<typeof tradedDay>): Paise {
  let hasAll = false;
  for (let steps = 0; !hasAll; steps += 1) {
    assert.ok(steps <= (2 * ORDERS) / AT_A_TIME, 'it comes to an end');
    const looks = looksOf(() => {
      hasAll = charges.follow(source, account, AT_A_TIME);
    });
    assert.ok(looks <= AT_A_TIME, `${looks} orders in one step`);
  }
  return charges.totals(source, account).total;
}

test('a conversion of many orders is taken in step by step, as fills are', () => {
  const day = tradedDay();
  const charges = new DayCharges();
  const intraday = followAll(charges, day);
  convert(day.account, ORDERS);
  const delivered = followAll(charges, day);
  assert.notEqual(delivered, intraday);
  assert.equal(delivered, followAll(new DayCharges(), day));
  convert(day.account, 3);
  assert.equal(followAll(charges, day), followAll(new DayCharges(), day));
  convert(day.account, 0);
  assert.equal(followAll(charges, day), intraday);
});

test('a conversion looks at the orders alone whose units it changed', () => {
  const day = tradedDay();
  const charges = new DayCharges();
  convert(day.account, ORDERS);
  followAll(charges, day);
  convert(day.account, ORDERS - 1);
  assert.equal(
    day.looksOf(() => charges.follow(day.source, day.account, AT_A_TIME)),
    1,
  );
});

test('an account that asks before its day has begun pays nothing for conversions of the day before', () => {
  const day = tradedDay();
  const { source, account } = day;
  convert(account, 3);
  const charges = new DayCharges();
  assert.notEqual(followAll(charges, day), 0);
  const state = source.state as { day: number; portion: State['portion'] };
  state.day += 1;
  state.portion = { of: 'RollDay', number: 1, from: account.id, before: (state.day - 1) as IstDay };
  const begins = { ...day, source: { ...source, trades: { fillsOf: () => [] } } as unknown as ChargesSource };
  assert.equal(followAll(charges, begins), 0);
  delete account.converted;
  state.portion = { ...state.portion, from: (account.id + 1) as AccountId };
  assert.equal(followAll(charges, begins), 0, 'the orders of the day before are still there');
  state.portion = undefined;
  (source.state.orders as { get: unknown }).get = () => undefined;
  assert.equal(followAll(charges, begins), 0);
});
