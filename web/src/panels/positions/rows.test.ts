import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRow, PositionRow, ResultsData } from '../../../../client/src/wire.ts';
import {
  closingOrder,
  closingOrdersOf,
  convertibleParts,
  inClosingOrder,
  otherProducts,
  type PositionResult,
  shownRows,
} from './rows.ts';

const SHARE = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', product: 'I', underlying: 'ITC', netQuantity: '60' };
const CALL = { exchange: 'NFO', tradingSymbol: 'NIFTY01DEC26C24000', product: 'M', underlying: 'NIFTY' };

function position(fields: object): PositionResult {
  return { ...SHARE, ...fields } as unknown as PositionResult;
}

const LONG = position({});
const SHORT = position({ ...CALL, netQuantity: '-65' });
const FUTURE = position({ ...CALL, tradingSymbol: 'NIFTY29DEC26F', netQuantity: '0' });

function results(rows: readonly PositionResult[]): ResultsData {
  const underlyings = [...new Set(rows.map(({ underlying }) => underlying))].map((underlying) => ({ underlying }));
  return { rows, underlyings } as unknown as ResultsData;
}

test('an underlying with several positions stands above them, and hides them when it is closed', () => {
  const names = (closed: string[]) => shownRows(results([LONG, SHORT, FUTURE]), new Set(closed)).map(({ key }) => key);
  assert.deepEqual(names([]), ['NSE:ITC-EQ:I', 'underlying NIFTY', 'NFO:NIFTY01DEC26C24000:M', 'NFO:NIFTY29DEC26F:M']);
  assert.deepEqual(names(['NIFTY', 'ITC']), ['NSE:ITC-EQ:I', 'underlying NIFTY']);
});

test('a position is closed by a market order of its units on the other side, and turned round by twice as many', () => {
  const { transactionType, quantity, product, priceType } = closingOrder(LONG);
  assert.deepEqual([transactionType, quantity, product, priceType], ['S', '60', 'I', 'MKT']);
  const turned = closingOrder(SHORT, 2);
  assert.deepEqual([turned.transactionType, turned.quantity], ['B', '130']);
});

test('short positions are closed before long ones, and flat ones never', () => {
  assert.deepEqual(inClosingOrder([LONG, FUTURE, SHORT]), [SHORT, LONG]);
});

test('the open orders that would close a position too are those of its instrument, product and other side', () => {
  const order = (fields: object) =>
    ({ ...SHARE, transactionType: 'S', status: 'OPEN', ...fields }) as unknown as OrderRow;
  const own = [order({}), order({ status: 'TRIGGER_PENDING' }), order({ status: 'AMO OPEN' })];
  const others = [
    order({ transactionType: 'B' }),
    order({ product: 'C' }),
    order({ exchange: 'BSE' }),
    order({ tradingSymbol: 'SBIN-EQ' }),
    order({ status: 'COMPLETE' }),
    order({ status: 'AMO CANCELED' }),
  ];
  assert.deepEqual(closingOrdersOf(LONG, [...others, ...own]), own);
});

test('the parts of a position that can be converted are those of its side with units', () => {
  const book = { dayBuyQuantity: '60', cfBuyQty: '', daySellQuantity: '60', cfSellQty: '5' } as unknown as PositionRow;
  assert.deepEqual(convertibleParts(LONG, book), [{ age: 'day', units: '60' }]);
  assert.deepEqual(convertibleParts(SHORT, book), [
    { age: 'day', units: '60' },
    { age: 'carried', units: '5' },
  ]);
  assert.deepEqual(convertibleParts(LONG, undefined), []);
  const sold = { dayBuyQuantity: '100', cfBuyQty: '' } as unknown as PositionRow;
  assert.deepEqual(convertibleParts(LONG, sold), [{ age: 'day', units: '60' }], 'units that were sold are not there');
  const both = { dayBuyQuantity: '30', cfBuyQty: '50' } as unknown as PositionRow;
  assert.deepEqual(convertibleParts(position({ netQuantity: '80' }), both), [
    { age: 'day', units: '30' },
    { age: 'carried', units: '50' },
  ]);
  assert.deepEqual([otherProducts(LONG), otherProducts(SHORT)], [['C'], ['I']]);
});
