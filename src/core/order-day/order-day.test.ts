import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import { type Paise, price, quantity } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { isFinal } from '../broker/orders/life-cycle.ts';
import { INSTRUMENT_KINDS } from '../instrument.ts';
import { ORDER_STATUSES, type Order, PRICE_TYPES, PRODUCTS, RETENTIONS } from '../order.ts';
import type { OrderScenario } from '../scenarios/order-scenario.ts';
import { encodeOrder } from '../snapshot/order-codec.ts';
import { EndedOrders } from './ended-orders.ts';
import { OrderDay } from './order-day.ts';

const ENDS = ORDER_STATUSES.filter(isFinal);
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

/** A day whose orders end one by one, beside a map of copies that nothing packs. */
class Pair {
  readonly random: Random;
  day = new OrderDay();
  readonly copies = new Map<OrderNumber, Order>();
  private readonly living: Order[] = [];
  private number = 26_010_100_000_001;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  step(): void {
    const { random } = this;
    const kind = random.below(10);
    if (kind < 5) this.add();
    else if (kind < 6) this.refuse();
    else this.end();
  }

  /** A day of the same orders as a snapshot gives them: those that have ended are added as they are. */
  reload(): void {
    const again = new OrderDay();
    for (const order of this.day.values()) {
      const copy = { ...order };
      again.add(copy);
      const place = this.living.findIndex(({ number }) => number === order.number);
      if (place >= 0) this.living[place] = copy;
    }
    this.day = again;
  }

  compare(seed: number): void {
    const { day, copies } = this;
    const words = `seed ${seed}`;
    assert.equal(day.size, copies.size, words);
    assert.deepEqual([...day.keys()], [...copies.keys()], words);
    assert.deepEqual([...day.values()], [...copies.values()], words);
    const rows = (orders: Iterable<Readonly<Order>>): string[] =>
      Array.from(orders, (order) => JSON.stringify(encodeOrder(order)));
    assert.deepEqual(rows(day.values()), rows(copies.values()), `${words}: the bytes of a dump`);
    const live = [...copies.values()].filter(({ status }) => !isFinal(status));
    assert.deepEqual([...day.live()], live, words);
    for (const [number, copy] of copies) {
      for (const asked of [number - 1, number, number + 1]) {
        assert.deepEqual(day.get(asked as OrderNumber), copies.get(asked as OrderNumber), `${words}, ${asked}`);
        assert.equal(day.has(asked as OrderNumber), copies.has(asked as OrderNumber), `${words}, ${asked}`);
      }
      assert.deepEqual(day.findLive(number), isFinal(copy.status) ? undefined : copy, `${words}, ${number}`);
    }
    const facts = new Set(Array.from(copies.values(), factsOf));
    assert.deepEqual(new Set(Array.from(day.instruments(), factsOf)), facts, words);
  }

  private add(): void {
    this.number += this.random.below(1_000) === 0 ? 100_000_000 - this.random.below(50) : 1;
    const order = anyOrder(this.random, this.number);
    this.day.add(order);
    this.living.push(order);
    this.copies.set(order.number, structuredClone(order));
  }

  private end(): void {
    const [order] = this.living.splice(this.random.below(this.living.length || 1), 1);
    if (order === undefined) return;
    const fields = { ...anyOrder(this.random, 0), status: this.random.pick(ENDS), afterMarket: undefined };
    const { terms, status, afterMarket, exchangeOrder, filled, filledAmount, updatedAt } = fields;
    const changed = { terms, status, afterMarket, exchangeOrder, filled, filledAmount, updatedAt };
    this.copies.set(order.number, structuredClone(Object.assign(order, changed)));
    this.day.end(order);
  }

  private refuse(): void {
    const numbers = [...this.copies.keys()];
    const copy = this.copies.get(numbers[this.random.below(numbers.length || 1)] ?? (0 as OrderNumber));
    if (copy === undefined) return;
    copy.updatedAt = this.random.below(1_000_000_000) as EpochMs;
    this.day.setUpdatedAt(copy.number, copy.updatedAt);
  }
}

function factsOf({ instrument, kind, group, isin }: Pick<Order, 'instrument' | 'kind' | 'group' | 'isin'>): string {
  return JSON.stringify([instrument, kind, group, isin]);
}

describe('a day of packed orders answers as a map of objects does', () => {
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

test('a field that a packed order gets wrong is found, whichever it is', () => {
  const pair = new Pair(5);
  for (let steps = 0; steps < 400; steps += 1) pair.step();
  pair.compare(5);
  const { read } = EndedOrders.prototype;
  try {
    for (const field of Object.keys(anyOrder(new Random(1), 1))) {
      EndedOrders.prototype.read = function (row, number) {
        return { ...read.call(this, row, number), [field]: 'wrong' };
      };
      assert.throws(() => pair.compare(5), assert.AssertionError, field);
    }
  } finally {
    EndedOrders.prototype.read = read;
  }
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

test('an order is packed once, at its end, when it waits for no session', () => {
  const day = new OrderDay();
  const [open, waiting] = [orderOf(10), { ...orderOf(11), afterMarket: { day: 1 as IstDay } }];
  day.add(open);
  day.add(waiting);
  assert.throws(() => day.end(open), /at its end/);
  assert.throws(() => day.end(Object.assign(waiting, { status: 'Cancelled' })), /waits for no session/);
  open.status = 'Complete';
  day.end(open);
  assert.throws(() => day.end(open), /a live order has a page|an order ends once/);
});

test('nobody can change an order that has ended', () => {
  const day = new OrderDay();
  const order = orderOf(10);
  day.add(order);
  order.status = 'Complete';
  day.end(order);
  const ended = day.get(order.number) as Order;
  assert.throws(() => {
    ended.filled = quantity(0);
  }, TypeError);
  order.filled = quantity(0);
  assert.deepEqual(day.get(order.number), ended, 'the object that was packed is of no use');
});

test('a cleared day begins empty', () => {
  const day = new OrderDay();
  day.add(orderOf(10));
  day.add({ ...orderOf(11), status: 'Complete' });
  day.clear();
  assert.deepEqual([day.size, [...day.values()], [...day.live()], [...day.instruments()]], [0, [], [], []]);
  assert.equal(day.get(10 as OrderNumber), undefined);
  const order = orderOf(5);
  day.add(order);
  assert.deepEqual([...day.values()], [order]);
});
