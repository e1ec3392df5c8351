import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { AccountId, InstrumentId, OrderNumber, Tick, TradeId } from '../../base/ids.ts';
import { paise, price, quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { apply, FREQUENT_EVENTS } from '../apply.ts';
import type { Event } from '../event.ts';
import { emptyState, type State } from '../state.ts';
import { assertBalanced, type Line } from './books.ts';
import { POSTINGS, postingsOf } from './postings.ts';

const ONE = 0 as AccountId;
const TWO = 1 as AccountId;
const SHARE = {
  instrument: 4 as InstrumentId,
  kind: 'equity',
  group: 4 as InstrumentId,
  isin: 'INE000A01001',
} as const;
const FUTURE = { instrument: 6 as InstrumentId, kind: 'future', group: 4 as InstrumentId, isin: '' } as const;
const OPTION = { instrument: 10 as InstrumentId, kind: 'option', group: 4 as InstrumentId, isin: '' } as const;
const AT = 1 as EpochMs;

type Facts = typeof SHARE | typeof FUTURE | typeof OPTION;

/** A state with two users who may trade anything: the ledger needs nothing but the events. */
function opened(): State {
  const state = emptyState();
  for (const [id, userId] of [
    [ONE, 'AA1111'],
    [TWO, 'BB2222'],
  ] as const) {
    happen(state, {
      type: 'UserRegistered',
      account: id,
      userId,
      name: userId,
      email: 'a@example.com',
      sealedCredentials: '',
      usesTotp: false,
      demo: false,
    });
  }
  return state;
}

function happen(state: State, event: Event): readonly Line[] {
  const lines = postingsOf(state, event);
  assertBalanced(lines);
  apply(state, AT, event);
  return lines;
}

let numbers = 0;

/** A trade of 10 units between orders that are made for it; an account that is left out is the market. */
function trade(state: State, facts: Facts, at: number, product: 'C' | 'M', buyer?: AccountId, seller?: AccountId) {
  const sideOf = (account: AccountId | undefined, side: 'B' | 'S') => {
    if (account === undefined) return undefined;
    numbers += 1;
    const order = numbers as OrderNumber;
    const terms = {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(10),
      price: price(at),
      trigger: price(0),
    } as const;
    happen(state, { type: 'OrderReceived', order, account, ...facts, side, product, terms, remarks: '' });
    happen(state, { type: 'OrderAcknowledged', order, exchangeOrder: (state.lastExchangeOrder + 1) as never });
    return { order, account, product };
  };
  const sell = sideOf(seller, 'S');
  const buy = sideOf(buyer, 'B');
  if (sell !== undefined && buy !== undefined) {
    happen(state, { type: 'OrderRested', order: sell.order, ahead: quantity(0) });
  }
  return happen(state, {
    type: 'Traded',
    trade: (state.lastTrade + 1) as TradeId,
    ...facts,
    tick: 1 as Tick,
    price: price(at),
    quantity: quantity(10),
    aggressor: buy === undefined ? 'S' : 'B',
    ...(buy === undefined ? {} : { buy }),
    ...(sell === undefined ? {} : { sell }),
  });
}

const posted = (lines: readonly Line[]) => {
  return lines.map(({ account, book, amount }) => (account === undefined ? [book, amount] : [account, book, amount]));
};

test('every event has an entry in POSTINGS', () => {
  const source = readFileSync(new URL('../event.ts', import.meta.url), 'utf8');
  const union = source.slice(source.indexOf('export type Event ='));
  const types = Array.from(union.matchAll(/^ {2}\| (\w+)/gm), ([, type]) => type);
  assert.ok(types.length > 20);
  assert.deepEqual(Object.keys(POSTINGS).sort(), types.sort());
});

test('the events that are applied without postings move no money', () => {
  for (const type of FREQUENT_EVENTS) assert.equal(POSTINGS[type], POSTINGS.OrderRejected, type);
});

test('deliveries move their value between the accounts, and the clearing book stays at 0', () => {
  const state = opened();
  const { isin, instrument } = SHARE;
  happen(state, {
    type: 'HoldingCredited',
    account: TWO,
    isin,
    instrument,
    quantity: quantity(10),
    cost: paise(9_000_00),
  });
  assert.deepEqual(posted(trade(state, SHARE, 1_000_00, 'C', ONE, TWO)), [
    [ONE, 'delivery', -10_000_00],
    [TWO, 'delivery', 10_000_00],
  ]);
});

test('proceeds of a sale without settled shares are held back for the next day', () => {
  assert.deepEqual(posted(trade(opened(), SHARE, 1_000_00, 'C', ONE, TWO)), [
    [ONE, 'delivery', -10_000_00],
    [TWO, 'delivery', 10_000_00],
    [TWO, 'heldProceeds', 10_000_00],
    ['margin', -10_000_00],
  ]);
});

test('the premium of an option that is sold short is kept apart until it is bought back', () => {
  const state = opened();
  assert.deepEqual(posted(trade(state, OPTION, 120_00, 'M', undefined, ONE)), [
    [ONE, 'premium', 1_200_00],
    [ONE, 'writtenPremium', 1_200_00],
    ['clearing', -1_200_00],
    ['margin', -1_200_00],
  ]);
  assert.deepEqual(posted(trade(state, OPTION, 150_00, 'M', ONE)), [
    [ONE, 'premium', -1_500_00],
    [ONE, 'writtenPremium', -1_200_00],
    ['clearing', 1_500_00],
    ['margin', 1_200_00],
  ]);
});

test('premiums are paid to the clearing house when the market is on the other side', () => {
  const state = opened();
  assert.deepEqual(posted(trade(state, OPTION, 120_00, 'M', ONE)), [
    [ONE, 'premium', -1_200_00],
    ['clearing', 1_200_00],
  ]);
  assert.deepEqual(posted(trade(state, OPTION, 150_00, 'M', undefined, ONE)), [
    [ONE, 'premium', 1_500_00],
    ['clearing', -1_500_00],
  ]);
});

test('futures and intraday shares move the result when they close, and nothing when they open', () => {
  const state = opened();
  assert.deepEqual(posted(trade(state, FUTURE, 24_000_00, 'M', ONE, TWO)), []);
  assert.deepEqual(posted(trade(state, FUTURE, 24_060_00, 'M', undefined, ONE)), [
    [ONE, 'realised', 600_00],
    ['clearing', -600_00],
  ]);
  assert.deepEqual(posted(trade(state, SHARE, 100_00, 'M', undefined, ONE)), []);
  assert.deepEqual(posted(trade(state, SHARE, 103_00, 'M', ONE)), [
    [ONE, 'realised', -30_00],
    ['clearing', 30_00],
  ]);
});

test("pay-ins come from the bank, and a pay-out uses the day's pay-ins first", () => {
  const state = opened();
  const deposit = (amount: number, opening: boolean) => {
    return posted(happen(state, { type: 'CashDeposited', account: ONE, amount: paise(amount), opening }));
  };
  assert.deepEqual(deposit(500_00, true), [
    [ONE, 'cash', 500_00],
    ['bank', -500_00],
  ]);
  assert.deepEqual(deposit(100_00, false), [
    [ONE, 'payin', 100_00],
    ['bank', -100_00],
  ]);
  assert.deepEqual(posted(happen(state, { type: 'CashPaidOut', account: ONE, amount: paise(130_00) })), [
    [ONE, 'payin', -100_00],
    [ONE, 'cash', -30_00],
    ['bank', 130_00],
  ]);
  assert.equal(state.accounts.at(ONE)?.paidIn, 470_00);
});

test('a pledge posts the change of the collateral value against the depository', () => {
  const state = opened();
  const { instrument, isin } = SHARE;
  const ten = quantity(10);
  happen(state, { type: 'HoldingCredited', account: ONE, isin, instrument, quantity: ten, cost: paise(1_000_00) });
  const value = { account: ONE, isin, instrument, price: price(100_00), haircut: 1_500 };
  const pledged = { ...value, type: 'SharesPledged', quantity: ten, collateral: paise(850_00) } as const;
  assert.deepEqual(posted(happen(state, pledged)), [
    [ONE, 'collateral', 850_00],
    ['depository', -850_00],
  ]);
  const revalued = { ...value, type: 'CollateralRevalued', collateral: paise(800_00) } as const;
  assert.deepEqual(posted(happen(state, revalued)), [
    [ONE, 'collateral', -50_00],
    ['depository', 50_00],
  ]);
  const released = { ...value, type: 'SharesReleased', quantity: ten, collateral: paise(0) } as const;
  assert.deepEqual(posted(happen(state, released)), [
    [ONE, 'collateral', -800_00],
    ['depository', 800_00],
  ]);
});

test('a new block of a portfolio posts the difference of each part, and a new day releases all blocks', () => {
  const state = opened();
  const block = (span: number, exposure: number, premium: number, cash: number) => {
    const parts = { span: paise(span), exposure: paise(exposure), premium: paise(premium), cash: paise(cash) };
    return posted(happen(state, { type: 'MarginBlocked', account: ONE, group: SHARE.group, parts }));
  };
  assert.deepEqual(block(100, 20, 0, 3), [
    [ONE, 'span', 100],
    [ONE, 'exposure', 20],
    [ONE, 'cashSegment', 3],
    ['margin', -123],
  ]);
  assert.deepEqual(block(90, 20, 7, 3), [
    [ONE, 'span', -10],
    [ONE, 'restingPremium', 7],
    ['margin', 3],
  ]);
  assert.deepEqual(posted(happen(state, { type: 'DayRolled', day: 1 as never })), [
    [ONE, 'span', -90],
    [ONE, 'exposure', -20],
    [ONE, 'restingPremium', -7],
    [ONE, 'cashSegment', -3],
    ['margin', 120],
  ]);
});

test('a new day turns the books of the day before into cash', () => {
  const state = opened();
  happen(state, { type: 'CashDeposited', account: ONE, amount: paise(2_000_00), opening: false });
  trade(state, OPTION, 120_00, 'M', ONE);
  trade(state, OPTION, 150_00, 'M', undefined, ONE);
  assert.deepEqual(posted(postingsOf(state, { type: 'DayRolled', day: 1 as never })), [
    [ONE, 'payin', -2_000_00],
    [ONE, 'premium', -300_00],
    [ONE, 'cash', 2_300_00],
  ]);
});

test('lines of money, collateral or margin that do not sum to 0 are a defect', () => {
  const line = (book: 'cash' | 'span' | 'collateral', amount: number): Line => ({
    account: ONE,
    book,
    amount: paise(amount),
  });
  assert.throws(() => assertBalanced([line('cash', 1)]), /sum to 0/);
  assert.throws(() => assertBalanced([line('span', 1), { book: 'bank', amount: paise(-1) }]), /sum to 0/);
  assert.throws(() => assertBalanced([line('cash', 1), { book: 'depository', amount: paise(-1) }]), /sum to 0/);
  assert.doesNotThrow(() => assertBalanced([line('cash', 1), { book: 'bank', amount: paise(-1) }]));
});
