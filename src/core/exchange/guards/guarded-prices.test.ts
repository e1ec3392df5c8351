import assert from 'node:assert/strict';
import test from 'node:test';
import { RULES } from '../../../../test/kit/rules.ts';
import type { InstrumentId, Tick } from '../../../base/ids.ts';
import { type Price, price, quantity } from '../../../base/money.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { Market, Print } from '../../market.ts';
import { Book } from '../book/book.ts';
import type { Venue } from '../venue.ts';
import { executionAt, guardReference, isUnprotected, protectionAt } from './guarded-prices.ts';
import { printsWithin } from './prints-within.ts';

const CLOSE = price(200_00);
const VALUE = 150_04.6;

/** A market of a few prints, with the figures that the guards need. */
function market(prints: readonly (readonly [tick: number, price: number, units: number])[]) {
  const print = (_: InstrumentId, tick: Tick): Print | undefined => {
    const found = prints.find(([at]) => at === tick);
    return found && { tick, price: price(found[1]), quantity: quantity(found[2]), aggressor: 'B' };
  };
  return {
    print,
    turnover: (id: InstrumentId, tick: Tick, seconds: number) => printsWithin({ print }, id, tick, seconds),
    lastPrint: (id: InstrumentId, tick: Tick): Print => {
      const last = prints.findLast(([at]) => at <= tick);
      const found = last && print(id, last[0] as Tick);
      return found ?? { tick: 0 as Tick, price: CLOSE, quantity: quantity(0), aggressor: 'B' };
    },
    risk: () => ({ value: VALUE }),
  };
}

function venue(prints: Parameters<typeof market>[0], tick: number, book = new Book(), kind: InstrumentKind = 'option') {
  const shown = market(prints) as unknown as Market;
  return { instrument: 5, kind, tick, book, market: shown, guards: RULES.guards.at(tick as Tick) } as unknown as Venue;
}

const PRINTS = [
  [1_000, 100_00, 10],
  [1_010, 130_00, 20],
] as const;

test('the reference is the average price of the trades, weighted by their units', () => {
  assert.equal(guardReference(venue(PRINTS, 1_010), 30), 120_00);
  assert.equal(guardReference(venue(PRINTS, 1_029), 30), 120_00);
  assert.equal(guardReference(venue(PRINTS, 1_030), 30), 130_00, 'the trade of 30 seconds ago is out');
  assert.equal(guardReference(venue(PRINTS, 1_030), 60), 120_00);
});

test('the prints of the last ticks are summed exactly, to the unit and the paisa', () => {
  const { print } = market(PRINTS);
  const within = (tick: number, ticks: number) => printsWithin({ print }, 5 as InstrumentId, tick as Tick, ticks);
  assert.deepEqual(within(1_010, 11), { quantity: 30, value: 1_000_00 + 2_600_00 });
  assert.deepEqual(within(1_010, 10), { quantity: 20, value: 2_600_00 });
  assert.deepEqual(within(1_009, 10), { quantity: 10, value: 1_000_00 });
  assert.deepEqual(within(999, 10), { quantity: 0, value: 0 });
});

test('a limit is guarded by the last 30 seconds, a trade by the last minute', () => {
  const at = (tick: number) => [protectionAt(venue(PRINTS, tick)), executionAt(venue(PRINTS, tick))];
  const range = (reference: number) => ({ lower: Math.ceil(reference * 0.6), upper: Math.floor(reference * 1.4) });
  assert.deepEqual(at(1_029), [range(120_00), range(120_00)]);
  assert.deepEqual(at(1_030), [range(130_00), range(120_00)]);
  assert.deepEqual(at(1_059), [range(130_00), range(120_00)]);
  assert.deepEqual(at(1_060), [range(130_00), range(130_00)]);
});

test('the reference is held for 15 minutes without a trade, then it is the value of the model', () => {
  assert.equal(guardReference(venue(PRINTS, 1_040), 30), 130_00);
  assert.equal(guardReference(venue(PRINTS, 1_910), 30), 130_00);
  assert.equal(guardReference(venue(PRINTS, 1_911), 30), 150_05);
});

test('the reference before the first trade of the day is the value of the model, not the close', () => {
  assert.equal(guardReference(venue(PRINTS, 999), 30), 150_05);
});

test('trades of users as aggressors count, and hold the reference like a print', () => {
  const book = new Book();
  const trade = (tick: number, at: number, units: number) => {
    book.trade(tick as Tick, price(at));
    book.count(tick as Tick, price(at), quantity(units));
  };
  trade(1_010, 160_00, 30);
  assert.equal(guardReference(venue(PRINTS, 1_010, book), 30), 140_00, '(1000 + 2600 + 4800) / 60');
  trade(1_100, 90_00, 5);
  assert.equal(guardReference(venue(PRINTS, 1_129, book), 30), 90_00);
  assert.equal(guardReference(venue(PRINTS, 1_500, book), 60), 90_00, 'held');
  assert.equal(Book.load(book.dump()).turnover(1_100 as Tick, 60).value, 450_00, 'a dump keeps the last minute');
  assert.equal(book.dump().recent.length, 1, 'and no more');
});

test('the trades of a tick are kept as one, and those of a minute ago are dropped', () => {
  const book = new Book();
  const count = (tick: number) => book.count(tick as Tick, price(100_00), quantity(65));
  for (const tick of [1_000, 1_000, 1_001, 1_065, 1_065]) count(tick);
  assert.deepEqual(book.dump().recent, [[1_065, 130, 130 * 100_00]]);
  const turnover = (end: number, ticks: number) => book.turnover(end as Tick, ticks).quantity;
  assert.deepEqual([turnover(1_094, 30), turnover(1_095, 30)], [130, 0], 'the thirtieth second is out');
  count(1_066);
  for (const tick of [1_110, 1_125]) count(tick);
  assert.deepEqual([turnover(1_125, 16), turnover(1_125, 15), turnover(1_125, 60)], [130, 65, 195]);
  count(1_126);
  assert.deepEqual(
    book.dump().recent.map(([tick]) => tick),
    [1_110, 1_125, 1_126],
  );
});

test('a held reference is the average of all trades of its tick, of users and of the market', () => {
  const book = new Book();
  book.trade(1_010 as Tick, price(160_00));
  book.count(1_010 as Tick, price(160_00), quantity(30));
  assert.equal(guardReference(venue(PRINTS, 1_040, book), 30), 148_00, '(4800 + 2600) / 50');
});

test('a trade without an aggressor leaves the reference at the last print', () => {
  const book = new Book();
  book.trade(1_100 as Tick, price(90_00));
  assert.equal(guardReference(venue(PRINTS, 1_100, book), 30), 130_00);
});

test('cash has no ranges, and a contract is protected only on the dear side', () => {
  assert.equal(protectionAt(venue(PRINTS, 1_010, new Book(), 'equity')), undefined);
  assert.equal(executionAt(venue(PRINTS, 1_010, new Book(), 'equity')), undefined);
  const range = protectionAt(venue(PRINTS, 1_010));
  assert.deepEqual(range, { lower: 72_00, upper: 168_00 });
  const told = (side: 'B' | 'S', at: number) => isUnprotected(side, at as Price, range ?? assert.fail());
  assert.deepEqual(
    [told('B', 168_05), told('B', 168_00), told('S', 71_95), told('B', 60_00), told('S', 200_00)],
    [true, false, true, false, false],
  );
});
