import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import { quantity } from '../../../src/base/money.ts';
import { istInstant } from '../../../src/base/time.ts';
import type { ConvertPosition } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Side } from '../../../src/core/order.ts';
import { buyAmount, realisedOf, sellAmount } from '../../../src/core/position.ts';
import { convertibleQuantity, holdingsOf, limitsOf, positionsOf } from '../../../src/core/query.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { EVERY_DAY } from '../../../src/core/trading-days.ts';
import { FIRST_DAY, GROSS, listed, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { EXPIRING_FUTURE, STOCK_CONTRACTS, STOCK_FUTURE, STOCK_LOT } from '../../kit/money/stock-contracts.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;

const CONTRACTS = new Map(STOCK_CONTRACTS.map((contract) => [contract.id, contract]));
const INSTRUMENTS = { get: (id: InstrumentId) => CONTRACTS.get(id) ?? listed.get(id) };

function open(cash = CRORE, days = EVERY_DAY) {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  market.quotes.set(GROSS.id, { bid: 100_00, ask: 100_00, last: 100_00 });
  market.quotes.set(NIFTY_FUTURE.id, { bid: 24_000_00, ask: 24_000_00, last: 24_000_00 });
  const ports = testPorts({ instruments: INSTRUMENTS, market, days });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', cash);
  const convert = (words: Partial<ConvertPosition>) => {
    const { reply } = world.submit({ ...conversion(by), ...words });
    checkInvariants(world.state, ports);
    return reply.type === 'Refused' ? reply.refusal.rule : reply.type;
  };
  return { market, world, by, convert, check: () => checkInvariants(world.state, ports) };
}

function conversion(account: AccountId): ConvertPosition {
  return {
    type: 'ConvertPosition',
    account,
    instrument: RELIANCE.id,
    from: 'I',
    to: 'C',
    quantity: quantity(10),
    side: 'B',
    age: 'day',
  };
}

test('an intraday purchase becomes a delivery when the whole value is there, and goes back before the day ends', () => {
  const { world, by, convert } = open(3_000_00);
  world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_000_00, product: 'I' });
  assert.equal(limitsOf(world.account(by)).marginUsed, 2_000_00);
  assert.equal(convert({}), 'MarginShortfall');
  assert.equal(convert({ quantity: quantity(1) }), 'PositionConverted');
  assert.equal(limitsOf(world.account(by)).marginUsed, 1_800_00 + 1_000_00);
  assert.deepEqual(
    positionsOf(world.account(by)).map((row) => [row.product, row.dayBuyQuantity, row.dayBuyAmount]),
    [
      ['I', 9, 9_000_00],
      ['C', 1, 1_000_00],
    ],
  );
  assert.equal(convert({ from: 'C', to: 'I', quantity: quantity(1) }), 'PositionConverted');
  assert.equal(limitsOf(world.account(by)).marginUsed, 2_000_00);
  assert.equal(limitsOf(world.account(by)).peakMargin, 2_800_00);
});

test('the realised result stays in the old row to the paisa, and nothing is lost between the rows', () => {
  for (const [opening, closing] of [
    ['B', 'S'],
    ['S', 'B'],
  ] as const) {
    const { market, world, by, convert } = open();
    const trade = (side: Side, at: number) => {
      market.quotes.set(STOCK_FUTURE.id, { bid: at, ask: at, last: at });
      world.place({ by, of: STOCK_FUTURE.id, side, units: STOCK_LOT, at, product: 'I' });
    };
    market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
    for (const at of [1_000_00, 1_000_05, 1_000_05]) trade(opening, at);
    trade(closing, 1_000_20);
    const results = () => {
      const rows = positionsOf(world.account(by));
      return [rows[0] && realisedOf(rows[0]), rows.reduce((sum, row) => sum + row.daySellAmount - row.dayBuyAmount, 0)];
    };
    const before = results();
    const words = { instrument: STOCK_FUTURE.id, from: 'I', to: 'M', side: opening } as const;
    for (let lots = 2; lots > 0; lots -= 1) {
      assert.equal(convert({ ...words, quantity: quantity(STOCK_LOT) }), 'PositionConverted');
      assert.deepEqual(results(), before, `${opening}, ${lots}`);
    }
  }
});

test('beside carried units what was traded today moves at its own average', () => {
  const { market, world, by, convert } = open();
  const trade = (side: Side, at: number, close = at) => {
    market.quotes.set(NIFTY_FUTURE.id, { bid: at, ask: at, last: at, close });
    world.place({ by, of: NIFTY_FUTURE.id, side, units: 65, at, product: 'M' });
  };
  trade('B', 24_000_10, 24_138_50);
  world.nextDay();
  trade('B', 23_900_10);
  trade('S', 23_900_00);
  const sum = () => positionsOf(world.account(by)).reduce((all, row) => all + sellAmount(row) - buyAmount(row), 0);
  const before = sum();
  const words = { instrument: NIFTY_FUTURE.id, from: 'M', to: 'I', quantity: quantity(65) } as const;
  assert.equal(convert(words), 'PositionConverted');
  assert.equal(sum(), before);
  assert.deepEqual(
    positionsOf(world.account(by)).map((row) => [row.carriedBuyAmount, row.dayBuyQuantity, row.dayBuyAmount]),
    [
      [65 * 24_138_50, 0, 0],
      [0, 65, 65 * 23_900_10],
    ],
  );
});

test('the side and the age that are named must be there, and no more than that is converted', () => {
  const { world, by, convert } = open();
  world.place({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_000_00, product: 'I' });
  assert.equal(convert({ side: 'S' }), 'InvalidPositionType');
  assert.equal(convert({ age: 'carried' }), 'InvalidPositionType');
  assert.equal(convert({ from: 'M' }), 'InvalidPositionType');
  assert.equal(convert({ quantity: quantity(101) }), 'ConversionAbovePosition');
  world.place({ by, of: RELIANCE.id, side: 'S', units: 60, at: 1_000_00, product: 'I' });
  assert.equal(convert({ quantity: quantity(41) }), 'ConversionAbovePosition');
  assert.equal(convert({ quantity: quantity(40) }), 'PositionConverted');
  assert.equal(convert({ quantity: quantity(1) }), 'InvalidPositionType');
  const { reply } = world.submit({ ...conversion(by), side: 'S' });
  assert.ok(reply.type === 'Refused');
  assert.equal(refusalText(reply.refusal, { userId: 'AB1234' }), 'Invalid Input :  Invalid Position Type');
});

test('units of a delivery that were sold or are offered for sale cannot be converted', () => {
  const { world, by, convert } = open();
  world.place({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_000_00, product: 'C' });
  const sale = world.place({ by, of: RELIANCE.id, side: 'S', units: 70, at: 1_100_00, product: 'C' });
  const most = () => convertibleQuantity(world.account(by), listed, RELIANCE, { from: 'C', side: 'B', age: 'day' });
  assert.equal(most(), 30);
  assert.equal(convert({ from: 'C', to: 'I', quantity: quantity(31) }), 'ConversionAbovePosition');
  assert.equal(convert({ from: 'C', to: 'I', quantity: quantity(30) }), 'PositionConverted');
  assert.equal(most(), 0);
  world.submit({ type: 'CancelOrder', account: by, order: sale.number });
  assert.equal(convert({ from: 'C', to: 'M', quantity: quantity(70) }), 'PositionConverted');
});

test('a short sale becomes a delivery sale only from shares that are held', () => {
  const { world, by, convert } = open();
  world.place({ by, of: RELIANCE.id, side: 'S', units: 10, at: 1_000_00, product: 'I' });
  assert.equal(convert({ side: 'S' }), 'NoHoldings');
  world.give(by, RELIANCE.id, 4, 4 * 900_00);
  const before = limitsOf(world.account(by));
  assert.equal(convert({ side: 'S' }), 'NotEnoughHoldings');
  assert.equal(convert({ side: 'S', quantity: quantity(4) }), 'PositionConverted');
  assert.equal(holdingsOf(world.account(by), listed)[0]?.used, 4);
  const { totalMargin, cash, payin } = limitsOf(world.account(by));
  assert.deepEqual([cash - before.cash, payin, totalMargin - before.totalMargin], [4_000_00, 0, 4_000_00]);
  assert.equal(convert({ from: 'C', to: 'I', side: 'S', quantity: quantity(4) }), 'ConversionNotAllowed');
});

test('trade-for-trade shares stay deliveries, and shares do not move between the two intraday products', () => {
  const { world, by, convert } = open();
  world.place({ by, of: GROSS.id, side: 'B', units: 10, at: 100_00, product: 'C' });
  assert.equal(convert({ instrument: GROSS.id, from: 'C', to: 'I' }), 'IntradayNotAllowed');
  world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_000_00, product: 'I' });
  assert.equal(convert({ to: 'M' }), 'ConversionNotAllowed');
  assert.equal(convert({ to: 'I' }), 'ConversionNotAllowed');
});

test('contracts move between I and M by whole lots, and what is carried never becomes intraday', () => {
  const { world, by, convert } = open();
  const words = { instrument: NIFTY_FUTURE.id, from: 'I', to: 'M' } as const;
  world.place({ by, of: NIFTY_FUTURE.id, side: 'S', units: 130, at: 24_000_00, product: 'I' });
  assert.equal(convert({ ...words, side: 'S', quantity: quantity(64) }), 'NotALotMultiple');
  assert.equal(convert({ ...words, side: 'S', quantity: quantity(65), to: 'C' }), 'ConversionNotAllowed');
  const before = limitsOf(world.account(by)).marginUsed;
  assert.equal(convert({ ...words, side: 'S', quantity: quantity(65) }), 'PositionConverted');
  assert.equal(limitsOf(world.account(by)).marginUsed, before, 'one portfolio over both products');
  world.nextDay();
  const carried = { instrument: NIFTY_FUTURE.id, side: 'S', age: 'carried', quantity: quantity(65) } as const;
  assert.equal(convert({ ...carried, from: 'M', to: 'I' }), 'ConversionNotAllowed');
  assert.equal(convert({ ...carried, from: 'I', to: 'M' }), 'InvalidPositionType', 'the day end left nothing intraday');
  const [row] = positionsOf(world.account(by)).filter(({ product }) => product === 'M');
  assert.deepEqual([row?.carriedSellQuantity, row?.carriedSellAmount], [130, 130 * 24_000_00]);
});

test('once its segment is squared off no position is converted', () => {
  const { world, by, convert } = open();
  world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_000_00, product: 'I' });
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00, product: 'I' });
  world.submit({ type: 'SquareOff', day: world.state.day, segment: 'SharesWithContracts' });
  assert.equal(convert({ quantity: quantity(11) }), 'ConversionAbovePosition', 'the quantity is looked at first');
  assert.equal(convert({}), 'ConversionAfterSquareOff');
  assert.equal(
    convert({ instrument: NIFTY_FUTURE.id, from: 'I', to: 'M', quantity: quantity(65) }),
    'PositionConverted',
    'contracts have a time of their own',
  );
});

test('after the last entry into contracts that expire today none becomes intraday, and intraday ones still become carried', () => {
  const last = 36_000_000 + 60_000;
  const { market, world, by, convert } = open(CRORE, { ...EVERY_DAY, expiringEntryEnds: () => last });
  market.quotes.set(RELIANCE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00, close: 1_260_00 });
  for (const { id } of [EXPIRING_FUTURE, STOCK_FUTURE]) {
    market.quotes.set(id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00 });
    world.place({ by, of: id, side: 'B', units: 2 * STOCK_LOT, at: 1_260_00, product: 'M' });
  }
  const expiring = { instrument: EXPIRING_FUTURE.id, quantity: quantity(STOCK_LOT) };
  const entering = { ...expiring, from: 'M', to: 'I' } as const;
  world.at = istInstant(FIRST_DAY, last - 1_000);
  assert.equal(convert(entering), 'PositionConverted');
  world.at = istInstant(FIRST_DAY, last);
  assert.equal(convert(entering), 'ConversionAfterSquareOff');
  assert.equal(convert({ ...entering, instrument: STOCK_FUTURE.id }), 'PositionConverted', 'it expires on another day');
  assert.equal(convert({ ...expiring, from: 'I', to: 'M' }), 'PositionConverted');
});

test('after the last entry nothing is converted away from an exit, which would enter then', () => {
  const last = 36_000_000 + 60_000;
  const { market, world, by, convert } = open(CRORE, { ...EVERY_DAY, expiringEntryEnds: () => last });
  market.quotes.set(RELIANCE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00, close: 1_260_00 });
  market.quotes.set(EXPIRING_FUTURE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00 });
  const words = { by, of: EXPIRING_FUTURE.id, product: 'I' } as const;
  world.place({ ...words, side: 'B', units: 2 * STOCK_LOT, at: 1_260_00 });
  world.at = istInstant(FIRST_DAY, last);
  assert.equal(world.place({ ...words, side: 'S', units: STOCK_LOT, at: 1_290_00 }).status, 'Open');
  const carried = { instrument: EXPIRING_FUTURE.id, from: 'I', to: 'M', quantity: quantity(STOCK_LOT) } as const;
  assert.equal(convert(carried), 'PositionConverted');
  assert.equal(convert(carried), 'ConversionAfterSquareOff');
});

test('a delivery that is made by conversion is not paid from collateral', () => {
  const { world, by, convert } = open(3_000_00);
  world.give(by, RELIANCE.id, 100, 100 * 900_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(100) });
  world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_000_00, product: 'I' });
  assert.ok(limitsOf(world.account(by)).availableMargin > 10_000_00);
  assert.equal(convert({}), 'CollateralNotAllowed');
  world.submit({ type: 'DepositCash', account: by, amount: 7_000_00 as never, opening: false });
  assert.equal(convert({}), 'PositionConverted');
});
