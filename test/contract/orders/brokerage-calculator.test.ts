import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const PATH = '/brokerageCalculator';
const MESSAGE = 'Brokerage Data';
const CHARGE = /^\d+\.\d{4}$/;
const REQUEST = {
  exchange: 'NSE',
  tradingSymbol: 'RELIANCE-EQ',
  transactionType: 'B',
  Product: 'I',
  quantity: '100',
  price: '1260',
};

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { ...REQUEST, strike_price: 0, inst_name: 'EQ', lot_size: '1' },
  required: badRequestFields('exchange', 'tradingSymbol', 'transactionType', 'Product', 'quantity', 'price'),
  fields: {
    exchange: 'text',
    tradingSymbol: 'text',
    transactionType: 'text',
    Product: 'text',
    quantity: 'number',
    price: 'number',
    strike_price: 'number',
    inst_name: 'text',
    lot_size: 'number',
  },
  data: {
    brokerage: CHARGE,
    exchange_charge: CHARGE,
    gst: CHARGE,
    sebi_charge: CHARGE,
    stamp_duty: CHARGE,
    remarks: /^$/,
  },
});

test('brokerageCalculator answers the charges of an order as text in rupees, and changes nothing', async () => {
  const world = await openWorld();
  const ask = async (change: object) => {
    const data = assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE);
    const { brokerage, exchange_charge, gst, sebi_charge, stamp_duty } = data as Record<string, string>;
    return [brokerage, exchange_charge, gst, sebi_charge, stamp_duty];
  };
  const seq = world.engine.state.seq;
  assert.deepEqual(await ask({}), ['20.0000', '3.8682', '4.3190', '0.1260', '3.7800']);
  assert.deepEqual(await ask({ transactionType: 'S', price: 1265 }), [
    '20.0000',
    '3.8836',
    '4.3218',
    '0.1265',
    '0.0000',
  ]);
  assert.deepEqual(await ask({ Product: 'C' }), ['0.0000', '3.8682', '0.7190', '0.1260', '18.9000']);
  const option = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26C24000', Product: 'M', quantity: 65, price: '120' };
  assert.deepEqual(await ask(option), ['20.0000', '2.7713', '4.1002', '0.0078', '0.2340']);
  const future = { ...option, tradingSymbol: 'NIFTY29DEC26F', price: '24000' };
  assert.deepEqual(await ask(future), ['20.0000', '28.5480', '9.0194', '1.5600', '31.2000']);
  assert.equal(world.engine.state.seq, seq);
  await world.close();
});

test('brokerageCalculator refuses what cannot be traded or is worth nothing or more than everything', async () => {
  const world = await openWorld();
  const refused = async (change: object, field: string, message: string) =>
    assertFailure(await world.call(PATH, ALICE, { ...REQUEST, ...change }), 400, 'BAD_REQUEST', field, message);
  await refused({ price: '0' }, 'price', 'price must be greater than 0');
  await refused({ tradingSymbol: 'NOBODY-EQ' }, 'tradingSymbol', 'Security not found');
  await refused({ tradingSymbol: 'NIFTY' }, 'tradingSymbol', 'Security is not allowed to trade in this market');
  const whole = { price: '999999999', quantity: '999999999' };
  await refused(whole, 'quantity', 'the value of the order is too large');
  await world.close();
});
