import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { orderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';
import { changeOf, editOf } from './order-edit.ts';

const ROW = {
  orderNumber: orderNumber('26112300000001'),
  priceType: 'LMT',
  price: '405.00',
  triggerPrice: '0.00',
  quantity: '10',
} as OrderRow;
const STOP = { ...ROW, priceType: 'SL-LMT', triggerPrice: '404.00' } as OrderRow;

test('the terms that were edited are sent, and no others', () => {
  equal(changeOf(ROW, editOf(ROW)), undefined);
  deepEqual(changeOf(ROW, { ...editOf(ROW), price: '406.00' }), { priceType: 'LMT', price: '406.00' });
  deepEqual(changeOf(STOP, { ...editOf(STOP), triggerPrice: '403.00' }), {
    priceType: 'SL-LMT',
    triggerPrice: '403.00',
  });
});

test('a term that was changed elsewhere while the row was open is left as it is now', () => {
  const now = { ...ROW, price: '407.00', quantity: '20' };
  equal(changeOf(now, editOf(ROW)), undefined, 'nothing was edited');
  deepEqual(changeOf(now, { ...editOf(ROW), quantity: '15' }), { priceType: 'LMT', quantity: '15' });
});

test('an order at the market goes on as a limit at its protected price of now', () => {
  const market = { ...ROW, priceType: 'MKT' } as OrderRow;
  const edit = { ...editOf(market), quantity: '5' };
  deepEqual(changeOf({ ...market, price: '406.00' }, edit), { priceType: 'LMT', price: '406.00', quantity: '5' });
});

test('a trigger that was edited is not sent for a stop that has fired meanwhile', () => {
  equal(changeOf({ ...STOP, priceType: 'LMT' } as OrderRow, { ...editOf(STOP), triggerPrice: '403.00' }), undefined);
});
