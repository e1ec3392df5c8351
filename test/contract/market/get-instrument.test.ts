import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../../src/base/time.ts';
import { PHASES, type Phase } from '../../../src/core/exchange/phase.ts';
import { PRICE_TYPES, PRODUCTS, RETENTIONS } from '../../../src/core/order.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';
import { fakeInstruments, RELIANCE, STOCK_FUTURE } from '../../kit/wire/fake-instruments.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { INSTRUMENT } from '../../kit/wire/shapes/instrument-shape.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const MESSAGE = 'Instrument retrieved successfully';

contractOf({
  path: '/getInstrument',
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' },
  required: {
    exchange: ['BAD_REQUEST', 'required field is empty or missing: exchange'],
    tradingSymbol: ['BAD_REQUEST', 'Trading Symbol is required'],
  },
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: INSTRUMENT,
});

interface Row {
  readonly products: readonly string[];
  readonly priceTypes: readonly string[];
  readonly retentions: readonly string[];
  readonly [field: string]: string | readonly string[];
}

async function rowOf(world: World, exchange: string, tradingSymbol: string): Promise<Row> {
  return assertSuccess(await world.call('/getInstrument', ALICE, { exchange, tradingSymbol }), MESSAGE) as Row;
}

/** An order of one share of IDEA with consistent prices, which has the shares and the money that it needs. */
function orderOf(product: string, priceType: string, retention: string): object {
  const isMarket = priceType.endsWith('MKT');
  const isStop = priceType.startsWith('SL');
  const prices = { price: isMarket ? '0' : isStop ? '7.30' : '7.10', triggerPrice: isStop ? '7.25' : '0' };
  return { ...LIMIT_BUY, product, priceType, retention, ...prices, quantity: '1' };
}

/** The words of orders that the desk takes, asked by placing every one of them. */
async function wordsTaken(world: World): Promise<readonly (readonly [string, string, string])[]> {
  const taken: [string, string, string][] = [];
  for (const product of PRODUCTS) {
    for (const priceType of PRICE_TYPES) {
      for (const retention of RETENTIONS) {
        const seen = await world.call('/placeOrder', ALICE, orderOf(product, priceType, retention));
        if (seen.status !== 200) continue;
        const { orderNumber } = JSON.parse(seen.text).data;
        const steps = JSON.parse((await world.call('/singleOrderHistory', ALICE, { orderNumber })).text).data;
        if (steps[0].status !== 'REJECTED') taken.push([product, priceType, retention]);
        if (steps[0].status !== 'REJECTED') await world.call('/cancelOrder', ALICE, { orderNumber });
      }
    }
  }
  return taken;
}

function inPhase(world: World, phase: Phase): void {
  const market = { ...fakeMarket, phase: () => phase };
  world.engine.ports = testPorts({ instruments: fakeInstruments, market });
}

function inOrder<T extends string>(all: readonly T[], some: Iterable<string>): readonly T[] {
  const known = new Set(some);
  return all.filter((one) => known.has(one));
}

test('getInstrument lists in every phase the words that placeOrder takes, and no others', async () => {
  const world = await openWorld();
  for (const phase of PHASES) {
    inPhase(world, phase);
    const { products, priceTypes, retentions, orders } = await rowOf(world, 'NSE', 'IDEA-EQ');
    const taken = await wordsTaken(world);
    assert.deepEqual(
      priceTypes,
      inOrder(
        PRICE_TYPES,
        taken.map(([, word]) => word),
      ),
      `price types in ${phase}`,
    );
    assert.deepEqual(
      retentions,
      inOrder(
        RETENTIONS,
        taken.map(([, , word]) => word),
      ),
      `retentions in ${phase}`,
    );
    assert.deepEqual(products, ['C', 'M', 'I'], `products in ${phase}`);
    assert.equal(orders === 'REFUSED', taken.length === 0, `orders in ${phase}`);
  }
  await world.close();
});

test('getInstrument leaves out the products that are not enabled, unless they close what is held', async () => {
  const world = await openWorld();
  await world.place(ALICE, { product: 'M', priceType: 'MKT', price: '0' });
  const change = { products: ['I'] as const };
  await world.engine.submit(
    unasked({ type: 'SetRiskGroup', account: ALICE.account, change, by: 'operator', why: 'test' }),
  );
  assert.deepEqual((await rowOf(world, 'NSE', 'IDEA-EQ')).products, ['C', 'M', 'I'], 'shares and a position are held');
  assert.deepEqual((await rowOf(world, 'NFO', 'NIFTY29DEC26F')).products, ['I']);
  await world.close();
});

test('getInstrument gives the circuits of the day, and no contract for a share without one', async () => {
  const world = await openWorld();
  const row = await rowOf(world, 'NSE', 'IDEA-EQ');
  assert.deepEqual([row.lowerCircuit, row.upperCircuit, row.orders, row.reason], ['5.68', '8.52', 'EXCHANGE', '']);
  assert.deepEqual([row.underlying, row.underlyingSymbol, row.contractExchange, row.expiry], ['', '', '', '']);
  await world.close();
});

test('getInstrument lists no delivery of contracts, and nothing of an index', async () => {
  const world = await openWorld();
  assert.deepEqual((await rowOf(world, 'NFO', 'NIFTY29DEC26C24000')).products, ['M', 'I']);
  const index = await rowOf(world, 'NSE', 'NIFTY');
  assert.deepEqual([index.products, index.orders, index.upperCircuit], [[], 'REFUSED', '']);
  assert.match(String(index.reason), /^16387:/);
  await world.close();
});

test('getInstrument gives the contract with the underlying that optionChain is asked for', async () => {
  const world = await openWorld();
  const underlying = {
    underlying: 'NIFTY',
    underlyingExchange: 'NSE',
    underlyingSymbol: 'NIFTY',
    contractExchange: 'NFO',
  };
  const pick = ({ expiry, strikePrice, optionType, ...row }: Row) => ({
    contract: [expiry, strikePrice, optionType],
    of: Object.fromEntries(Object.keys(underlying).map((key) => [key, row[key]])),
  });
  const option = pick(await rowOf(world, 'NFO', 'NIFTY29DEC26P24000'));
  assert.deepEqual(option, { contract: ['29DEC2026', '24000.00', 'PE'], of: underlying });
  const future = pick(await rowOf(world, 'NFO', 'NIFTY29DEC26F'));
  assert.deepEqual(future, { contract: ['29DEC2026', '', ''], of: underlying });
  assert.deepEqual(pick(await rowOf(world, 'NSE', 'NIFTY')), { contract: ['', '', ''], of: underlying });
  const { underlying: symbol, contractExchange } = underlying;
  const chain = { exchange: contractExchange, symbol, expiry: '29DEC26', count: '1', strikePrice: '24000' };
  assert.equal((await world.call('/optionChain', ALICE, chain)).status, 200);
  const share = pick(await rowOf(world, 'NFO', STOCK_FUTURE.tradingSymbol));
  assert.equal(share.of.underlyingSymbol, RELIANCE.tradingSymbol);
  await world.close();
});

test('getInstrument says in words that a kill switch stops the instrument, and that an order waits', async () => {
  const world = await openWorld();
  world.now = (world.now + 11.75 * HOUR_MS) as typeof world.now;
  const waiting = await rowOf(world, 'NSE', 'IDEA-EQ');
  assert.deepEqual([waiting.orders, waiting.waitsFor, waiting.reason], ['WAIT', '20-11-2026', '']);
  assert.deepEqual(waiting.priceTypes, [...PRICE_TYPES]);
  const target = { kind: 'AccountKill', account: ALICE.account } as const;
  await world.engine.submit(unasked({ type: 'SetSwitch', target, on: true, by: 'operator', why: 'test' }));
  const killed = await rowOf(world, 'NSE', 'IDEA-EQ');
  assert.deepEqual([killed.orders, killed.products], ['REFUSED', ['C', 'M', 'I']]);
  assert.match(String(killed.reason), /Trading is blocked by the risk desk/);
  await world.close();
});

test('getInstrument refuses an instrument that nobody lists', async () => {
  const world = await openWorld();
  const seen = await world.call('/getInstrument', ALICE, { exchange: 'NSE', tradingSymbol: 'NOBODY-EQ' });
  assertFailure(seen, 400, 'BAD_REQUEST', 'tradingSymbol', 'Security not found');
  await world.close();
});
