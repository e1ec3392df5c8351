import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from './suite.ts';
import { assertFailure, assertSuccess } from './wire-checks.ts';
import { ALICE, openWorld } from './world.ts';

const PATH = '/brokerageCalculator';
const MESSAGE = 'Brokerage Data';
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
    brokerage: 'number',
    exchange_charge: 'number',
    gst: 'number',
    sebi_charge: 'number',
    stamp_duty: 'number',
    remarks: /^$/,
  },
});

test('brokerageCalculator tells the charges of an order in rupees, and changes nothing', async () => {
  const world = await openWorld();
  const ask = async (change: object) => {
    const data = assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE);
    const { brokerage, exchange_charge, gst, sebi_charge, stamp_duty } = data as Record<string, number>;
    return [brokerage, exchange_charge, gst, sebi_charge, stamp_duty];
  };
  const seq = world.engine.state.seq;
  assert.deepEqual(await ask({}), [20, 3.8682, 4.319, 0.126, 3.78]);
  assert.deepEqual(await ask({ transactionType: 'S', price: 1265 }), [20, 3.8836, 4.3218, 0.1265, 0]);
  assert.deepEqual(await ask({ Product: 'C' }), [0, 3.8682, 0.719, 0.126, 18.9]);
  const option = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26C24000', Product: 'M', quantity: 65, price: '120' };
  assert.deepEqual(await ask(option), [20, 2.7713, 4.1002, 0.0078, 0.234]);
  const future = { ...option, tradingSymbol: 'NIFTY29DEC26F', price: '24000' };
  assert.deepEqual(await ask(future), [20, 28.548, 9.0194, 1.56, 31.2]);
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
