import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import { type Paise, price, quantity } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { isFinal } from '../broker/orders/life-cycle.ts';
import { INSTRUMENT_KINDS } from '../instrument.ts';
import { copyOf, ORDER_STATUSES, type Order, PRICE_TYPES, PRODUCTS, RETENTIONS } from '../order.ts';
import type { OrderScenario } from '../scenarios/order-scenario.ts';
import { encodeOrder } from '../snapshot/order-codec.ts';
import { OrderDay } from './order-day.ts';
import { OrderRows } from './order-rows.ts';
import { RowOrder } from './row-order.ts';

const ENDS = ORDER_STATUSES.filter(isFinal);
const LIVE = ORDER_STATUSES.filter((status) => !isFinal(status));
const TEXTS = ['', 'strategy 7', 'क्रम ₹', '\ud800 half a pair', '"quoted" \\ \u0000', 'x'.repeat(600)];
const SCENARIOS: readonly OrderScenario[] = [
  { reject: 'no ₹' },
  { fill: quantity(3), fills: 2, cancelAfter: 5_000, lostAnswer: true },
  { fillPercent: 50, lateFill: 0, duplicateFrame: true },
];

/** An order of any fields: the largest whole numbers stand beside the smallest. */
function anyOrder(random: Random, number: number): Order {
  const units = random.chance(10) ? Number.MAX_SAFE_INTEGER : 1 + random.below(1_000_000);
  const figure = (): number => (random.chance(10) ? Number.MAX_SAFE_INTEGER : random.below(1_000_000_000));
  const instrument = (1 + random.below(20)) as InstrumentId;
  const order: Order = {
    number: number as OrderNumber,
    account: (random.chance(5) ? 2 ** 32 - 1 : random.below(2_000)) as AccountId,
    instrument,
    kind: random.pick(INSTRUMENT_KINDS),
    group: random.chance(50) ? instrument : (random.below(5) as InstrumentId),
    isin: random.chance(50) ? '' : `INE${random.below(3)}`,
    side: random.pick(['B', 'S'] as const),
    product: random.pick(PRODUCTS),
    remarks: random.pick(TEXTS),
    gross: random.chance(50),
    squareOff: random.chance(50),
    receivedAt: figure() as EpochMs,
    terms: {
      priceType: random.pick(PRICE_TYPES),
      retention: random.pick(RETENTIONS),
      quantity: quantity(units),
      price: price(figure()),
      trigger: price(figure()),
    },
    status: 'Pending',
    afterMarket: random.chance(10) ? { day: random.below(30_000) as IstDay } : undefined,
    exchangeOrder: figure() as ExchangeOrderNumber,
    filled: quantity(random.below(units)),
    filledAmount: figure() as Paise,
    updatedAt: figure() as EpochMs,
  };
  const tags = random.pick([undefined, { strategy: random.pick(TEXTS) }, { strategy: 'a', device: 'b' }]);
  const scenario = random.chance(20) ? random.pick(SCENARIOS) : undefined;
  return { ...order, ...(tags && { tags }), ...(scenario && { scenario }) };
}

/** A day whose orders change and end one by one, beside a map of copies. */
class Pair {
  readonly random: Random;
  day = new OrderDay();
  readonly copies = new Map<OrderNumber, Order>();
  private readonly living: OrderNumber[] = [];
  private number = 26_010_100_000_001;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  step(): void {
    const { random } = this;
    const kind = random.below(10);
    if (kind < 4) this.add();
    else if (kind < 5) this.refuse();
    else if (kind < 7) this.change();
    else this.end();
  }

  /** A day of the same orders, added as they are: so a snapshot gives them, and a day that keeps some. */
  reload(): void {
    const again = new OrderDay();
    for (const order of this.day.values()) again.add(order);
    this.day = again;
  }

  compare(seed: number): void {
    const { day, copies } = this;
    const words = `seed ${seed}`;
    assert.equal(day.size, copies.size, words);
    assert.deepEqual([...day.keys()], [...copies.keys()], words);
    assert.deepEqual(Array.from(day.values(), copyOf), [...copies.values()], words);
    const rows = (orders: Iterable<Readonly<Order>>): string[] =>
      Array.from(orders, (order) => JSON.stringify(encodeOrder(order)));
    assert.deepEqual(rows(day.values()), rows(copies.values()), `${words}: the bytes of a dump`);
    const live = [...copies.values()].filter(({ status }) => !isFinal(status));
    assert.deepEqual(Array.from(day.live(), copyOf), live, words);
    for (const after of [...copies.keys()].filter((_, place) => place % 97 === 0)) {
      const behind = live.filter(({ number }) => number > after);
      assert.deepEqual(Array.from(day.live(after), copyOf), behind, `${words}, behind ${after}`);
    }
    for (const [number, copy] of copies) {
      for (const asked of [number - 1, number, number + 1]) {
        assert.deepEqual(copied(day.get(asked as OrderNumber)), copies.get(asked as OrderNumber), `${words}, ${asked}`);
        assert.equal(day.has(asked as OrderNumber), copies.has(asked as OrderNumber), `${words}, ${asked}`);
      }
      assert.deepEqual(copied(day.findLive(number)), isFinal(copy.status) ? undefined : copy, `${words}, ${number}`);
    }
    const facts = new Set(Array.from(copies.values(), factsOf));
    assert.deepEqual(new Set(Array.from(day.instruments(), factsOf)), facts, words);
  }

  private add(): void {
    this.number += this.random.below(1_000) === 0 ? 100_000_000 - this.random.below(50) : 1;
    const order = anyOrder(this.random, this.number);
    this.day.add(order);
    this.living.push(order.number);
    this.copies.set(order.number, structuredClone(order));
  }

  private change(): void {
    const number = this.living[this.random.below(this.living.length || 1)];
    if (number !== undefined) this.set(number, { ...anyOrder(this.random, 0), status: this.random.pick(LIVE) });
  }

  private end(): void {
    const [number] = this.living.splice(this.random.below(this.living.length || 1), 1);
    if (number === undefined) return;
    this.set(number, { ...anyOrder(this.random, 0), status: this.random.pick(ENDS), afterMarket: undefined });
  }

  /** Gives an order the changing fields of another one, the status last. */
  private set(number: OrderNumber, to: Order): void {
    const { terms, afterMarket, exchangeOrder, filled, filledAmount, updatedAt, status } = to;
    const changed = { terms, afterMarket, exchangeOrder, filled, filledAmount, updatedAt, status };
    Object.assign(must(this.day.findLive(number), 'it lives'), changed);
    this.copies.set(number, { ...must(this.copies.get(number), 'it was added'), ...structuredClone(changed) });
  }

  private refuse(): void {
    const numbers = [...this.copies.keys()];
    const copy = this.copies.get(numbers[this.random.below(numbers.length || 1)] ?? (0 as OrderNumber));
    if (copy === undefined) return;
    copy.updatedAt = this.random.below(1_000_000_000) as EpochMs;
    this.day.setUpdatedAt(copy.number, copy.updatedAt);
  }
}

function copied(order: Readonly<Order> | undefined): Order | undefined {
  return order && copyOf(order);
}

function factsOf({ instrument, kind, group, isin }: Pick<Order, 'instrument' | 'kind' | 'group' | 'isin'>): string {
  return JSON.stringify([instrument, kind, group, isin]);
}

describe('a day of rows answers as a map of objects does', () => {
  for (const seed of [1, 2, 20_260_101]) {
    it(`with gaps, over pages, and loaded again: seed ${seed}`, () => {
      const pair = new Pair(seed);
      for (let steps = 0; steps < 4_000; steps += 1) pair.step();
      assert.ok(pair.copies.size > 1_500);
      pair.compare(seed);
      pair.reload();
      pair.compare(seed);
      for (let steps = 0; steps < 1_000; steps += 1) pair.step();
      pair.compare(seed);
    });
  }
});

test('a field that a row gets wrong is found, whichever it is', () => {
  const pair = new Pair(5);
  for (let steps = 0; steps < 400; steps += 1) pair.step();
  pair.compare(5);
  const isFound = (): void => assert.throws(() => pair.compare(5), assert.AssertionError);
  for (const field of Object.keys(anyOrder(new Random(1), 1)).filter((name) => name !== 'number')) {
    const own = must(Object.getOwnPropertyDescriptor(RowOrder.prototype, field), `${field} is read from the row`);
    Object.defineProperty(RowOrder.prototype, field, { ...own, get: () => 'wrong' });
    isFound();
    Object.defineProperty(RowOrder.prototype, field, own);
  }
  const { at } = OrderRows.prototype;
  OrderRows.prototype.at = function (row, number) {
    return at.call(this, row, (number + 1) as OrderNumber);
  };
  isFound();
  OrderRows.prototype.at = at;
  pair.compare(5);
});

/** A live order of this number. */
function orderOf(number: number): Order {
  return { ...anyOrder(new Random(number), number), status: 'Open', afterMarket: undefined };
}

test('a number that is not an order number of the day is unknown', () => {
  const day = new OrderDay();
  assert.equal(day.get(1 as OrderNumber), undefined);
  day.add(orderOf(26_010_100_000_001));
  for (const odd of [0, -1, 1.5, 26_010_100_000_001.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.equal(day.get(odd as OrderNumber), undefined, String(odd));
    assert.equal(day.findLive(odd as OrderNumber), undefined, String(odd));
  }
});

test('an order number that does not increase is a bug', () => {
  const day = new OrderDay();
  day.add(orderOf(10));
  for (const low of [9, 10]) assert.throws(() => day.add(orderOf(low)), /order numbers increase/);
});

test('an order ends once, when it waits for no session', () => {
  const day = new OrderDay();
  day.add(orderOf(10));
  day.add({ ...orderOf(11), afterMarket: { day: 1 as IstDay } });
  const [open, waiting] = [...day.live()] as [Order, Order];
  assert.throws(() => Object.assign(waiting, { status: 'Cancelled' }), /waits for no session/);
  open.status = 'Complete';
  assert.throws(() => Object.assign(open, { status: 'Complete' }), /nothing changes an order that has ended/);
});

test('nobody can change an order that has ended, but for the instant of its last event', () => {
  const day = new OrderDay();
  day.add(orderOf(10));
  const order = must(day.findLive(10 as OrderNumber), 'it lives');
  order.status = 'Complete';
  const ended = copyOf(order);
  for (const field of ['terms', 'status', 'afterMarket', 'exchangeOrder', 'filled', 'filledAmount', 'updatedAt']) {
    const change = { [field]: ended[field as keyof Order] };
    assert.throws(() => Object.assign(order, change), /nothing changes an order that has ended/, field);
  }
  for (const field of ['account', 'side', 'remarks'])
    assert.throws(() => Object.assign(order, { [field]: 1 }), TypeError);
  day.setUpdatedAt(order.number, 7 as EpochMs);
  assert.deepEqual(copyOf(order), { ...ended, updatedAt: 7 });
});

test('an order that was given out shows the changes since, and a copy does not', () => {
  const day = new OrderDay();
  const first = orderOf(10);
  day.add(first);
  const [one, other] = [day.findLive(first.number), day.get(first.number)] as [Order, Readonly<Order>];
  const copy = copyOf(other);
  assert.equal(JSON.stringify(other), JSON.stringify(copy), 'as JSON it is its fields');
  one.filled = quantity(77);
  assert.equal(other.filled, 77);
  assert.deepEqual(copy, first);
});

test('a cleared day begins empty', () => {
  const day = new OrderDay();
  day.add(orderOf(10));
  day.add({ ...orderOf(11), status: 'Complete' });
  const before = [...day.values()];
  day.clear();
  assert.deepEqual(before.map(copyOf), [orderOf(10), { ...orderOf(11), status: 'Complete' }]);
  assert.deepEqual([day.size, [...day.values()], [...day.live()], [...day.instruments()]], [0, [], [], []]);
  assert.equal(day.get(10 as OrderNumber), undefined);
  const order = orderOf(5);
  day.add(order);
  assert.deepEqual(Array.from(day.values(), copyOf), [order]);
});
