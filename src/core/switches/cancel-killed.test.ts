import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import { type Paise, price, quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Order } from '../order.ts';
import { emptyState, type State } from '../state.ts';
import { countKilledBy } from './cancel-killed.ts';
import type { SwitchTarget } from './switch.ts';

const ORDERS = 25_000;
const FIRST = 1_000_000;

function orderOf(place: number): Order {
  return {
    number: (FIRST + place) as OrderNumber,
    account: (place % 5) as AccountId,
    instrument: 1 as InstrumentId,
    kind: 'equity',
    group: 1 as InstrumentId,
    isin: 'INE000000001',
    side: 'B',
    product: 'C',
    remarks: '',
    gross: false,
    squareOff: place % 10 === 0,
    receivedAt: 1 as EpochMs,
    terms: { priceType: 'LMT', retention: 'DAY', quantity: quantity(1), price: price(1_000), trigger: price(0) },
    status: 'Open',
    afterMarket: undefined,
    exchangeOrder: (place + 1) as ExchangeOrderNumber,
    filled: quantity(0),
    filledAmount: 0 as Paise,
    updatedAt: 1 as EpochMs,
  };
}

function filled(): State {
  const state = emptyState();
  for (let place = 0; place < ORDERS; place += 1) state.orders.add(orderOf(place));
  return state;
}

/** The count and the number of its pauses. `atPause` is called at each of them. */
function counted(target: SwitchTarget, state: State, atPause: () => void = () => undefined): [number, number] {
  const counting = countKilledBy(target, state);
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = counting.next();
    if (done === true) return [value, pauses];
    atPause();
  }
}

test('the orders that a kill switch stops are counted with pauses, and those of the risk desk are not counted', () => {
  const state = filled();
  assert.deepEqual(counted({ kind: 'FullKill' }, state), [22_500, 2]);
  assert.deepEqual(counted({ kind: 'AccountKill', account: 0 as AccountId }, state), [2_500, 2]);
  assert.deepEqual(counted({ kind: 'AccountKill', account: 3 as AccountId }, state), [5_000, 2]);
});

test('a count goes on while orders end and another day begins', () => {
  const state = filled();
  let next = ORDERS;
  const endLast = (): void => {
    next -= 1;
    const order = state.orders.findLive((FIRST + next) as OrderNumber);
    if (order === undefined) return;
    order.status = 'Cancelled';
  };
  assert.deepEqual(counted({ kind: 'AccountKill', account: 4 as AccountId }, state, endLast), [4_999, 2]);
  assert.equal(counted({ kind: 'FullKill' }, state, () => state.orders.clear())[1], 2);
});
