import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { unasked } from '../../kit/unasked.ts';
import { FUNDS_SHAPE } from '../../kit/wire/shapes/money-shapes.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertShape, assertSuccess, paiseOf } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/getFunds';
const MESSAGE = 'Funds';

interface Entry {
  readonly time: string;
  readonly text: string;
  readonly amount: string;
}
interface Funds {
  readonly figures: readonly { readonly name: string; readonly amount: string; readonly entries: readonly Entry[] }[];
  readonly underlyings: readonly Readonly<Record<string, string>>[];
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.place(ALICE, MARKET_BUY);
    return undefined;
  },
  data: FUNDS_SHAPE,
});

async function fundsOf(world: World): Promise<Funds> {
  const data = assertSuccess(await world.call(PATH, ALICE), MESSAGE);
  assertShape(data, FUNDS_SHAPE);
  return data as Funds;
}

/** A short option and a future, shares of the day, resting orders, money that came in, and a sale of a holding. */
async function tradeSome(world: World): Promise<void> {
  const { account } = ALICE;
  await world.engine.submit(unasked({ type: 'DepositCash', account, amount: paise(5_000_00), opening: false }));
  const contract = { ...MARKET_BUY, exchange: 'NFO', product: 'M', quantity: '65' };
  await world.place(ALICE, { ...contract, tradingSymbol: 'NIFTY29DEC26C24000', transactionType: 'S' });
  await world.place(ALICE, { ...contract, tradingSymbol: 'NIFTY29DEC26F' });
  await world.place(ALICE, { ...contract, tradingSymbol: 'NIFTY29DEC26F', transactionType: 'S', quantity: '130' });
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', quantity: '100' });
  await world.place(ALICE, { ...LIMIT_BUY, quantity: '50' });
  await world.place(ALICE, { ...MARKET_BUY, transactionType: 'S', quantity: '20' });
}

test('getFunds answers every figure of limit, each as the sum of its entries', async () => {
  const world = await openWorld();
  await tradeSome(world);
  const limits = JSON.parse((await world.call('/limit', ALICE)).text).data as Record<string, string>;
  const { figures } = await fundsOf(world);
  const amounts = new Map(figures.map(({ name, amount }) => [name, amount]));
  for (const [name, amount] of Object.entries(limits))
    if (name !== 'requestTime') assert.equal(amounts.get(name), amount);
  for (const { name, amount, entries } of figures) {
    assert.equal(
      entries.reduce((sum, entry) => sum + paiseOf(entry.amount), 0),
      paiseOf(amount),
      name,
    );
  }
  const payin = figures.find(({ name }) => name === 'payin');
  assert.deepEqual(payin?.entries, [{ time: '11:00:00 20-11-2026', text: 'paid in', amount: '5000.00' }]);
  await world.close();
});

test('getFunds answers the margin of each underlying by its parts, which sum to the figures of limit', async () => {
  const world = await openWorld();
  await tradeSome(world);
  const limits = JSON.parse((await world.call('/limit', ALICE)).text).data as Record<string, string>;
  const { underlyings } = await fundsOf(world);
  assert.deepEqual(
    underlyings.map(({ exchange, underlying }) => `${exchange} ${underlying}`),
    ['NSE NIFTY', 'NSE IDEA'],
  );
  const sumOf = (name: string) => underlyings.reduce((sum, row) => sum + paiseOf(row[name]), 0);
  assert.equal(sumOf('span'), paiseOf(limits.span));
  assert.equal(sumOf('exposure'), paiseOf(limits.expo));
  for (const row of underlyings) {
    const parts = ['span', 'exposure', 'premium', 'cashSegment'].map((name) => paiseOf(row[name]));
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      paiseOf(row.total),
    );
    const charged = Math.max(paiseOf(row.scan) + paiseOf(row.spreadCharge), paiseOf(row.shortMinimum));
    assert.equal(Math.max(0, charged - paiseOf(row.netOptionValue)), paiseOf(row.span), String(row.underlying));
  }
  assert.ok(paiseOf(underlyings[0]?.scan) > 0 && paiseOf(underlyings[1]?.cashSegment) > 0);
  await world.close();
});

test('getFunds shows the newest hundred entries of a book by themselves, and those before them as one sum', async () => {
  const world = await openWorld();
  const { account } = ALICE;
  for (let count = 0; count < 130; count += 1)
    await world.engine.submit(unasked({ type: 'DepositCash', account, amount: paise(1_00), opening: false }));
  const { figures } = await fundsOf(world);
  const payin = figures.find(({ name }) => name === 'payin');
  assert.equal(payin?.amount, '130.00');
  assert.equal(payin.entries.length, 101);
  const [first] = payin.entries;
  assert.deepEqual(first, { time: '', text: 'brought forward, and 30 earlier entries of today', amount: '30.00' });
  await world.close();
});
