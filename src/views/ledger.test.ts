import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import { type Paise, price, quantity } from '../base/money.ts';
import { Random } from '../base/random.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Event, Traded } from '../core/event.ts';
import { MONEY_BOOKS, type MoneyBook } from '../core/ledger/books.ts';
import type { Posted } from '../core/state.ts';
import { causeOf, type LedgerEntry } from './ledger/ledger-entries.ts';
import { Ledger } from './ledger.ts';

const ACCOUNTS = 6;
const BEGUN = 20_500;

/** An entry as objects in a list have it, with the event that it came from. */
interface Kept {
  readonly account: AccountId;
  readonly event: Event;
  readonly entry: LedgerEntry;
}

/** A ledger beside a list of its day's entries. */
class Pair {
  readonly random: Random;
  ledger = new Ledger();
  kept: Kept[] = [];
  private at = 1_000;
  private day = BEGUN;
  private trade = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.beginDay();
  }

  /** Begins a day for the accounts before `upTo` alone, or for all. */
  beginDay(upTo?: AccountId): void {
    const before = this.day as IstDay;
    this.day += 1;
    const day = this.day as IstDay;
    this.fold({ type: 'DayRolled', day, before, ...(upTo === undefined ? {} : { upTo }) } as unknown as Event, []);
    this.kept = upTo === undefined ? [] : this.kept.filter(({ account }) => account >= upTo);
  }

  /** Begins the day for all accounts from one on. */
  beginRest(from: AccountId): void {
    const [day, before] = [this.day, this.day - 1];
    this.fold({ type: 'AccountsRolled', day, before, from } as unknown as Event, []);
    this.kept = this.kept.filter(({ account }) => account < from);
  }

  step(): void {
    const { random } = this;
    this.at += random.below(100);
    const account = random.below(ACCOUNTS) as AccountId;
    const event = random.chance(80) ? this.traded(account) : random.pick([deposited, converted])(account, random);
    const book = random.pick(MONEY_BOOKS);
    const amount = (random.below(2_000_000) - 1_000_000) as Paise;
    this.fold(event, [{ account, book, amount }]);
    const entry = { at: this.at as EpochMs, book, amount, event: causeOf(event, account) };
    this.kept.push({ account, event, entry });
  }

  compare(seed: number): void {
    for (let account = 0; account < ACCOUNTS; account += 1) {
      for (const book of MONEY_BOOKS) {
        const entries = this.ledger.entriesOf(account as AccountId, book);
        const expected = this.entriesOf(account, book);
        assert.equal(entries.length, expected.length, `seed ${seed}`);
        assert.deepEqual(entries.slice(0, entries.length), expected, `seed ${seed}`);
        assert.deepEqual(entries.slice(1, 3), expected.slice(1, 3), `seed ${seed}`);
      }
    }
  }

  private entriesOf(account: number, book: MoneyBook): LedgerEntry[] {
    return this.kept.filter((one) => one.account === account && one.entry.book === book).map(({ entry }) => entry);
  }

  private traded(account: AccountId): Traded {
    const { random } = this;
    this.trade += 1;
    const side = { order: 1 as OrderNumber, account, product: 'C' } as const;
    return {
      type: 'Traded',
      trade: this.trade as TradeId,
      instrument: random.below(1_000) as InstrumentId,
      kind: 'equity',
      group: 1 as InstrumentId,
      tick: 1 as Tick,
      price: price(1 + random.below(1_000_000)),
      quantity: quantity(1 + random.below(1_000)),
      aggressor: 'B',
      ...(random.chance(50) ? { buy: side } : { sell: side }),
    };
  }

  private fold(event: Event, lines: Posted['lines']): void {
    this.ledger.fold(this.at as EpochMs, [{ event, lines }]);
  }
}

function deposited(account: AccountId): Event {
  return { type: 'CashDeposited', account, amount: 5 as Paise, opening: false };
}

/** Its orders are at times more than one chunk of a log holds. */
function converted(account: AccountId, random: Random): Event {
  const orders = random.chance(95) ? random.below(5) : 3_000;
  return {
    type: 'ConversionCharged',
    account,
    instrument: 1 as InstrumentId,
    from: 'I',
    to: 'C',
    quantity: quantity(10),
    units: Array.from({ length: orders }, (_, place) => [(2_611_290_000_000_001 + place) as OrderNumber, quantity(1)]),
    brokerage: 5 as Paise,
    levies: -5 as Paise,
  };
}

function rowsOf(ledger: Ledger): string[] {
  return [...ledger.rows()].map((row) => JSON.stringify(row));
}

function loaded(rows: readonly string[]): Ledger {
  const ledger = new Ledger();
  for (const row of rows) ledger.take(JSON.parse(row));
  return ledger;
}

/** True for the row of an entry: the day stands alone, and the other rows are closings. */
function isEntry(row: string): boolean {
  return /^\[\d+,"(?:entry|trade)"/.test(row);
}

describe('the rows of the ledger', () => {
  for (const seed of [1, 2]) {
    it(`answer as objects in a list do, over days that begin in portions, also from a snapshot: seed ${seed}`, () => {
      const pair = new Pair(seed);
      for (let day = 0; day < 5; day += 1) {
        for (let step = 0; step < 1_500; step += 1) pair.step();
        pair.compare(seed);
        pair.beginDay(3 as AccountId);
        pair.compare(seed);
        for (let step = 0; step < 50; step += 1) pair.step();
        pair.compare(seed);
        const rows = rowsOf(pair.ledger);
        if (day % 2 === 1) pair.ledger = loaded(rows);
        assert.deepEqual(rowsOf(pair.ledger), rows);
        pair.compare(seed);
        pair.beginRest(3 as AccountId);
        pair.compare(seed);
      }
    });
  }

  for (const moments of [['before'], ['begun', 'after'], ['before', 'begun', 'after']]) {
    it(`hold each entry once, in a ledger that was read again ${moments.join(' and ')} a day's begin`, () => {
      const pair = new Pair(4);
      const steps = (): void => {
        for (let step = 0; step < 40; step += 1) pair.step();
      };
      const pass = (moment: string): void => {
        const rows = rowsOf(pair.ledger);
        assert.equal(rows.filter(isEntry).length, pair.kept.length, `entries ${moment} the begin`);
        if (moments.includes(moment)) pair.ledger = loaded(rows);
        assert.deepEqual(rowsOf(pair.ledger), rows);
        pair.compare(4);
      };
      for (let day = 0; day < 4; day += 1) {
        steps();
        pass('before');
        pair.beginDay(2 as AccountId);
        pass('begun');
        steps();
        pass('begun');
        pair.beginRest(2 as AccountId);
        steps();
        pass('after');
      }
    });
  }

  it('are read in the form of version 6, which has the whole event of a trade', () => {
    const pair = new Pair(3);
    for (let step = 0; step < 200; step += 1) pair.step();
    const entries = pair.kept.map(({ account, event, entry }) =>
      JSON.stringify([account, 'entry', { ...entry, event }]),
    );
    pair.ledger = loaded([`${BEGUN + 1}`, ...entries]);
    pair.compare(3);
  });
});
