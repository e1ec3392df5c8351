import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import { price, quantity } from '../base/money.ts';
import { Random } from '../base/random.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Event } from '../core/event.ts';
import { OrderHistory } from './order-history.ts';
import { entryOf, type Fill, TradeBook } from './trade-book.ts';

const FIRST = 26_112_300_000_001;
const ACCOUNTS = 4;
const UNITS = 10_000;
const INSTRUMENT = 7 as InstrumentId;

type BareFill = Omit<Fill, 'row'>;

/** A trade book over few orders with thousands of fills, beside lists of them. */
class Pair {
  private readonly random: Random;
  history = new OrderHistory();
  book = new TradeBook();
  readonly kept = Array.from({ length: ACCOUNTS }, (): BareFill[] => []);
  private readonly filled: number[] = [];
  private at = 1_000;
  private trade = 1;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  accountOf(order: number): AccountId {
    return ((order - FIRST) % ACCOUNTS) as AccountId;
  }

  receive(): void {
    const order = (FIRST + this.filled.length) as OrderNumber;
    const facts = { instrument: INSTRUMENT, kind: 'equity', group: INSTRUMENT, isin: 'X' } as const;
    const terms = {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(UNITS),
      price: price(5),
      trigger: price(0),
    } as const;
    const [account, side] = [this.accountOf(order), this.filled.length % 2 === 0 ? 'B' : 'S'] as const;
    this.take({ ...facts, type: 'OrderReceived', order, account, side, product: 'C', remarks: '', terms });
    this.take({ type: 'OrderAcknowledged', order, exchangeOrder: 11e14 as ExchangeOrderNumber });
    this.filled.push(0);
  }

  /** A trade of one order with the market, or of a buy with a sale of another account. */
  fill(): void {
    const { random } = this;
    const buy = 2 * random.below(this.filled.length / 2);
    const sell = random.chance(50) ? buy + 1 : undefined;
    this.trade += 1 + random.below(3);
    this.at += random.below(50);
    const side = (order: number) =>
      ({
        order: (FIRST + order) as OrderNumber,
        account: this.accountOf(FIRST + order),
        product: 'C',
      }) as const;
    const trade = {
      trade: this.trade as TradeId,
      instrument: INSTRUMENT,
      price: price(1 + random.below(1_000)),
      quantity: quantity(1 + random.below(2)),
    };
    const legs = { buy: side(buy), ...(sell === undefined ? {} : { sell: side(sell) }) };
    const facts = { kind: 'equity', group: INSTRUMENT, tick: 1 as Tick, aggressor: 'B' } as const;
    this.take({ type: 'Traded', ...trade, ...facts, ...legs });
    for (const order of sell === undefined ? [buy] : [buy, sell]) this.keep(order, trade);
  }

  beginDay(): void {
    this.take({ type: 'DayRolled', day: 20_501 as IstDay, before: 20_500 as IstDay } as unknown as Event);
    for (const kept of this.kept) kept.length = 0;
  }

  reload(): void {
    const [history, book] = [new OrderHistory(), new TradeBook()];
    for (const row of [...this.history.rows()]) history.take(JSON.parse(JSON.stringify(row)));
    for (const row of [...this.book.rows()]) book.take(JSON.parse(JSON.stringify(row)), history);
    this.history = history;
    this.book = book;
  }

  compare(): void {
    const { book, history } = this;
    for (const [account, kept] of this.kept.entries()) {
      const fills = book.fillsOf(account as AccountId);
      assert.deepEqual(fills.slice(0, fills.length).map(bare), kept);
      assert.deepEqual(fills.slice(2, 5).map(bare), kept.slice(2, 5));
      for (let trade = 0; trade <= this.trade + 1; trade += 1) {
        const found = book.fillOf(account as AccountId, trade as TradeId);
        assert.deepEqual(
          found && bare(found),
          kept.find((fill) => fill.trade === trade),
        );
      }
      for (const fill of fills.slice(0, fills.length)) {
        const { reportType, filled, at } = entryOf(fill, history);
        assert.deepEqual([reportType, filled, at], ['Fill', fill.filledSoFar, fill.at]);
      }
    }
  }

  private keep(order: number, trade: Pick<Fill, 'trade' | 'instrument' | 'price' | 'quantity'>): void {
    const filledSoFar = (this.filled[order] as number) + trade.quantity;
    this.filled[order] = filledSoFar;
    const fill = { ...trade, order: (FIRST + order) as OrderNumber, filledSoFar: quantity(filledSoFar) };
    this.kept[this.accountOf(FIRST + order)]?.push({ ...fill, at: this.at as EpochMs });
  }

  private take(event: Event): void {
    this.history.apply(this.at as EpochMs, event);
    this.book.apply(this.at as EpochMs, event, this.history);
  }
}

function bare({ row: _, ...fill }: Fill): BareFill {
  return fill;
}

describe('the trade book', () => {
  for (const seed of [1, 2]) {
    it(`answers as lists of objects do, also from a snapshot: seed ${seed}`, () => {
      const pair = new Pair(seed);
      for (let order = 0; order < 8; order += 1) pair.receive();
      pair.compare();
      for (let fill = 0; fill < 1_500; fill += 1) pair.fill();
      pair.compare();
      pair.reload();
      pair.compare();
      for (let fill = 0; fill < 200; fill += 1) pair.fill();
      pair.compare();
      pair.reload();
      pair.compare();
    });
  }

  it('lets the list of a day be read on when another day has begun', () => {
    const pair = new Pair(3);
    for (let order = 0; order < 2; order += 1) pair.receive();
    for (let fill = 0; fill < 20; fill += 1) pair.fill();
    const list = pair.book.fillsOf(0 as AccountId);
    const expected = pair.kept[0]?.slice() ?? [];
    pair.beginDay();
    pair.receive();
    pair.receive();
    for (let fill = 0; fill < 20; fill += 1) pair.fill();
    assert.deepEqual(list.slice(0, list.length).map(bare), expected);
    pair.compare();
  });

  it('refuses a row whose order was not filled so far', () => {
    const pair = new Pair(4);
    pair.receive();
    pair.receive();
    pair.fill();
    for (const [order, filled] of [
      [FIRST + 7, 1],
      [FIRST, 9_999],
    ]) {
      const row = [0, 5, order, INSTRUMENT, 1, 1, filled, 1_000] as unknown as number[];
      const history = new OrderHistory();
      for (const stored of [...pair.history.rows()]) history.take(JSON.parse(JSON.stringify(stored)));
      assert.throws(() => new TradeBook().take(row, history), /no step of order/);
    }
  });
});
