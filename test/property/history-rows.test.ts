import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../../src/base/ids.ts';
import { inMemory, type MakeStore } from '../../src/base/logs/byte-log.ts';
import { price, type Quantity, quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import type { EpochMs, IstDay } from '../../src/base/time.ts';
import type { Event } from '../../src/core/event.ts';
import type { OrderTerms } from '../../src/core/order.ts';
import type { Refusal } from '../../src/core/refusals/refusal.ts';
import { chunkFiles } from '../../src/os/chunk-file.ts';
import { OrderHistory } from '../../src/views/order-history.ts';
import { NaiveHistory } from '../reference/naive-history.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'sauda-history-'));
after(() => rmSync(FOLDER, { recursive: true }));

const STORES: readonly [name: string, make: () => MakeStore][] = [
  ['in memory', () => inMemory],
  ['in files', () => chunkFiles(FOLDER)],
];

const DAYS = 10;
const EVENTS_A_DAY = 1_500;
const REFUSALS: readonly Refusal[] = [
  { rule: 'NotTradable' },
  { rule: 'TriggerAlreadyCrossed', trigger: price(5), last: price(6), riskGroup: '₹' },
];

/** Random lives of orders: some end at once, some live on while thousands of steps of others come, some for days. */
class Market {
  readonly random: Random;
  readonly naive = new NaiveHistory();
  history: OrderHistory;
  /** The row of each fill since the history was loaded. */
  rowsOfFills: (readonly [order: OrderNumber, filled: Quantity, row: number])[] = [];
  private readonly live: OrderNumber[] = [];
  private readonly ended: OrderNumber[] = [];
  private next = 26112300000001;
  private at = 1_000;

  constructor(seed: number, makeStore: MakeStore) {
    this.random = new Random(seed);
    this.history = new OrderHistory(makeStore);
  }

  beginDay(day: number): void {
    this.next += 1_000_000;
    this.take({ type: 'DayRolled', day: day as IstDay });
    this.ended.length = 0;
    while (this.live.length > 20) this.end(this.live[0] as OrderNumber);
  }

  step(): void {
    const { random } = this;
    this.at += random.below(50);
    if (this.live.length < 100 || random.chance(20)) return this.receive();
    if (this.ended.length > 0 && random.chance(10)) return this.refuse(random.pick(this.ended));
    this.advance(random.pick(this.live));
  }

  private receive(): void {
    const order = this.next as OrderNumber;
    this.next += this.random.chance(5) ? 9 : 1;
    const instrument = this.random.below(40) as InstrumentId;
    const words = { instrument, kind: 'equity', group: instrument, isin: '' } as const;
    const remarks = this.random.chance(70) ? '' : `रुपये ${order}`;
    const account = this.random.below(9) as AccountId;
    const side = this.random.pick(['B', 'S'] as const);
    const product = this.random.pick(['C', 'M', 'I'] as const);
    this.take({ ...words, type: 'OrderReceived', order, account, side, product, remarks, terms: this.terms() });
    if (this.random.chance(10)) {
      this.take({ type: 'OrderRejected', order, refusal: this.random.pick(REFUSALS) });
      this.ended.push(order);
    } else this.live.push(order);
  }

  private advance(order: OrderNumber): void {
    const { status, terms, filled } = this.naive.last(order);
    if (status === 'Pending') {
      const exchangeOrder = (1_100_000_000_000_000 + order) as ExchangeOrderNumber;
      return this.take({ type: 'OrderAcknowledged', order, exchangeOrder });
    }
    if (this.random.chance(15)) return this.end(order);
    if (this.random.chance(20)) return this.refuse(order);
    if (this.random.chance(20)) {
      const changed = { ...this.terms(), quantity: quantity(filled + 1 + this.random.below(50)) };
      return this.take({ type: 'OrderReplaced', order, terms: changed, keepsPriority: false });
    }
    if (status === 'TriggerPending') return this.take({ type: 'StopTriggered', order } as Event);
    this.trade(order, 1 + this.random.below(terms.quantity - filled));
  }

  private trade(order: OrderNumber, units: number): void {
    const side = { order, account: 0 as AccountId, product: 'C' } as const;
    this.take({
      type: 'Traded',
      trade: 1 as TradeId,
      instrument: 1 as InstrumentId,
      kind: 'equity',
      group: 1 as InstrumentId,
      tick: 1 as Tick,
      price: price(100 + this.random.below(100)),
      quantity: quantity(units),
      aggressor: 'B',
      ...(this.random.chance(50) ? { buy: side } : { sell: side }),
    });
    this.rowsOfFills.push([order, this.history.filled(order), this.history.newestRow(order)]);
    if (this.naive.last(order).status === 'Complete') this.retire(order);
  }

  private end(order: OrderNumber): void {
    const reason = this.random.pick(['Client', 'SelfTrade', 'OutsideBand'] as const);
    this.take({ type: 'OrderCancelled', order, reason });
    this.retire(order);
  }

  private refuse(order: OrderNumber): void {
    const type = this.random.pick(['ReplaceRejected', 'CancelRejected'] as const);
    this.take({ type, order, refusal: this.random.pick(REFUSALS) });
  }

  private retire(order: OrderNumber): void {
    this.live.splice(this.live.indexOf(order), 1);
    this.ended.push(order);
  }

  private terms(): OrderTerms {
    const { random } = this;
    const priceType = random.pick(['MKT', 'LMT', 'SL-LMT', 'SL-MKT'] as const);
    return {
      priceType,
      retention: random.pick(['DAY', 'IOC'] as const),
      quantity: quantity(1 + random.below(1_000)),
      price: price(random.below(10_000_000)),
      trigger: price(priceType.startsWith('SL') ? 1 + random.below(10_000_000) : 0),
    };
  }

  private take(event: Event): void {
    this.naive.apply(this.at as EpochMs, event);
    this.history.apply(this.at as EpochMs, event);
  }
}

/** Asks both for everything that an answer is made of. */
function compare({ history, naive, rowsOfFills }: Market): void {
  for (const number of naive.numbers()) {
    const expected = naive.find(number);
    assert.deepEqual(history.find(number), expected);
    const { entries: _, ...head } = expected as NonNullable<typeof expected>;
    assert.deepEqual(history.head(number), head);
    assert.equal(history.accountOf(number), head.account);
    assert.deepEqual(history.last(number), naive.last(number));
    assert.equal(history.filled(number), naive.last(number).filled);
    assert.deepEqual(history.ending(number), naive.ending(number));
    for (const { reportType, at } of naive.find(number)?.entries ?? []) {
      assert.deepEqual(history.stepAt(number, reportType, at), naive.stepAt(number, reportType, at));
    }
    assert.equal(history.modifications(number), naive.modifications(number));
  }
  const kept = new Set(naive.numbers());
  for (const [order, filled, row] of rowsOfFills) {
    if (kept.has(order)) assert.deepEqual(history.step(order, row), afterFill(naive, order, filled));
  }
  for (const instrument of naive.instruments()) assert.ok(history.instruments().has(instrument));
}

/** Asks a history that was loaded just now for the step of every fill. */
function compareFills({ history, naive }: Market): void {
  let fills = 0;
  for (const number of naive.numbers()) {
    for (const { filled } of naive.fills(number)) {
      const row = must(history.fillingRow(number, filled as Quantity), 'a fill has a step');
      assert.deepEqual(history.step(number, row), afterFill(naive, number, filled));
      fills += 1;
    }
    assert.equal(history.fillingRow(number, 1_000_000 as Quantity), undefined);
  }
  assert.ok(fills > 100, `${fills} fills`);
  assert.equal(history.fillingRow(1 as OrderNumber, 1 as Quantity), undefined);
}

/** The oldest step of an order with at least these units filled. */
function afterFill(naive: NaiveHistory, number: OrderNumber, filled: number): unknown {
  return naive.find(number)?.entries.find((entry) => entry.filled >= filled);
}

describe('the rows of order histories', () => {
  for (const [name, make] of STORES) {
    for (const seed of [1, 2]) {
      it(`answer as objects in a map do, over days, also from a snapshot: ${name}, seed ${seed}`, async () => {
        const makeStore = make();
        const market = new Market(seed, makeStore);
        for (let day = 1; day <= DAYS; day += 1) {
          market.beginDay(day);
          for (let event = 0; event < EVENTS_A_DAY; event += 1) {
            market.step();
            if (event % 1_000 === 0) await setImmediate();
          }
          if (day % 3 === 0) compare(market);
          if (day % 4 !== 0) continue;
          const rows = [...market.history.rows()].map((row) => JSON.stringify(row));
          market.history = new OrderHistory(makeStore);
          for (const row of rows) market.history.take(JSON.parse(row));
          market.rowsOfFills = [];
          assert.deepEqual(
            [...market.history.rows()].map((row) => JSON.stringify(row)),
            rows,
          );
          compareFills(market);
        }
        compare(market);
        assert.equal(market.history.find(1 as OrderNumber), undefined);
      });
    }
  }
});
