import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT_USAGE } from '../../os/command-failed.ts';
import { candleTimes } from '../market/candle-times.ts';
import { changeOf } from '../market/change.ts';
import { typedInstrument } from '../market/instrument.ts';
import { limitOf, priceTypeOf, typedQuantity } from './order-words.ts';

test('a price stands after @ or at, or in --limit, and once', () => {
  assert.equal(limitOf([], undefined), undefined);
  for (const words of [['@', '425.50'], ['@425.50'], ['at', '425.50']])
    assert.equal(limitOf(words, undefined), '425.50');
  assert.equal(limitOf([], '425.50'), '425.50');
  assert.throws(() => limitOf(['@', '1'], '2'), { exitCode: EXIT_USAGE, message: /given twice/ });
  for (const words of [['425.50'], ['@', '425.50', '5'], ['@', '0'], ['@', '1e3'], ['@', '-5'], ['@']]) {
    assert.throws(() => limitOf(words, undefined), { exitCode: EXIT_USAGE });
  }
});

test('limit and stop give the price type', () => {
  assert.equal(priceTypeOf(undefined, undefined), 'MKT');
  assert.equal(priceTypeOf('1', undefined), 'LMT');
  assert.equal(priceTypeOf('1', '2'), 'SL-LMT');
  assert.equal(priceTypeOf(undefined, '2'), 'SL-MKT');
});

test('a quantity is a whole number above 0', () => {
  assert.equal(typedQuantity('75'), 75);
  for (const text of ['0', '-1', '1.5', '1e2', '0x10', 'ten', '']) {
    assert.throws(() => typedQuantity(text), { exitCode: EXIT_USAGE });
  }
});

test('an instrument without its exchange is on the usual one', () => {
  const names = ['nse:itc-eq', 'ITC', 'nifty', 'SENSEX', 'NIFTY01DEC26C24000', 'SENSEX26NOV26P76000', 'bse:ITC'];
  assert.deepEqual(
    names.map((text) => Object.values(typedInstrument(text)).join(':')),
    [
      'NSE:ITC-EQ',
      'NSE:ITC',
      'NSE:NIFTY',
      'BSE:SENSEX',
      'NFO:NIFTY01DEC26C24000',
      'BFO:SENSEX26NOV26P76000',
      'BSE:ITC',
    ],
  );
  for (const text of ['XSE:ITC', 'NSE:', '']) assert.throws(() => typedInstrument(text), { exitCode: EXIT_USAGE });
});

test('candles without a range are those of the day, and daily ones those of a year', () => {
  const now = '10:15:30 23-11-2026';
  assert.deepEqual(candleTimes({}, now, false), { from: '00:00:00 23-11-2026', to: now });
  assert.deepEqual(candleTimes({}, now, true), { from: '10:15:30 23-11-2025', to: now });
  assert.deepEqual(candleTimes({ from: '09:15', to: '2026-11-22' }, now, false), {
    from: '09:15:00 23-11-2026',
    to: '23:59:00 22-11-2026',
  });
  assert.deepEqual(candleTimes({ from: '2026-11-20 10:00', to: '2026-11-20T11:00:30' }, now, false), {
    from: '10:00:00 20-11-2026',
    to: '11:00:30 20-11-2026',
  });
  for (const from of ['', 'yesterday', '9:15', '23-11-2026', '2026-11-2010:00']) {
    assert.throws(() => candleTimes({ from }, now, false), { exitCode: EXIT_USAGE }, from);
  }
});

test('the change of the day is exact, and none without a previous close', () => {
  assert.deepEqual(changeOf({ lastTradedPrice: '269.50', dayClosePrice: '269.90' }), {
    change: '-0.40',
    percent: '-0.15',
  });
  assert.deepEqual(changeOf({ lastTradedPrice: '5.00', dayClosePrice: '0.00' }), { change: '5.00', percent: '0.00' });
});
