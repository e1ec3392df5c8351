import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRow, PositionRow } from '../../../../client/src/wire.ts';
import { stepped } from '../ticket/draft.ts';
import { candleOf, filled, hasGap, joined, justBefore, stretchBetween, stretchTo } from './candles.ts';
import { axisText, linesOf, movedTo, snapped } from './chart-lines.ts';

const ITC = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' } as const;

function order(fields: object): OrderRow {
  const row = { ...ITC, orderNumber: '1', status: 'OPEN', transactionType: 'B', priceType: 'LMT', price: '400.00' };
  return { ...row, triggerPrice: '0.00', quantity: '50', fillShares: '', ...fields } as unknown as OrderRow;
}

test('working orders and open positions of the instrument have lines', () => {
  const rows = [
    order({ fillShares: '20' }),
    order({
      orderNumber: '2',
      transactionType: 'S',
      priceType: 'SL-MKT',
      status: 'TRIGGER_PENDING',
      triggerPrice: '390.00',
    }),
    order({ orderNumber: '3', status: 'COMPLETE' }),
    order({ orderNumber: '4', tradingSymbol: 'TCS-EQ' }),
    order({ orderNumber: '5', priceType: 'SL-LMT', status: 'OPEN', price: '401.00', triggerPrice: '400.50' }),
  ];
  const positions = [
    { ...ITC, product: 'I', netQuantity: '-30', netAveragePrice: '402.50' },
    { ...ITC, product: 'C', netQuantity: '0', netAveragePrice: '0.00' },
  ] as unknown as PositionRow[];
  deepEqual(
    linesOf(ITC, rows, positions).map(({ key, price, text, kind }) => [key, price, text, kind]),
    [
      ['1', '400.00', 'Buy 30', 'buy'],
      ['2', '390.00', 'Sell 50 stop', 'sell'],
      ['5', '401.00', 'Buy 50', 'buy'],
      ['position I', '402.50', 'Short 30 Intraday', 'position'],
    ],
  );
});

test('of thousands of orders the newest have lines', () => {
  const rows = Array.from({ length: 10_000 }, (_, place) => order({ orderNumber: String(place) }));
  const lines = linesOf(ITC, rows, []);
  deepEqual([lines.length, lines[0]?.key, lines.at(-1)?.key], [50, '9950', '9999']);
});

test('a moved line changes the limit, or the trigger of a stop with the distance of its limit', () => {
  deepEqual(movedTo(order({}), '399.95'), { price: '399.95' });
  const stop = { status: 'TRIGGER_PENDING', triggerPrice: '410.00' };
  const limit = order({ ...stop, priceType: 'SL-LMT', price: '410.35' });
  deepEqual(movedTo(limit, '409.00'), { triggerPrice: '409.00', price: '409.35' });
  deepEqual(movedTo(order({ ...stop, priceType: 'SL-LMT', price: '410.35', status: 'OPEN' }), '409.00'), {
    price: '409.00',
  });
});

test('a moved line of an order at the market makes a limit of it, as a change in the order list does', () => {
  const stop = order({ status: 'TRIGGER_PENDING', priceType: 'SL-MKT', triggerPrice: '1384.70', price: '1377.90' });
  deepEqual(movedTo(stop, '1380.00'), { priceType: 'SL-LMT', triggerPrice: '1380.00', price: '1373.20' });
  const waiting = order({ status: 'AMO OPEN', priceType: 'MKT', price: '410.00' });
  deepEqual(movedTo(waiting, '409.00'), { priceType: 'LMT', price: '409.00' });
  const bare = order({ status: 'AMO OPEN', priceType: 'SL-MKT', triggerPrice: '410.00', price: '0.00' });
  deepEqual(movedTo(bare, '409.00'), { priceType: 'SL-LMT', triggerPrice: '409.00', price: '409.00' });
});

test('a drawn price is put on the grid of ticks', () => {
  equal(snapped(404.96, '0.05'), '404.95');
  equal(snapped(404.98, '0.05'), '405.00');
  equal(snapped(404.98, '5.00'), '405.00');
  equal(snapped(-3, '0.05'), '0.05');
  equal(axisText(1334.52, '0.10'), '1,334.50');
  equal(axisText(0.01, '0.05'), '0.00');
  equal(stepped('405.00', '0.05', -2), '404.90');
  equal(stepped('0.05', '0.05', -2), '0.05');
});

test('candles have the clock of India, and each time once', () => {
  const row = { epochTime: 1_000_000, open: 1, high: 2, low: 1, close: 2, volume: 7, time: '', oi: 0 };
  const candle = candleOf(row);
  equal(candle.time, 1_019_800);
  equal(justBefore(candle).getTime(), 999_999_000);
  const [older, newer] = [[candleOf({ ...row, epochTime: 999_940 }), candle], [candle]];
  deepEqual(
    joined(older, newer).map(({ time }) => time),
    [1_019_740, 1_019_800],
  );
  const { from, to } = stretchTo(new Date(1_000_000_000_000), '1mi');
  equal(to.getTime() - from.getTime(), 2 * 86_400_000);
});

test('candles that a stepped market passed are missed, and filled in with the one that was left half made', () => {
  const row = { time: '', open: 1, high: 1, low: 1, close: 1, oi: 0 };
  const at = (minute: number, volume = 1) => candleOf({ ...row, epochTime: minute * 60, volume } as never);
  equal(hasGap(at(10), at(10), '1mi'), false);
  equal(hasGap(at(10), at(11), '1mi'), false);
  equal(hasGap(at(10), at(12), '1mi'), true);
  equal(hasGap(at(10), at(15), '5mi'), false);
  equal(hasGap(at(10), at(20), '5mi'), true);
  equal(hasGap(at(0), at(1_440), '1d'), false);
  equal(hasGap(at(0), at(2_880), '1d'), true);
  const { from, to } = stretchBetween(at(10), at(15));
  deepEqual([from.getTime(), to.getTime()], [600_000, 899_000]);
  const gap = [at(10, 7), at(11), at(12)];
  deepEqual(
    filled([at(9), at(10, 3), at(13), at(14)], gap).map(({ time, volume }) => [time - at(0).time, volume]),
    [
      [540, 1],
      [600, 7],
      [660, 1],
      [720, 1],
      [780, 1],
      [840, 1],
    ],
  );
});
