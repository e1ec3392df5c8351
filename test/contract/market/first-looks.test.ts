/** Answers about many instruments look at each for the first time in a piece of work of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

/** The first looks of a kind that a request takes, all in all and the most of them within one read of the engine. */
async function looksOf(kind: 'lastPrint' | 'depth', path: string, message: string, body: object) {
  const seen = new Set<InstrumentId>();
  let reading = 0;
  const note = (id: InstrumentId): void => {
    if (!seen.has(id)) inReads[reading] = (inReads[reading] ?? 0) + 1;
    seen.add(id);
  };
  const inReads: number[] = [0];
  const market = {
    ...fakeMarket,
    [kind]: (id: InstrumentId, tick: Tick, most?: number) => {
      note(id);
      return kind === 'depth' ? fakeMarket.depth(id, tick, most) : fakeMarket.lastPrint(id, tick);
    },
  };
  const world = await openWorld({ market });
  const { engine } = world;
  engine.ports = { ...engine.ports, market };
  const read = engine.read.bind(engine);
  seen.clear();
  inReads.length = 1;
  engine.read = ((query: Parameters<typeof read>[0]) => {
    reading = inReads.push(0) - 1;
    const value = read(query);
    reading = 0;
    return value;
  }) as typeof engine.read;
  assertSuccess(await world.call(path, ALICE, body), message);
  await world.close();
  return { all: seen.size, inOneRead: Math.max(...inReads.slice(1)) };
}

const CONTRACTS = ['C23950', 'P23950', 'C24000', 'P24000', 'C24050'].map((contract) => {
  return { exchange: 'NFO', tradingSymbol: `NIFTY29DEC26${contract}`, quantity: '65', transactionType: 'B' };
});

test('optionChain looks at no option for the first time while it reads the state', async () => {
  const chain = { exchange: 'NFO', symbol: 'NIFTY', expiry: '29DEC26', count: '3', strikePrice: '24000' };
  const looks = await looksOf('lastPrint', '/optionChain', 'Option chain data retrieved successfully', chain);
  assert.deepEqual([looks.all >= 6, looks.inOneRead], [true, 0]);
});

test('getStrategy looks at no leg for the first time while it reads the state', async () => {
  const looks = await looksOf('lastPrint', '/getStrategy', 'Strategy computed', { legs: CONTRACTS });
  // The last price of the underlying is the one that is left.
  assert.deepEqual([looks.all, looks.inOneRead], [6, 1]);
});

test('basketMargin looks at no order for the first time while it reads the state', async () => {
  const orders = CONTRACTS.map((contract) => ({ ...contract, product: 'M', priceType: 'MKT', price: '0' }));
  const basket = { ...orders[0], BasketList_Params: orders.slice(1) };
  const looks = await looksOf('depth', '/basketMargin', 'Fetched basket margin successfully', basket);
  assert.deepEqual([looks.all, looks.inOneRead], [5, 0]);
});
