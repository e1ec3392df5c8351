import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { Random } from '../../../base/random.ts';
import { Book } from './book.ts';
import { isQueued, QueuePlaces } from './queue-place.ts';

const FIRST = 26_112_100_000_000;
const PRICE = 10_000 as Price;

function rest(book: Book, serial: number, units: number, ahead: number, price = PRICE): OrderNumber {
  const number = (FIRST + serial) as OrderNumber;
  const terms = { number, account: 1 as AccountId, side: 'B' as const, price, remaining: units as Quantity };
  book.rest(terms, ahead as Quantity);
  return number;
}

test("the units in front of an order are the market's and those of users at its price", () => {
  const book = new Book();
  const first = rest(book, 1, 10, 300);
  const second = rest(book, 2, 20, 300);
  rest(book, 3, 1_000, 0, 9_990 as Price);
  const third = rest(book, 4, 40, 350);
  const seen = () => [first, second, third].map((order) => new QueuePlaces(book).aheadOf(order));
  assert.deepEqual(seen(), [300, 310, 380]);
  book.advanceQueue('B', PRICE, 120 as Quantity);
  assert.deepEqual(seen(), [180, 190, 260]);
  book.remove(second);
  book.reduce(first, 4 as Quantity);
  const places = new QueuePlaces(book);
  assert.deepEqual(
    [first, third].map((order) => places.aheadOf(order)),
    [180, 234],
  );
  assert.equal(isQueued(book, second), false);
  book.fill(first, PRICE, 4 as Quantity);
  assert.equal(new QueuePlaces(book).aheadOf(third), 230);
});

test('an order that gathers for an auction stands in no queue, nor does a stop', () => {
  const book = new Book();
  const number = rest(book, 1, 10, 5);
  assert.equal(isQueued(book, number), true);
  const stop = (FIRST + 2) as OrderNumber;
  book.arm({ number: stop, account: 1 as AccountId, side: 'B', trigger: PRICE });
  assert.equal(isQueued(book, stop), false);
  book.meet('PreOpen');
  assert.equal(isQueued(book, number), false);
  book.meet('Continuous');
  assert.equal(isQueued(book, number), true);
});

test('places equal those of a model that adds up the whole queue, however they are asked for', () => {
  const random = new Random(7);
  for (let round = 0; round < 40; round += 1) {
    const book = new Book();
    const rows: { number: OrderNumber; units: number }[] = [];
    for (let serial = 1; serial <= 60; serial += 1) {
      const units = random.between(1, 50);
      rows.push({ number: rest(book, serial, units, 0), units });
      if (!random.chance(40)) continue;
      const [gone] = rows.splice(random.below(rows.length), 1);
      if (gone !== undefined) book.remove(gone.number);
    }
    const places = new QueuePlaces(book);
    for (let question = 0; question < 30 && rows.length > 0; question += 1) {
      const at = random.below(rows.length);
      const expected = rows.slice(0, at).reduce((sum, { units }) => sum + units, 0);
      assert.equal(places.aheadOf(rows[at]?.number as OrderNumber), expected);
    }
  }
});

test('a place behind more orders than a search passes is not known, and one just at the bound is', () => {
  const book = new Book();
  const numbers = Array.from({ length: 8 }, (_, index) => rest(book, index + 1, 1, 0));
  const at = (index: number) => new QueuePlaces(book, 5).aheadOf(numbers[index] as OrderNumber);
  assert.deepEqual([at(4), at(5), at(6)], [4, 5, undefined]);
});

test('a search that came to its bound is not made again for the orders behind', () => {
  const book = new Book();
  const numbers = Array.from({ length: 400 }, (_, index) => rest(book, index + 1, 1, 0));
  const { orders } = book.store;
  const previous = orders.previous.bind(orders);
  let passed = 0;
  orders.previous = (handle) => {
    passed += 1;
    return previous(handle);
  };
  const most = 100;
  const places = new QueuePlaces(book, most);
  for (const number of numbers.slice(most + 1)) assert.equal(places.aheadOf(number), undefined);
  assert.ok(passed < 2 * numbers.length, `${passed} orders were passed`);
});
