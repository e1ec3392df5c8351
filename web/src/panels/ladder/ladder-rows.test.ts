import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow, QueueRow } from '../../../../client/src/wire.ts';
import { followed, hiddenTouch, ladderRows, middleOf, type OwnOrder, ownOrders } from './ladder-rows.ts';

const level = (price: string, quantity: string) => ({ price, quantity, orders: '1' });
const SOURCE = {
  bids: [level('99.95', '10'), level('99.90', '20'), level('99.80', '5')],
  asks: [level('100.05', '7'), level('100.10', '8')],
  own: [],
  last: 10_000,
};

test('rows go down tick by tick around the centre, with the units at each price', () => {
  const rows = ladderRows(SOURCE, 10_000, 5, 7);
  deepEqual(
    rows.map(({ text }) => text),
    ['100.15', '100.10', '100.05', '100.00', '99.95', '99.90', '99.85'],
  );
  deepEqual(
    rows.map(({ bid, ask }) => [bid, ask]),
    [
      [0, 0],
      [0, 8],
      [0, 7],
      [0, 0],
      [10, 0],
      [20, 0],
      [0, 0],
    ],
  );
  deepEqual(
    rows.filter(({ isLast }) => isLast).map(({ text }) => text),
    ['100.00'],
  );
});

test('grouped rows add up units, and show no price better than it is', () => {
  const rows = ladderRows(SOURCE, 10_000, 20, 3);
  deepEqual(
    rows.map(({ text, bid, ask }) => [text, bid, ask]),
    [
      ['100.20', 0, 15],
      ['100.00', 0, 0],
      ['99.80', 35, 0],
    ],
  );
});

test('there is no row at a price of nothing or below', () => {
  deepEqual(
    ladderRows({ ...SOURCE, last: 10 }, 10, 5, 9).map(({ text }) => text),
    ['0.30', '0.25', '0.20', '0.15', '0.10', '0.05'],
  );
});

test('the ladder is around the middle of the touch, or the last price while a side is empty', () => {
  equal(middleOf(SOURCE), 10_000);
  equal(middleOf({ ...SOURCE, last: 9_000 }), 10_000);
  equal(middleOf({ ...SOURCE, asks: [], last: 9_000 }), 9_000);
});

test('a touch beyond the rows is known, so that it can be gone to', () => {
  deepEqual(hiddenTouch(SOURCE, ladderRows(SOURCE, 10_000, 5, 7)), {});
  deepEqual(hiddenTouch(SOURCE, ladderRows(SOURCE, 10_050, 5, 5)), { B: '99.95', S: '100.05' });
  deepEqual(hiddenTouch({ ...SOURCE, asks: [] }, ladderRows(SOURCE, 9_900, 5, 5)), { B: '99.95' });
});

test('the centre stays while the market is near it, and follows when it is not', () => {
  equal(followed(10_000, 10_020, 5, 40), 10_000);
  equal(followed(10_000, 10_055, 5, 40), 10_055);
  equal(followed(10_000, 9_941, 5, 40), 9_940);
  equal(followed(10_000, 10_005, 5, 11), 10_000);
  equal(followed(10_000, 10_010, 5, 11), 10_010, 'few rows follow at once');
});

const row = (fields: object) =>
  ({ status: 'OPEN', transactionType: 'B', fillShares: '', quantity: '50', price: '99.95', ...fields }) as OrderRow;

test('own orders are the open ones with what is left of them, and their place where they have one', () => {
  const [a, b, c, d] = ['1', '2', '3', '4'] as unknown as readonly OrderNumber[];
  const rows = [
    row({ orderNumber: a, fillShares: '20' }),
    row({ orderNumber: b, status: 'TRIGGER_PENDING', price: '101.00', triggerPrice: '100.50' }),
    row({ orderNumber: c, status: 'COMPLETE', fillShares: '50' }),
    row({ orderNumber: d, transactionType: 'S', price: '100.10' }),
  ];
  const places = [
    { orderNumber: a, ahead: '140' },
    { orderNumber: d, ahead: '' },
  ] as QueueRow[];
  const own = ownOrders(rows, places);
  deepEqual(own, [
    { number: a, side: 'B', price: 9_995, quantity: 30, ahead: 140, isStop: false },
    { number: b, side: 'B', price: 10_050, quantity: 50, ahead: undefined, isStop: true },
    { number: d, side: 'S', price: 10_010, quantity: 50, ahead: undefined, isStop: false },
  ] as unknown as OwnOrder[]);
  const shown = ladderRows({ ...SOURCE, own }, 10_000, 20, 5);
  deepEqual(
    shown.map(({ text, buys, sells }) => [text, buys.length, sells.length]),
    [
      ['100.40', 1, 0],
      ['100.20', 0, 1],
      ['100.00', 0, 0],
      ['99.80', 1, 0],
      ['99.60', 0, 0],
    ],
  );
});
