import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chargedOrders } from '../../../src/core/broker/settlement/converted-charges.ts';
import { contractNote, noteTotals } from '../../../src/core/charges/contract-note.ts';
import { accountOf } from '../../../src/core/state.ts';
import { RULES } from '../../kit/rules.ts';
import { TRADE_CHARGES_SHAPE } from '../../kit/wire/shapes/money-shapes.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertShape, assertSuccess, paiseOf } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/getTradeCharges';
const MESSAGE = 'Charges of trades';
const LEVIES = ['brokerage', 'transaction', 'investorProtection', 'sebi', 'clearing', 'gst', 'stt', 'stamp'];

interface TradeCharges {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly totals: Readonly<Record<string, string>>;
  readonly others: readonly { readonly text: string; readonly amount: string }[];
  readonly charges: string;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.place(ALICE, MARKET_BUY);
    return undefined;
  },
  data: TRADE_CHARGES_SHAPE,
});

async function chargedWorld(): Promise<World> {
  const world = await openWorld();
  world.engine.ports = { ...world.engine.ports, charges: RULES.charges };
  return world;
}

async function chargesOf(world: World): Promise<TradeCharges> {
  const data = assertSuccess(await world.call(PATH, ALICE), MESSAGE);
  assertShape(data, TRADE_CHARGES_SHAPE);
  return data as TradeCharges;
}

function sumOf(rows: TradeCharges['rows'], name: string): number {
  return rows.reduce((sum, row) => sum + paiseOf(row[name]), 0);
}

test('getTradeCharges shares out the charges of the day over its trades, and its sums are those of the contract note', async () => {
  const world = await chargedWorld();
  for (const quantity of ['1500', '333', '7']) await world.place(ALICE, { ...MARKET_BUY, product: 'I', quantity });
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S', quantity: '800' });
  await world.place(ALICE, { ...MARKET_BUY, transactionType: 'S', quantity: '60' });
  await world.place(ALICE, {
    ...MARKET_BUY,
    exchange: 'NFO',
    tradingSymbol: 'NIFTY29DEC26F',
    product: 'M',
    quantity: '65',
  });
  const conversion = { tradingSymbol: 'IDEA-EQ', exchange: 'NSE', quantity: '20', msgFlag: '1' };
  await world.call('/productConversion', ALICE, { ...conversion, previousProduct: 'I', product: 'C' });
  const { rows, totals, others, charges } = await chargesOf(world);
  assert.ok(rows.length > 6, 'an order that took two levels has two trades');
  for (const name of [...LEVIES, 'value', 'total']) assert.equal(sumOf(rows, name), paiseOf(totals[name]), name);
  for (const row of rows)
    assert.equal(
      LEVIES.reduce((sum, name) => sum + paiseOf(row[name]), 0),
      paiseOf(row.total),
    );
  assert.equal(
    others.reduce((sum, { amount }) => sum + paiseOf(amount), paiseOf(totals.total)),
    paiseOf(charges),
  );
  assert.ok(
    others.some(({ text }) => text === 'depository charge'),
    'a delivery left the account',
  );
  const { state } = world.engine;
  const rates = RULES.charges.on(state.day);
  assert.ok(rates);
  const account = accountOf(state, ALICE.account);
  const note = contractNote(rates, { orders: chargedOrders(state, account) });
  assert.equal(paiseOf(charges), noteTotals(note).total);
  const brokerage = note.sections.reduce((sum, section) => sum + section.brokerage, 0);
  assert.equal(paiseOf(totals.brokerage), brokerage);
  await world.close();
});

test('getTradeCharges names the trades of tradeBook in their order, and nobody else sees them', async () => {
  const world = await chargedWorld();
  for (const quantity of ['10', '1500']) await world.place(ALICE, { ...MARKET_BUY, quantity });
  const trades = JSON.parse((await world.call('/tradeBook', ALICE)).text).data as Record<string, string | number>[];
  const { rows } = await chargesOf(world);
  assert.deepEqual(
    rows.map(({ orderNumber, fillId, quantity, price }) => [orderNumber, fillId, quantity, price]),
    trades.map((row) => [row.orderNumber, row.fillId, row.fillQuantity, Number(row.fillPrice).toFixed(2)]),
  );
  const other = assertSuccess(await world.call(PATH, BOB), MESSAGE) as TradeCharges;
  assert.deepEqual([other.rows, other.others, other.charges], [[], [], '0.00']);
  await world.close();
});
