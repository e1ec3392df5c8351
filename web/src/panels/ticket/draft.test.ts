import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { orderNumber } from '../../../../client/src/order-number.ts';
import type { InstrumentRow, OrderRow } from '../../../../client/src/wire.ts';
import {
  atPrice,
  changeOf,
  type Draft,
  draftOfOrder,
  fitted,
  gttOf,
  kindOf,
  lotsOf,
  moreLots,
  NO_GTT,
  orderOf,
  problemOf,
  productsOf,
  stepped,
  tidied,
  unitsOf,
} from './draft.ts';

const OPTION = {
  exchange: 'NFO',
  tradingSymbol: 'NIFTY29DEC26C24000',
  lotSize: '65',
  tickSize: '0.05',
  segment: 'FNO',
  optionType: 'CE',
  products: ['M', 'I'],
  priceTypes: ['MKT', 'LMT', 'SL-LMT', 'SL-MKT'],
  retentions: ['DAY', 'IOC'],
} as unknown as InstrumentRow;
const SHARE = { ...OPTION, segment: 'EQT', optionType: '', lotSize: '1', products: ['C', 'M', 'I'] } as InstrumentRow;

const DRAFT: Draft = {
  ...NO_GTT,
  side: 'B',
  product: 'M',
  priceType: 'LMT',
  retention: 'DAY',
  lots: '2',
  price: '130.5',
  trigger: '',
  protection: '1',
  remarks: 'first',
};

test('arrow keys move a price by ticks, from between two ticks to the next one', () => {
  equal(stepped('130.50', '0.05', 1), '130.55');
  equal(stepped('130.52', '0.05', 1), '130.55');
  equal(stepped('130.52', '0.05', -1), '130.50');
  equal(stepped('130.50', '0.05', -10), '130.00');
  equal(stepped('0.05', '0.05', -1), '0.05');
  equal(stepped('', '0.05', 1), '0.05');
  equal(stepped('2499.9', '0.10', 1), '2500.00');
});

test('lots become units, and steppers stay above nothing', () => {
  equal(unitsOf(DRAFT, OPTION), 130);
  equal(unitsOf({ ...DRAFT, lots: '1.5' }, OPTION), undefined);
  equal(lotsOf('130', OPTION), '2');
  equal(lotsOf('131', OPTION), '3');
  equal(moreLots('1', -1), '1');
  equal(moreLots('x', 1), '1');
  equal(moreLots('9', 10), '19');
});

test('a draft makes the request that placeOrder takes, in units and with two decimals', () => {
  const order = orderOf(DRAFT, OPTION);
  equal(order.quantity, '130');
  equal(order.price, '130.50');
  equal(order.triggerPrice, '0');
  const stop = orderOf({ ...DRAFT, priceType: 'SL-MKT', trigger: '131' }, OPTION);
  deepEqual([stop.price, stop.triggerPrice], ['0', '131.00']);
});

test('a price that is handed to a draft changes the price alone, and makes a limit of a market order', () => {
  deepEqual(atPrice(DRAFT, '131.00'), { price: '131.00', priceType: 'LMT' });
  deepEqual(atPrice({ priceType: 'SL-LMT' }, '131.00'), { price: '131.00', priceType: 'SL-LMT' });
  deepEqual(atPrice({ priceType: 'SL-MKT' }, '131.00'), { price: '131.00', priceType: 'LMT' });
});

test('a field that cannot be read is named before anything is asked', () => {
  equal(problemOf(DRAFT, false), undefined);
  equal(problemOf({ ...DRAFT, lots: '0' }, false)?.field, 'lots');
  for (const price of ['', '0', '0.00', '-1', '1e3', '1.234', 'x']) {
    equal(problemOf({ ...DRAFT, price }, false)?.field, 'price', price);
  }
  equal(problemOf({ ...DRAFT, priceType: 'MKT', price: '' }, false), undefined);
  equal(problemOf({ ...DRAFT, priceType: 'SL-LMT' }, false)?.field, 'trigger');
  equal(problemOf({ ...DRAFT, priceType: 'MKT', protection: '' }, true)?.field, 'protection');
});

test('choices that an instrument lacks become the first that it has', () => {
  const delivery = fitted({ ...DRAFT, product: 'C' }, OPTION);
  equal(delivery.product, 'M');
  equal(fitted({ ...DRAFT, priceType: 'SL-LMT', retention: 'IOC' }, OPTION).retention, 'DAY');
  const closing = { ...OPTION, priceTypes: ['MKT'], retentions: ['DAY'] } as unknown as InstrumentRow;
  equal(fitted(DRAFT, closing).priceType, 'MKT');
  const nothing = { ...OPTION, products: [], priceTypes: [], retentions: [] } as unknown as InstrumentRow;
  deepEqual(fitted(DRAFT, nothing), DRAFT);
});

test('carry is offered for contracts, and for a share only when intraday is not', () => {
  deepEqual(productsOf(OPTION), ['M', 'I']);
  deepEqual(productsOf(SHARE), ['C', 'I']);
  deepEqual(productsOf({ ...SHARE, products: ['C', 'M'] } as InstrumentRow), ['C', 'M']);
  deepEqual([kindOf(SHARE), kindOf(OPTION), kindOf({ ...OPTION, optionType: '' })], ['share', 'option', 'future']);
});

test('an open order gives a draft of its terms, and the change that sets them', () => {
  const order = {
    orderNumber: orderNumber('26112300000001'),
    transactionType: 'S',
    product: 'M',
    priceType: 'SL-LMT',
    retention: 'DAY',
    quantity: '130',
    lotSize: '65',
    price: '120.00',
    triggerPrice: '121.00',
    remarks: '',
  } as unknown as OrderRow;
  const draft = draftOfOrder(order);
  equal(draft.lots, '2');
  deepEqual(changeOf({ ...draft, lots: '3' }, OPTION), {
    priceType: 'SL-LMT',
    quantity: '195',
    price: '120.00',
    triggerPrice: '121.00',
    retention: 'DAY',
  });
  deepEqual(changeOf({ ...draft, priceType: 'MKT' }, OPTION).mkt_protection, '1');
  equal(tidied('405'), '405.00');
});

test('a GTT has a trigger and an order, and an OCO two of each, all of one side', () => {
  const single = gttOf({ ...DRAFT, when: 'gtt', value: '120' }, OPTION);
  deepEqual([single.value, single.OrderParams.price, single.OrderParams.quantity], ['120.00', '130.50', '130']);
  equal(single.value2, undefined);
  const both = { ...DRAFT, when: 'oco', side: 'S', value: '140', value2: '120', price2: '119.5' } as const;
  const oco = gttOf(both, OPTION);
  deepEqual([oco.value, oco.value2, oco.OrderParams2?.price], ['140.00', '120.00', '119.50']);
  deepEqual([oco.OrderParams.transactionType, oco.OrderParams2?.transactionType], ['S', 'S']);
  equal(gttOf({ ...both, priceType: 'MKT' }, OPTION).OrderParams2?.price, '0');
});

test('a GTT is written whatever the market takes now, as a limit or a market order of the day', () => {
  const closing = { ...OPTION, priceTypes: [], retentions: [] } as unknown as InstrumentRow;
  const gtt = fitted({ ...DRAFT, when: 'gtt', priceType: 'SL-LMT', retention: 'IOC' }, closing);
  deepEqual([gtt.priceType, gtt.retention], ['MKT', 'DAY']);
  equal(problemOf({ ...DRAFT, when: 'gtt' }, false)?.field, 'value');
  equal(problemOf({ ...DRAFT, when: 'oco', value: '140', value2: '120' }, false)?.field, 'price2');
  equal(problemOf({ ...DRAFT, when: 'oco', priceType: 'MKT', value: '140', value2: '120' }, false), undefined);
});
