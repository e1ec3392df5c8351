import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidRequest, inDoubt, RateLimited, TransportError } from '../../../client/src/errors.ts';
import { orderNumber } from '../../../client/src/order-number.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { OrderTaken } from '../../../client/src/results.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { type ChangingPorts, changeOnce, hasTerms, isCancelled } from './changing.ts';
import { PendingPlacements } from './pending.ts';
import { lookFor, type PlacingPorts, placeOnce } from './placing.ts';
import { placeBasketOnce } from './placing-basket.ts';
import { isRepeat, PressGuard } from './press.ts';
import type { SendingChange } from './sendings.ts';

const NUMBER = orderNumber('26112300000001');
const BUY: NewOrder = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  product: 'C',
  priceType: 'LMT',
  price: '405.00',
  quantity: '5',
};
const DAY = '23-11-2026';
const SENT = { userId: 'SD1001', order: BUY, idempotencyKey: 'press-1', day: DAY };

function taken(): OrderTaken {
  return { outcome: 'taken', orderNumber: NUMBER, requestTime: '', slices: [{ orderNumber: NUMBER }] };
}

function rowOf(change: Partial<OrderRow>): OrderRow {
  const row = { ...BUY, orderNumber: NUMBER, status: 'OPEN', rejectReason: ' ', fillShares: '', averagePrice: '0.00' };
  return { ...row, triggerPrice: '0.00', ...change } as OrderRow;
}

function noAnswer(): TransportError {
  return inDoubt(new TransportError('lost', 'no answer'), { ambiguous: true, idempotencyKey: 'press-1' });
}

class FakeStorage {
  private readonly kept = new Map<string, string>();
  getItem = (name: string): string | null => this.kept.get(name) ?? null;
  setItem = (name: string, text: string): void => void this.kept.set(name, text);
  removeItem = (name: string): void => void this.kept.delete(name);
}

/** A service whose answers a test writes down, on a clock that waits move. */
class FakeDesk implements PlacingPorts {
  at = 0;
  sent: string[] = [];
  looks = 0;
  isLoggedIn = true;
  answer: () => Promise<OrderTaken> = async () => taken();
  found: () => readonly (typeof NUMBER)[] = () => [];
  row: OrderRow | undefined = rowOf({});
  place = (_order: NewOrder, { idempotencyKey }: { idempotencyKey: string }): Promise<OrderTaken> => {
    this.sent.push(idempotencyKey);
    this.at += 12;
    return this.answer();
  };
  day = DAY;
  placement = async () => {
    this.looks += 1;
    return { orders: this.found(), day: this.day };
  };
  rowSoon = async () => this.row;
  now = () => this.at;
  pause = async (ms: number) => {
    if (!this.isPausing) return new Promise<void>(() => undefined);
    this.at += ms;
  };
  /** False while waits do not end. */
  isPausing = false;
  isOpen = () => this.isLoggedIn;
}

function logged(): { readonly note: (change: SendingChange) => void; readonly seen: SendingChange[] } {
  const seen: SendingChange[] = [];
  return { seen, note: (change) => void seen.push(change) };
}

function last(seen: readonly SendingChange[]): SendingChange {
  return Object.assign({}, ...seen);
}

function pendingOf(): PendingPlacements {
  return new PendingPlacements(new FakeStorage());
}

test('a placement shows the time to its number, and then what the risk desk and the exchange did', async () => {
  const [desk, pending, { note, seen }] = [new FakeDesk(), pendingOf(), logged()];
  const answer = await placeOnce(desk, pending, SENT, note);
  equal(answer?.outcome, 'taken');
  deepEqual(last(seen), { state: 'taken', reason: 'Open', took: 12, orders: [NUMBER] });
  deepEqual([desk.sent, pending.of('SD1001')], [['press-1'], []]);
});

test('a placement is never shown as taken before the service said so', async () => {
  const [desk, { note, seen }] = [new FakeDesk(), logged()];
  const held = Promise.withResolvers<OrderTaken>();
  desk.answer = () => held.promise;
  const outcome = placeOnce(desk, pendingOf(), SENT, note);
  await new Promise((resolve) => setImmediate(resolve));
  deepEqual(seen, []);
  held.resolve(taken());
  await outcome;
  equal(last(seen).state, 'taken');
});

test('an order that the risk desk refused is a refusal with its reason, although it has a number', async () => {
  const [desk, { note, seen }] = [new FakeDesk(), logged()];
  desk.row = rowOf({ status: 'REJECTED', rejectReason: 'RED:Margin Shortfall' });
  const answer = await placeOnce(desk, pendingOf(), SENT, note);
  equal(answer?.outcome, 'refused');
  deepEqual([last(seen).state, last(seen).reason], ['refused', 'RED:Margin Shortfall']);
});

test('a request that cannot be an order fails with the words of the service', async () => {
  const [desk, pending, { note, seen }] = [new FakeDesk(), pendingOf(), logged()];
  const facts = { status: 400, code: 'BAD_REQUEST', field: 'price', message: 'price must be 0 for MKT' };
  desk.answer = () => Promise.reject(new InvalidRequest(facts));
  equal(await placeOnce(desk, pending, SENT, note), undefined);
  deepEqual([last(seen).state, last(seen).reason], ['failed', 'price must be 0 for MKT']);
  deepEqual([desk.looks, pending.of('SD1001')], [0, []]);
});

test('a placement without an answer is looked for in the books and not sent by the page again', async () => {
  const [desk, pending, { note, seen }] = [new FakeDesk(), pendingOf(), logged()];
  desk.answer = () => Promise.reject(noAnswer());
  desk.found = () => {
    if (desk.looks < 3) throw new TransportError('lost', 'not reached');
    return [NUMBER];
  };
  desk.isPausing = true;
  const outcome = placeOnce(desk, pending, SENT, note);
  equal(pending.of('SD1001').length, 1, 'kept while it is not known');
  equal((await outcome)?.outcome, 'taken');
  equal(seen.find(({ state }) => state === 'looking')?.reason, 'Sent, no answer yet: looking.');
  deepEqual([last(seen).state, desk.sent, pending.of('SD1001')], ['taken', ['press-1'], []]);
});

test('a placement that the books do not have is looked for again before it counts as never placed', async () => {
  const [desk, pending, { note, seen }] = [new FakeDesk(), pendingOf(), logged()];
  desk.answer = () => Promise.reject(noAnswer());
  desk.isPausing = true;
  equal(await placeOnce(desk, pending, SENT, note), undefined);
  equal(desk.looks, 4);
  equal(last(seen).state, 'failed');
  match(last(seen).reason ?? '', /Nothing was placed/);
  deepEqual(pending.of('SD1001'), []);
});

test('a placement that is found late is one order, whatever was looked for before', async () => {
  const [desk, { note, seen }] = [new FakeDesk(), logged()];
  desk.found = () => (desk.looks < 4 ? [] : [NUMBER]);
  desk.isPausing = true;
  equal((await lookFor(desk, pendingOf(), { idempotencyKey: 'press-1', day: DAY }, note, 0))?.outcome, 'taken');
  deepEqual([last(seen).state, last(seen).took, desk.sent], ['taken', 7_000, []]);
});

test('a placement stays in doubt when the session ends, and is kept for the next one', async () => {
  const [desk, pending, { note, seen }] = [new FakeDesk(), pendingOf(), logged()];
  desk.answer = () => Promise.reject(noAnswer());
  desk.isLoggedIn = false;
  desk.isPausing = true;
  equal(await placeOnce(desk, pending, SENT, note), undefined);
  equal(last(seen).state, 'in doubt');
  deepEqual(
    pending.of('SD1001').map(({ text }) => text),
    ['Buy 5 ITC-EQ at 405.00'],
  );
  deepEqual(pending.of('SD1002'), []);
});

test('a placement that the books do not have is not denied when the day of the market has turned since', async () => {
  const [desk, pending, { note, seen }] = [new FakeDesk(), pendingOf(), logged()];
  desk.isPausing = true;
  desk.day = '24-11-2026';
  pending.add({ userId: 'SD1001', idempotencyKey: 'press-1', text: 'Buy', day: DAY });
  const [one] = pending.of('SD1001');
  equal(await lookFor(desk, pending, one ?? { idempotencyKey: '', day: '' }, note, 0), undefined);
  equal(last(seen).state, 'in doubt');
  match(last(seen).reason ?? '', /^Not known: the day has turned/);
  deepEqual(pending.of('SD1001'), [], 'nothing can be learnt by its key any more');
});

test('text of another page is not looked for', () => {
  const storage = new FakeStorage();
  const pending = new PendingPlacements(storage);
  for (const text of ['no JSON', '{}', '[1, null, {"userId": 7}]']) {
    storage.setItem('sauda.pending', text);
    deepEqual(pending.of('SD1001'), [], text);
  }
});

test('a basket is kept with the tab until its outcome is known, and a refusal is not a doubt', async () => {
  const [pending, { note, seen }] = [pendingOf(), logged()];
  const sent = { userId: 'SD1001', orders: [BUY, BUY], idempotencyKey: 'press-1', day: DAY };
  const placed = (error: Error) =>
    placeBasketOnce({ placeBasket: () => Promise.reject(error), now: () => 0 }, pending, sent, note);
  equal((await placed(noAnswer())).state, 'in doubt');
  equal((await placed(noAnswer())).state, 'in doubt');
  deepEqual(
    pending.of('SD1001').map(({ idempotencyKey, count }) => [idempotencyKey, count]),
    [['press-1', 2]],
  );
  const facts = { status: 429, code: 'TOO_MANY', field: 'rate', message: 'wait' };
  equal((await placed(new RateLimited(facts))).state, 'failed');
  deepEqual([last(seen).state, pending.of('SD1001')], ['failed', []]);
});

test('a basket of which the books have a part is not shown as taken', async () => {
  const [desk, { note, seen }] = [new FakeDesk(), logged()];
  desk.found = () => [NUMBER];
  equal(await lookFor(desk, pendingOf(), { idempotencyKey: 'press-1', count: 2, day: DAY }, note, 0), undefined);
  equal(last(seen).state, 'in doubt');
  match(last(seen).reason ?? '', /1 of 2 orders are in the order book/);
});

function changing(desk: FakeDesk, look: () => OrderRow): ChangingPorts {
  desk.isPausing = true;
  const { now, pause, isOpen } = desk;
  return { now, pause, isOpen, look: async () => look() };
}

test('a cancellation without an answer has the outcome that the order book shows', async () => {
  for (const [status, state] of [
    ['CANCELED', 'taken'],
    ['OPEN', 'failed'],
  ] as const) {
    const { note, seen } = logged();
    const ports = changing(new FakeDesk(), () => rowOf({ status }));
    await changeOnce(ports, () => Promise.reject(noAnswer()), isCancelled, note);
    equal(last(seen).state, state, status);
  }
});

test('a modification counts as made when the order has all terms that were asked for', () => {
  const row = rowOf({ price: '405.50', quantity: '10' });
  equal(hasTerms({ price: '405.5', quantity: '10' })(row), true);
  equal(hasTerms({ price: '405.55' })(row), false);
  equal(hasTerms({ quantity: '11' })(row), false);
  equal(hasTerms({ priceType: 'MKT', price: '0', mkt_protection: '1' })(row), true);
  equal(hasTerms({ priceType: 'SL-LMT', triggerPrice: '406.00' })(row), false);
});

test('a refused modification keeps its reason', async () => {
  const { note, seen } = logged();
  const ports = changing(new FakeDesk(), () => rowOf({}));
  const refused = { outcome: 'refused', orderNumber: NUMBER, reason: 'SAF:order is not open to modify' } as const;
  await changeOnce(ports, async () => refused, hasTerms({}), note);
  deepEqual([last(seen).state, last(seen).reason], ['refused', 'SAF:order is not open to modify']);
});

test('one press is one order: held keys, double clicks and presses on the way are passed over', () => {
  equal(isRepeat({ repeat: true }), true);
  equal(isRepeat({ detail: 2 }), true);
  equal(isRepeat({ detail: 1 }), false);
  equal(isRepeat({ repeat: false, detail: 0 }), false);
  let now = 0;
  const guard = new PressGuard(() => now);
  equal(guard.take('buy'), true);
  now = 10_000;
  equal(guard.take('buy'), false, 'the outcome of the first is not known');
  equal(guard.take('sell'), true);
  guard.settle('buy');
  equal(guard.take('buy'), true);
  guard.settle('buy');
  now += 499;
  equal(guard.take('buy'), false, 'the tail of a double click');
  now += 1;
  equal(guard.take('buy'), true);
});
