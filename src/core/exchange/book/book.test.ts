import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, OrderNumber, Tick } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { Random } from '../../../base/random.ts';
import type { Side } from '../../order.ts';
import { Book } from './book.ts';
import { checkBook } from './check-book.ts';

interface Row {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  readonly price: Price;
  remaining: Quantity;
}

const FIRST = 26_112_100_000_000;

/** The model: rows in the order of arrival. Sorting is stable, so time decides at one price. */
function inPriority(rows: readonly Row[], side: Side): Row[] {
  const sign = side === 'B' ? -1 : 1;
  return rows.filter((row) => row.side === side).sort((a, b) => (a.price - b.price) * sign);
}

function sameAsModel(book: Book, rows: readonly Row[], where: string): void {
  checkBook(book);
  for (const side of ['B', 'S'] as const) {
    const expected = inPriority(rows, side);
    const found = Array.from(book.ordersOf(side), (handle) => book.store.orders.number(handle));
    assert.deepEqual(
      found,
      expected.map(({ number }) => number),
      where,
    );
    assert.equal(
      book.totalOf(side),
      expected.reduce((sum, { remaining }) => sum + remaining, 0),
      where,
    );
  }
}

function randomRow(random: Random, serial: number, spread: number, tick: number): Row {
  const side = random.below(2) === 0 ? 'B' : 'S';
  const away = tick * random.between(1, spread);
  return {
    number: (FIRST + serial * random.between(1, 2)) as OrderNumber,
    account: random.below(9) as AccountId,
    side,
    price: (10_000_000 + (side === 'B' ? -away : away)) as Price,
    remaining: random.between(1, 50) as Quantity,
  };
}

/** Adds, reduces and removes orders at random, and compares with the model now and then. */
function run(seed: number, spread: number, tick: number, steps: number): Book {
  const random = new Random(seed);
  const book = new Book();
  const rows: Row[] = [];
  for (let step = 1; step <= steps; step += 1) {
    const draw = random.below(100);
    const index = random.below(Math.max(1, rows.length));
    const row = rows[index];
    if (row === undefined || draw < (step < steps / 2 ? 70 : 40)) {
      const added = randomRow(random, step * 2, spread, tick);
      if (book.has(added.number)) continue;
      book.rest(added, 0 as Quantity);
      rows.push(added);
    } else if (draw < 80) {
      book.withdraw(row.number);
      rows.splice(index, 1);
    } else {
      const left = random.below(row.remaining + 1) as Quantity;
      book.reduce(row.number, left);
      row.remaining = left;
      if (left === 0) rows.splice(index, 1);
    }
    if (step % Math.ceil(steps / 20) === 0) sameAsModel(book, rows, `seed ${seed}, step ${step}`);
  }
  for (const { number } of rows) book.withdraw(number);
  assert.equal(book.hasInterest(), false, `seed ${seed}`);
  sameAsModel(book, [], `seed ${seed}, emptied`);
  return book;
}

test('an unknown order number is not in the book, wherever the first order of the day stands', () => {
  const book = new Book();
  const number = (FIRST + 70_000) as OrderNumber;
  const row = { account: 1 as AccountId, side: 'B', price: 100 as Price, remaining: 10 as Quantity } as const;
  book.rest({ ...row, number }, 0 as Quantity);
  for (const other of [1, 700, 5_000, 20_000, 60_000, 69_999, 70_001, 80_000, 90_000]) {
    assert.equal(book.has((FIRST + other) as OrderNumber), false, String(other));
  }
  const yesterday = (number - 100_000_000) as OrderNumber;
  assert.equal(book.has(yesterday), false);
  book.rest({ ...row, number: yesterday }, 0 as Quantity);
  assert.deepEqual([book.has(yesterday), book.has(number)], [true, true]);
  sameAsModel(
    book,
    [
      { ...row, number },
      { ...row, number: yesterday },
    ],
    'both days',
  );
});

test('quantities up to 32 bits and beyond are exact to the unit', () => {
  const book = new Book();
  const rows = [2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32, 999_999_999_999].map((units, at): Row => {
    const number = (FIRST + 1 + at) as OrderNumber;
    const price = (100 + Math.floor(at / 2)) as Price;
    return { number, account: 1 as AccountId, side: 'S', price, remaining: units as Quantity };
  });
  for (const row of rows) book.rest(row, 0 as Quantity);
  sameAsModel(book, rows, 'all');
  for (const row of rows) {
    assert.equal(book.remainingOf(row.number), row.remaining);
    for (const left of [row.remaining - 1, 2 ** 31 - 3, 1]) {
      row.remaining = left as Quantity;
      book.reduce(row.number, row.remaining);
      assert.equal(book.remainingOf(row.number), left);
      sameAsModel(book, rows, `${row.number} has ${left}`);
    }
  }
});

test('prices up to 32 bits and beyond are sorted and found like all others', () => {
  const near = [2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31];
  const low = Array.from({ length: 30 }, (_, at) => 10_000 + 5 * at);
  const beyond = [2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 99_999_999_999];
  for (const prices of [
    [...low, ...near],
    [...near, ...low, ...beyond],
  ]) {
    const book = new Book();
    const rows = prices.map((price, at): Row => {
      const number = (FIRST + 1 + at) as OrderNumber;
      return { number, account: 1 as AccountId, side: 'B', price: price as Price, remaining: 10 as Quantity };
    });
    for (const row of rows) book.rest(row, 0 as Quantity);
    for (const row of rows) {
      const again = { ...row, number: (row.number + 1_000) as OrderNumber };
      book.rest(again, 0 as Quantity);
      assert.equal(book.levelCount('B'), prices.length, `${row.price} is one level`);
      book.withdraw(again.number);
    }
    sameAsModel(book, rows, 'all');
    while (rows.length > 0) {
      const [gone] = rows.splice(rows.length >>> 1, 1);
      if (gone !== undefined) book.withdraw(gone.number);
      sameAsModel(book, rows, `without ${gone?.price}`);
    }
  }
});

test('orders stand in price-time priority after any additions, reductions and removals', () => {
  for (let seed = 1; seed <= 20; seed += 1) run(seed, 30, 5, 1_500);
});

test('orders stand in price-time priority in a book of thousands of prices, also when prices compete for one slot', () => {
  run(101, 6_000, 5, 12_000);
  run(102, 3_000, 64, 8_000);
  run(103, 40, 4_096, 3_000);
});

test('an order is in the book once, and an order that is not there cannot leave', () => {
  const book = new Book();
  const row = randomRow(new Random(1), 1, 5, 5);
  book.rest(row, 0 as Quantity);
  assert.throws(() => book.rest(row, 0 as Quantity), /once/);
  book.withdraw(row.number);
  assert.throws(() => book.withdraw(row.number), /not in the book/);
  assert.throws(() => book.remove(row.number), /does not rest/);
  assert.throws(() => book.disarm(row.number), /not armed/);
});

test('an order cannot rest across the book, grow in its place or trade at another price', () => {
  const book = new Book();
  const sell = { number: 1 as OrderNumber, account: 1 as AccountId, side: 'S', price: 100 as Price } as const;
  book.rest({ ...sell, remaining: 5 as Quantity }, 0 as Quantity);
  const buy = { ...sell, number: 2 as OrderNumber, side: 'B', remaining: 1 as Quantity } as const;
  assert.throws(() => book.rest(buy, 0 as Quantity), /across/);
  assert.throws(() => book.reduce(sell.number, 6 as Quantity), /neither grows/);
  assert.throws(() => book.fill(sell.number, 101 as Price, 1 as Quantity), /own price/);
  assert.throws(() => book.fill(sell.number, 100 as Price, 6 as Quantity), /falls below/);
});

test('a stop is armed and not resting, and stops are listed in the order of arming', () => {
  const book = new Book();
  const triggers = [105, 103, 104, 90, 95];
  for (const [index, trigger] of triggers.entries()) {
    const side = trigger > 100 ? 'B' : 'S';
    book.arm({ number: (index + 1) as OrderNumber, account: 1 as AccountId, side, trigger: trigger as Price });
  }
  assert.deepEqual(
    book.armedStops().map(({ trigger }) => trigger),
    triggers,
  );
  assert.deepEqual([book.isArmed(1 as OrderNumber), book.isResting(1 as OrderNumber)], [true, false]);
  assert.deepEqual(book.firedBy(100 as Price), []);
  assert.deepEqual(book.firedBy(104 as Price), [2, 3]);
  assert.deepEqual(book.firedBy(105 as Price), [1, 2, 3]);
  assert.deepEqual(book.firedBy(90 as Price), [4, 5]);
});

test('a dumped book loads to the same bytes, with queues, stops and taken depth', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const book = randomBook(seed);
    const bytes = JSON.stringify(book.dump());
    const loaded = Book.load(JSON.parse(bytes));
    checkBook(loaded);
    assert.equal(JSON.stringify(loaded.dump()), bytes, `seed ${seed}`);
  }
});

function randomBook(seed: number): Book {
  const random = new Random(seed);
  const book = new Book();
  const ahead = new Map<Price, number>();
  for (let serial = 1; serial <= 80; serial += 1) {
    const row = randomRow(random, serial * 2, 10, 5);
    if (book.has(row.number)) continue;
    const units = (ahead.get(row.price) ?? 0) + random.below(20);
    ahead.set(row.price, units);
    book.rest(row, units as Quantity);
    if (random.below(3) === 0) {
      const advanced = random.below(units + 1);
      book.advanceQueue(row.side, row.price, advanced as Quantity);
      ahead.set(row.price, units - advanced);
    }
    if (random.below(4) === 0) book.withdraw(row.number);
    if (book.levelOf(row.side, row.price) === undefined) ahead.delete(row.price);
    if (random.below(3) === 0)
      book.arm({ ...row, number: (FIRST + 10_000 + serial) as OrderNumber, trigger: row.price });
    if (random.below(3) === 0) book.take(row.side, row.price, random.below(3), row.remaining);
  }
  if (seed % 2 === 0) book.trade(seed as Tick, 100 as Price);
  return book;
}

test('units that users took of a level of the market count for one generation and one side', () => {
  const book = new Book();
  book.take('S', 100 as Price, 3, 5 as Quantity);
  assert.equal(book.hasInterest(), false);
  assert.deepEqual([book.takenAt('S', 100 as Price, 3), book.takenAt('S', 100 as Price, 4)], [5, 0]);
  assert.equal(book.takenAt('B', 100 as Price, 3), 0);
});
