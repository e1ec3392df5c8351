import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { orderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';
import { countsOf, filledText, openAmong, shownRows, timeText } from './order-rows.ts';

function row(number: number, status: OrderRow['status'], tradingSymbol = 'ITC-EQ'): OrderRow {
  const texts = { exchange: 'NSE', priceType: 'LMT', remarks: '', quantity: '10', fillShares: '', orderTime: '0' };
  return { ...texts, status, tradingSymbol, orderNumber: orderNumber(`261123000000${10 + number}`) } as OrderRow;
}

const ROWS = [
  row(1, 'COMPLETE'),
  row(2, 'OPEN', 'SBIN-EQ'),
  row(3, 'REJECTED'),
  row(4, 'TRIGGER_PENDING'),
  row(5, 'AMO OPEN'),
  row(6, 'CANCELED'),
];
const numbersOf = (rows: readonly OrderRow[]): readonly number[] =>
  rows.map((one) => Number(one.orderNumber.slice(-1)));

test('the order list shows the newest first, by its filter', () => {
  deepEqual(numbersOf(shownRows(ROWS, 'all', '')), [6, 5, 4, 3, 2, 1]);
  deepEqual(numbersOf(shownRows(ROWS, 'open', '')), [5, 4, 2]);
  deepEqual(numbersOf(shownRows(ROWS, 'done', '')), [6, 3, 1]);
  deepEqual(numbersOf(shownRows(ROWS, 'refused', '')), [3]);
  deepEqual(countsOf(ROWS), { all: 6, open: 3, done: 3, refused: 1 });
});

test('the order list finds all words of a text in symbol, state, type and number', () => {
  deepEqual(numbersOf(shownRows(ROWS, 'all', ' sbin  OPEN ')), [2]);
  deepEqual(numbersOf(shownRows(ROWS, 'all', 'amo')), [5]);
  deepEqual(numbersOf(shownRows(ROWS, 'all', '26112300000016')), [6]);
  deepEqual(numbersOf(shownRows(ROWS, 'all', 'limit itc rejected')), [3]);
});

test('only open orders among the selected ones are cancelled', () => {
  const all = new Set(ROWS.map((one) => one.orderNumber));
  deepEqual(
    openAmong(ROWS, all).map((one) => one.slice(-1)),
    ['2', '4', '5'],
  );
  deepEqual(openAmong(ROWS, new Set()), []);
});

const LOOKS = 20;

test('ten thousand orders are filtered within a frame', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => row(index % 10, index % 3 === 0 ? 'OPEN' : 'COMPLETE'));
  // The shortest of some looks: a machine that does other work makes one longer, and not all.
  const looks = Array.from({ length: LOOKS }, () => {
    const from = performance.now();
    equal(shownRows(many, 'open', '').length, 3_334);
    countsOf(many);
    return performance.now() - from;
  });
  const took = Math.min(...looks);
  equal(took < 16, true, `${took} ms`);
});

test('times are those of India, and an order without a fill has none filled', () => {
  equal(timeText({ orderTime: '1795334709' }), '13:35:09');
  equal(timeText({ orderTime: '0' }), '05:30:00');
  equal(filledText(row(1, 'OPEN')), '0 / 10');
  equal(filledText({ ...row(1, 'OPEN'), fillShares: '4' }), '4 / 10');
});
