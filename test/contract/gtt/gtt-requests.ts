import assert from 'node:assert/strict';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, type TestUser, type World } from '../../kit/wire/world.ts';

export const ORDER = {
  exchange: 'NSE',
  retention: 'DAY',
  product: 'C',
  priceType: 'LMT',
  tradingSymbol: 'RELIANCE-EQ',
  transactionType: 'B',
  price: '1200',
  triggerPrice: '0',
  quantity: '1',
  remarks: 'the order',
};

/** A GTT of one leg, as the vendor's clients ask for it. */
export const ONE_LEG = {
  tradingSymbol: 'RELIANCE-EQ',
  exchange: 'NSE',
  validity: 'GTT',
  value: '1100.00',
  remarks: 'the GTT',
  OrderParams: ORDER,
};

/** A GTT of two legs. */
export const TWO_LEGS = {
  ...ONE_LEG,
  value2: '1500.00',
  OrderParams2: { ...ORDER, priceType: 'MKT', price: '0', remarks: '' },
};

export type Row = Readonly<Record<string, string>> & {
  readonly OrderParams: Readonly<Record<string, string>>;
  readonly OrderParams2?: Readonly<Record<string, string>>;
};

export async function placed(world: World, change: object = {}, by: TestUser = ALICE): Promise<string> {
  const seen = await world.call('/placeGttOrder', by, { ...ONE_LEG, ...change });
  return String((assertSuccess(seen, 'GTT order placed successfully') as Row).GTTid);
}

export async function bookOf(world: World, by: TestUser = ALICE): Promise<Row[]> {
  return assertSuccess(await world.call('/GttOrderBook', by, {}), 'GTT order book') as Row[];
}

export async function rowOf(world: World, gtt: string, by: TestUser = ALICE): Promise<Row> {
  const row = (await bookOf(world, by)).find(({ GTTid }) => GTTid === gtt);
  assert.ok(row, `the GTT ${gtt} is in the book`);
  return row;
}
