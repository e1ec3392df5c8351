import assert from 'node:assert/strict';
import test from 'node:test';
import { instrumentId } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { type IstDay, istInstant } from '../../../src/base/time.ts';
import { availableMargin, marginUsed } from '../../../src/core/broker/account/funds.ts';
import { orderMargin } from '../../../src/core/broker/trials/basket-margin.ts';
import type { SetBan } from '../../../src/core/command.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { limitsOf } from '../../../src/core/query.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { EVERY_DAY, type TradingDays } from '../../../src/core/trading-days.ts';
import {
  FIRST_DAY,
  GROSS,
  listed,
  NIFTY,
  NIFTY_CALL,
  NIFTY_FUTURE,
  NIFTY_PUT,
  RELIANCE,
  RELIANCE_BSE,
} from '../../kit/money/listed.ts';
import { type Quote, StillMarket } from '../../kit/money/still-market.ts';
import {
  EXPIRING_CALL,
  EXPIRING_FUTURE,
  STOCK_LOT as LOT,
  STOCK_CALL,
  STOCK_CONTRACTS,
  STOCK_FUTURE,
} from '../../kit/money/stock-contracts.ts';
import { type OrderWords, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { reloaded, storedParts } from '../../kit/stored-state.ts';

const CRORE = 1_000_000_000;
const MARKET_TERMS = {
  priceType: 'MKT',
  retention: 'DAY',
  quantity: quantity(100),
  price: price(0),
  trigger: price(0),
} as const;

function open(days: TradingDays = EVERY_DAY) {
  const market = new StillMarket();
  const quote = (at: number): Quote => ({ bid: at, ask: at, last: at, close: at });
  market.quotes.set(RELIANCE.id, quote(1_260_00));
  market.quotes.set(RELIANCE_BSE.id, quote(1_260_00));
  market.quotes.set(GROSS.id, quote(100_00));
  market.quotes.set(NIFTY_FUTURE.id, quote(24_000_00));
  market.quotes.set(NIFTY_CALL.id, quote(400_00));
  market.quotes.set(NIFTY_PUT.id, quote(200_00));
  market.quotes.set(STOCK_FUTURE.id, quote(1_265_00));
  market.quotes.set(STOCK_CALL.id, quote(30_00));
  market.quotes.set(EXPIRING_CALL.id, quote(2_00));
  const instruments = { get: (id: Instrument['id']) => STOCK_CONTRACTS.find((one) => one.id === id) ?? listed.get(id) };
  const ports = testPorts({ instruments, market, days });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', 10 * CRORE);
  const say = (words: OrderWords) => refusalText(world.refusal(words), { userId: 'AB1234' });
  return { market, quote, ports, world, by, say, check: () => checkInvariants(world.state, ports) };
}

const BAN: SetBan = { type: 'SetBan', underlying: RELIANCE.id, banned: true, by: 'test' };
const BAN_TEXT = 'RED:RULE:{Check ban period}Only reduction of position allowed for C-AB1234 [ONLINE]';

test('in the ban period of an underlying its contracts are only reduced, all resting orders together', () => {
  const { world, by, say, check } = open();
  const future = { by, of: STOCK_FUTURE.id } as const;
  world.place({ ...future, side: 'B', units: 2 * LOT, at: 1_265_00 });
  assert.equal(world.submit(BAN).events.length, 1);
  assert.equal(world.submit(BAN).events.length, 0, 'it begins once');
  assert.equal(say({ ...future, side: 'B', units: LOT, at: 1_200_00 }), BAN_TEXT);
  assert.equal(say({ ...future, side: 'S', units: 3 * LOT, at: 1_300_00 }), BAN_TEXT, 'it would turn the position');
  const exit = world.place({ ...future, side: 'S', units: LOT, at: 1_300_00 });
  assert.equal(say({ ...future, side: 'S', units: 2 * LOT, at: 1_300_00 }), BAN_TEXT, 'two exits close one position');
  const more = world.submit({
    type: 'ModifyOrder',
    account: by,
    order: exit.number,
    terms: { ...exit.terms, quantity: quantity(3 * LOT) },
  });
  assert.ok(more.reply.type === 'Refused' && more.reply.refusal.rule === 'BanPeriod');
  assert.equal(world.place({ ...future, side: 'S', units: LOT, product: 'I', at: 1_300_00 }).status, 'Open');
  assert.equal(say({ by, of: STOCK_CALL.id, side: 'B', units: LOT, at: 30_00 }), BAN_TEXT, 'each contract by itself');
  assert.equal(world.place({ by, of: RELIANCE.id, side: 'B', units: 1, product: 'C' }).status, 'Complete');
  assert.equal(
    world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00 }).status,
    'Complete',
    'another underlying is not banned',
  );
  world.submit({ ...BAN, banned: false });
  assert.equal(world.place({ ...future, side: 'B', units: LOT, at: 1_200_00 }).status, 'Open');
  check();
});

test('a ban period begins above 95 % of the limit of open interest and ends below 80 %', () => {
  const { market, world, by, say, check } = open();
  const order = { by, of: STOCK_FUTURE.id, side: 'B', units: LOT, at: 1_200_00 } as const;
  const review = (openInterest: number | undefined) => {
    if (openInterest === undefined) market.positions.delete(RELIANCE.id);
    else market.positions.set(RELIANCE.id, { openInterest, limit: 10_000 });
    const { events } = world.submit({ type: 'ReviewBan', underlying: RELIANCE.id });
    return events.length === 0 ? 'as it was' : world.state.overLimit.has(RELIANCE.id) ? 'begun' : 'over';
  };
  const seen = [9_500, 9_501, 9_501, 9_999, 8_000, 12_000, 7_999, 7_999, 9_500, 9_501].map(review);
  const asItWas = 'as it was';
  const [begun, over] = ['begun', 'over'];
  const before = [asItWas, begun, asItWas, asItWas, asItWas, asItWas];
  assert.deepEqual(seen, [...before, over, asItWas, asItWas, begun]);
  assert.equal(say(order), BAN_TEXT);
  assert.equal(review(undefined), over, 'nothing is banned by figures that are not known');
  assert.equal(world.place(order).status, 'Open');
  assert.equal(review(undefined), asItWas);
  check();
});

test('a ban period that an operator began is not ended by the limit, nor that of the limit by an operator', () => {
  const { market, world, by, say } = open();
  const order = { by, of: STOCK_FUTURE.id, side: 'B', units: LOT, at: 1_200_00 } as const;
  const review = (openInterest: number): void => {
    market.positions.set(RELIANCE.id, { openInterest, limit: 10_000 });
    world.submit({ type: 'ReviewBan', underlying: RELIANCE.id });
  };
  world.submit(BAN);
  review(1_000);
  assert.equal(say(order), BAN_TEXT);
  review(9_600);
  world.submit({ ...BAN, banned: false });
  assert.equal(say(order), BAN_TEXT);
  review(7_000);
  assert.equal(world.place(order).status, 'Open');
});

test('a snapshot keeps what is beyond its limit, and has no table of it where nothing is', () => {
  const { market, world } = open();
  assert.ok(!('overLimit' in storedParts(world.state)));
  market.positions.set(RELIANCE.id, { openInterest: 9_600, limit: 10_000 });
  world.submit({ type: 'ReviewBan', underlying: RELIANCE.id });
  const dump = JSON.stringify(storedParts(world.state));
  const loaded = reloaded(world.state);
  assert.deepEqual([...loaded.overLimit], [[RELIANCE.id, { since: FIRST_DAY, openInterest: 9_600, limit: 10_000 }]]);
  assert.equal(JSON.stringify(storedParts(loaded)), dump);
});

test('no figures of a market put an index or a share without contracts into a ban period', () => {
  const { market, world } = open();
  for (const underlying of [NIFTY.id, GROSS.id, instrumentId('NSE', 77)]) {
    market.positions.set(underlying, { openInterest: 10_000, limit: 10_000 });
    assert.deepEqual(world.submit({ type: 'ReviewBan', underlying }).events, []);
  }
});

test('a resting exit may be modified in a ban period, up to all of its position', () => {
  const { world, by, check } = open();
  const future = { by, of: STOCK_FUTURE.id } as const;
  world.place({ ...future, side: 'B', units: 2 * LOT, at: 1_265_00 });
  const exit = world.place({ ...future, side: 'S', units: LOT, at: 1_300_00 });
  world.submit(BAN);
  const modify = (units: number) => {
    const terms = { ...exit.terms, quantity: quantity(units) };
    const { reply } = world.submit({ type: 'ModifyOrder', account: by, order: exit.number, terms });
    return reply.type === 'Refused' ? reply.refusal : reply.type;
  };
  assert.equal(modify(2 * LOT), 'OrderModified');
  assert.deepEqual(modify(3 * LOT), { rule: 'BanPeriod', net: 2 * LOT, after: -LOT });
  check();
});

test('a trade-for-trade share is only delivered', () => {
  const { world, by } = open();
  world.give(by, GROSS.id, 10, 10 * 90_00);
  for (const side of ['B', 'S'] as const) {
    for (const product of ['I', 'M'] as const) {
      const refusal = world.refusal({ by, of: GROSS.id, side, units: 1, at: 100_00, product });
      assert.deepEqual(refusal, { rule: 'IntradayNotAllowed', product });
    }
    assert.equal(world.place({ by, of: GROSS.id, side, units: 1, at: 100_00, product: 'C' }).status, 'Complete');
  }
});

test('an index and what was never listed have no ban period', () => {
  const { world } = open();
  for (const underlying of [NIFTY.id, GROSS.id, instrumentId('NSE', 77)]) {
    const { reply, events } = world.submit({ ...BAN, underlying });
    assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'NothingToBan');
    assert.deepEqual(events, []);
  }
});

test('after the square-off of its segment an intraday order only closes', () => {
  const { world, by, say, check } = open();
  const text = 'RED:Intraday orders are disallowed after system square off for C-AB1234 [ONLINE]';
  world.place({ by, of: RELIANCE.id, side: 'S', units: 10, at: 1_260_00, product: 'M' });
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00, product: 'I' });
  world.submit({ type: 'SquareOff', day: world.state.day, segment: 'SharesWithContracts' });
  assert.equal(say({ by, of: RELIANCE.id, side: 'B', units: 11, at: 1_260_00, product: 'M' }), text);
  assert.equal(
    say({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_260_00, product: 'I' }),
    text,
    'I and M are two rows',
  );
  assert.equal(
    world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_260_00, product: 'M' }).status,
    'Complete',
  );
  assert.equal(
    world.place({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_260_00, product: 'C' }).status,
    'Complete',
  );
  assert.equal(world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, product: 'I' }).status, 'Complete');
  world.submit({ type: 'SquareOff', day: world.state.day, segment: 'Contracts' });
  assert.equal(say({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00, product: 'I' }), text);
  assert.equal(world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, product: 'M' }).status, 'Complete');
  check();
});

test('a position of a single share is closed after the square-off, and not turned', () => {
  for (const side of ['B', 'S'] as const) {
    const { world, by, check } = open();
    const close = { by, of: RELIANCE.id, side: side === 'B' ? 'S' : 'B', at: 1_260_00, product: 'I' } as const;
    world.place({ ...close, side, units: 1 });
    world.submit({ type: 'SquareOff', day: world.state.day, segment: 'SharesWithContracts' });
    assert.equal(world.refusal({ ...close, units: 2 }).rule, 'IntradayAfterSquareOff');
    assert.equal(world.place({ ...close, units: 1 }).status, 'Complete');
    assert.equal(world.refusal({ ...close, units: 1 }).rule, 'IntradayAfterSquareOff');
    check();
  }
});

test('after the last entry into contracts that expire today an intraday order in them only closes, and others go on', () => {
  const last = 36_000_000 + 60_000;
  const days = { ...EVERY_DAY, expiringEntryEnds: (day: IstDay) => (day === FIRST_DAY ? last : undefined) };
  const { market, world, by, say, check } = open(days);
  const text = 'RED:Intraday orders are disallowed after system square off for C-AB1234 [ONLINE]';
  market.quotes.set(EXPIRING_FUTURE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00 });
  const expiring = { by, of: EXPIRING_FUTURE.id, units: LOT, at: 1_260_00, product: 'I' } as const;
  const later = { ...expiring, of: STOCK_FUTURE.id, at: 1_265_00 } as const;
  world.at = istInstant(FIRST_DAY, last - 1_000);
  assert.equal(world.place({ ...expiring, side: 'B' }).status, 'Complete');
  world.at = istInstant(FIRST_DAY, last);
  assert.equal(say({ ...expiring, side: 'B' }), text);
  assert.equal(say({ ...expiring, side: 'S', units: 2 * LOT }), text);
  assert.equal(world.place({ ...expiring, side: 'B', product: 'M' }).status, 'Complete', 'for the delivery');
  assert.equal(world.place({ ...expiring, side: 'S' }).status, 'Complete');
  assert.equal(world.place({ ...later, side: 'B' }).status, 'Complete', 'it expires on another day');
  assert.equal(world.place({ by, of: RELIANCE.id, side: 'B', units: 1, product: 'I' }).status, 'Complete');
  check();
});

test('an option that is delivered today is sold and bought back, not bought', () => {
  const { world, by, say, check } = open();
  const text = 'RED:RULE:{Check physical delivery}New long options are disallowed on expiry day for C-AB1234 [ONLINE]';
  const option = { by, of: EXPIRING_CALL.id, at: 2_00 } as const;
  assert.equal(say({ ...option, side: 'B', units: LOT }), text);
  assert.equal(world.place({ ...option, side: 'S', units: LOT }).status, 'Complete');
  assert.equal(say({ ...option, side: 'B', units: 2 * LOT }), text);
  assert.equal(world.place({ ...option, side: 'B', units: LOT }).status, 'Complete');
  check();
});

test('premium and deliveries are paid from cash, margins from collateral too', () => {
  const { world, say, check } = open();
  const by = world.user('CD5678', 0);
  world.give(by, RELIANCE.id, 1_000, 1_000 * 1_000_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(1_000) });
  world.submit({ type: 'DepositCash', account: by, amount: 20_000_00 as never, opening: true });
  assert.ok(limitsOf(world.account(by)).availableMargin > 500_000_00);
  const call = { by, of: NIFTY_CALL.id, side: 'B', units: 65 } as const;
  assert.equal(
    say({ ...call, at: 400_00 }),
    'RED:RULE:{Dont allow collateral and daylong cash for CAC/OPTION buy}Shortfall:INR 6,000.00',
  );
  assert.match(say({ by, of: RELIANCE.id, side: 'B', units: 16, at: 1_260_00, product: 'C' }), /:INR 160\.00$/);
  assert.equal(world.place({ ...call, of: NIFTY_FUTURE.id, at: 24_000_00 }).status, 'Complete', 'margin may be');
  world.place({ by, of: NIFTY_PUT.id, side: 'S', units: 65, at: 200_00 });
  assert.equal(world.place({ ...call, of: NIFTY_PUT.id, at: 200_00 }).status, 'Complete', 'buying back is an exit');
  check();
});

test('a cash order of exactly ten crore rupees is taken, one share more is not', () => {
  const { world, by, check } = open();
  const order = { by, of: RELIANCE.id, side: 'B', at: 1_000_00, product: 'C' } as const;
  assert.equal(world.refusal({ ...order, units: 100_001 }).rule, 'AboveOrderValueCap');
  assert.equal(world.place({ ...order, units: 100_000 }).status, 'Open');
  check();
});

test('a contract without a freeze quantity is ordered for ten thousand crore rupees at most', () => {
  const free = { ...NIFTY_FUTURE, freeze: quantity(0) };
  const instruments = { get: (id: Instrument['id']) => (id === free.id ? free : listed.get(id)) };
  const { market, quote } = open();
  market.quotes.set(free.id, quote(24_000_00));
  const world = new World(testPorts({ instruments, market }), FIRST_DAY);
  const by = world.user('AB1234', 10 * CRORE);
  const order = { by, of: free.id, side: 'B', at: 24_000_00 } as const;
  const most = 4_166_630;
  assert.equal(world.refusal({ ...order, units: most + 65 }).rule, 'AboveOrderValueCap');
  assert.equal(world.refusal({ ...order, units: 999_999_975 }).rule, 'AboveOrderValueCap');
  assert.equal(world.refusal({ ...order, units: most }).rule, 'MarginShortfall');
  const text = refusalText(world.refusal({ ...order, units: 999_999_975 }), { userId: 'AB1234' });
  assert.match(text, /Current:INR 23999999400000\.00 Set:INR 100000000000\.00/);
});

test('an intraday purchase needs a fifth of its limit, a sale a fifth of the bid when that is higher', () => {
  const { market, quote, world, check } = open();
  market.quotes.set(RELIANCE.id, { ...quote(1_260_00), bid: 1_259_00, ask: 1_261_00 });
  const used = (side: 'B' | 'S', at: number) => {
    const by = world.user(`${side}${at}`, 10 * CRORE);
    world.place({ by, of: RELIANCE.id, side, units: 100, at, product: 'I' });
    return marginUsed(world.account(by));
  };
  assert.equal(used('B', 1_250_00), 25_000_00);
  assert.equal(used('S', 1_270_00), 25_400_00);
  check();
});

test('a stop whose trigger the last price has reached is refused, one beyond it waits', () => {
  const { world, by, say, check } = open();
  const stop = { by, of: RELIANCE.id, units: 1, type: 'SL-LMT', product: 'I' } as const;
  for (const [side, trigger, at] of [
    ['B', 1_260_00, 1_261_00],
    ['B', 1_250_00, 1_251_00],
    ['S', 1_260_00, 1_259_00],
    ['S', 1_270_00, 1_269_00],
  ] as const) {
    const refusal = world.refusal({ ...stop, side, trigger, at });
    assert.deepEqual(refusal, { rule: 'TriggerAlreadyCrossed', trigger, last: 1_260_00 });
  }
  assert.match(say({ ...stop, side: 'B', trigger: 1_260_00, at: 1_261_00 }), /[Tt]rigger/);
  assert.equal(world.place({ ...stop, side: 'B', trigger: 1_260_05, at: 1_261_00 }).status, 'TriggerPending');
  assert.equal(world.place({ ...stop, side: 'S', trigger: 1_259_95, at: 1_259_00 }).status, 'TriggerPending');
  check();
});

test('beside collateral a purchase is paid to the last paisa of cash', () => {
  for (const short of [0, 1]) {
    const { world, check } = open();
    const by = world.user('CD5678', 65 * 400_00 - short);
    world.give(by, RELIANCE.id, 100, 100 * 1_000_00);
    world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(100) });
    const call = { by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 400_00 } as const;
    if (short === 0) assert.equal(world.place(call).status, 'Complete');
    else assert.deepEqual(world.refusal(call), { rule: 'CollateralNotAllowed', shortfall: 1 });
    check();
  }
});

test('pledged shares are not sold, and one holding is sold once over both of its listings', () => {
  const { world, by, say, check } = open();
  world.give(by, RELIANCE.id, 100, 100 * 1_000_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(40) });
  const sale = { by, side: 'S', at: 1_300_00, product: 'C' } as const;
  assert.equal(
    say({ ...sale, of: RELIANCE.id, units: 61 }),
    'RED:RULE:{Check Holdings Including BTST}Eligible Sell:60',
  );
  const resting = world.place({ ...sale, of: RELIANCE.id, units: 50 });
  assert.equal(
    say({ ...sale, of: RELIANCE_BSE.id, units: 11 }),
    'RED:RULE:{Check Holdings Including BTST}Eligible Sell:10',
  );
  assert.equal(world.place({ ...sale, of: RELIANCE_BSE.id, units: 10 }).status, 'Open');
  const more = { ...resting.terms, quantity: quantity(51) };
  const { reply } = world.submit({ type: 'ModifyOrder', account: by, order: resting.number, terms: more });
  assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'NotEnoughHoldings');
  const lower = { ...resting.terms, quantity: quantity(20) };
  world.submit({ type: 'ModifyOrder', account: by, order: resting.number, terms: lower });
  assert.equal(world.place({ ...sale, of: RELIANCE_BSE.id, units: 30 }).status, 'Open');
  check();
});

test('shares bought yesterday are sold today, those of a trade-for-trade share a day later', () => {
  const { world, by, say, check } = open();
  world.place({ by, of: RELIANCE.id, side: 'B', units: 10, product: 'C' });
  world.place({ by, of: GROSS.id, side: 'B', units: 10, product: 'C' });
  world.nextDay();
  assert.equal(world.place({ by, of: RELIANCE.id, side: 'S', units: 10, product: 'C' }).status, 'Complete');
  assert.equal(
    say({ by, of: GROSS.id, side: 'S', units: 10, at: 100_00, product: 'C' }),
    'RED:RULE:{Check Holdings Including BTST}Eligible Sell:0',
  );
  world.nextDay();
  assert.equal(world.place({ by, of: GROSS.id, side: 'S', units: 10, product: 'C' }).status, 'Complete');
  check();
});

test('two resting exits close once: the second is margined as the short that it would open', () => {
  const { market, quote, world, check } = open();
  const by = world.user('CD5678', 0);
  world.submit({ type: 'DepositCash', account: by, amount: 8_000_00 as never, opening: true });
  const put = { by, of: NIFTY_PUT.id } as const;
  world.place({ ...put, side: 'B', units: 65, at: 120_00, type: 'LMT' });
  market.quotes.set(NIFTY_PUT.id, quote(120_00));
  world.at = (world.at + 1_000) as typeof world.at;
  world.submit({ type: 'MoveMarket', instrument: NIFTY_PUT.id, tick: Math.floor(world.at / 1_000) as never });
  assert.equal(marginUsed(world.account(by)), 65 * 120_00);
  const exit = { ...put, side: 'S', units: 65 } as const;
  assert.equal(world.place({ ...exit, at: 150_00 }).status, 'Open');
  assert.equal(world.refusal({ ...exit, at: 160_00 }).rule, 'MarginShortfall');
  assert.ok(availableMargin(world.account(by)) >= 0);
  check();
});

test('a second exit of an intraday position at a loss must pay for what it would turn around', () => {
  const { market, quote, world, check } = open();
  const by = world.user('CD5678', 0);
  world.submit({ type: 'DepositCash', account: by, amount: paise(20_000_00), opening: true });
  const shares = { by, of: RELIANCE.id, units: 100, product: 'I' } as const;
  const show = (bid: number, ask: number) =>
    market.quotes.set(RELIANCE.id, { ...quote(bid), ask, close: 1_000_00, band: [500_00, 1_500_00] });
  show(1_000_00, 1_000_00);
  assert.equal(world.place({ ...shares, side: 'B', at: 1_000_00 }).status, 'Complete');
  show(900_00, 901_00);
  const exit = { ...shares, side: 'S', at: 905_00 } as const;
  const half = { ...exit, units: 50 } as const;
  const exits = [world.place(half), world.place(half), world.place(half)];
  assert.equal(world.refusal(half).rule, 'MarginShortfall', 'three of them are a short that is paid for, four are not');
  assert.equal(world.refusal({ ...exit, at: 0 }).rule, 'MarginShortfall');
  show(905_00, 906_00);
  world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: market.tickAt(world.at) });
  for (const { status } of exits) assert.equal(status, 'Complete');
  assert.equal(availableMargin(world.account(by)), 20_000_00 - 9_500_00 - 9_050_00);
  check();
});

test('resting purchases of options are paid for beside the short that rests, so all of them may fill', () => {
  const { market, quote, world, check } = open();
  const by = world.user('CD5678', 0);
  world.submit({ type: 'DepositCash', account: by, amount: paise(2_50_000_00), opening: true });
  const index = { spot: price(24_000_00), spotClose: price(24_000_00), forward: price(24_000_00), volatility: 0.12 };
  const reprice = (move: number) => Math.max(0, 400_00 - 0.4 * 24_000_00 * move);
  const risk = { ...index, price: price(400_00), value: 400_00, delta: () => -0.4, reprice };
  market.quotes.set(NIFTY_PUT.id, { ...quote(400_00), risk });
  const short = world.place({ by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 24_100_00 });
  const buy = { by, of: NIFTY_PUT.id, side: 'B', units: 65, at: 390_00 } as const;
  const admitted = [world.place(buy), world.place(buy)];
  assert.equal(world.refusal(buy).rule, 'MarginShortfall');
  for (const [of, at] of [
    [NIFTY_PUT, 388_00],
    [NIFTY_FUTURE, 24_110_00],
  ] as const) {
    market.quotes.set(of.id, { ...quote(at), ...(of === NIFTY_PUT ? { risk } : {}) });
    world.at = (world.at + 1_000) as typeof world.at;
    world.submit({ type: 'MoveMarket', instrument: of.id, tick: market.tickAt(world.at) });
    assert.ok(availableMargin(world.account(by)) >= 0, `${availableMargin(world.account(by))} is available`);
  }
  for (const { status } of [short, ...admitted]) assert.equal(status, 'Complete');
  check();
});

test('a delivery buy blocks its value and nothing for charges, an intraday market order a fifth at its protected price', () => {
  const { world, check } = open();
  const by = world.user('CD5678', 0);
  world.submit({ type: 'DepositCash', account: by, amount: (100 * 1_266_30) as never, opening: true });
  const buy = { by, of: RELIANCE.id, side: 'B', units: 100, product: 'C' } as const;
  assert.equal(world.place({ ...buy, type: 'LMT', at: 1_260_00 }).status, 'Complete');
  assert.equal(availableMargin(world.account(by)), 100 * 6_30);
  const intraday = { instrument: RELIANCE.id, side: 'B', product: 'I', terms: MARKET_TERMS } as const;
  const { onNewOrder } = orderMargin(world.state, world.portsNow(), world.account(by), intraday);
  assert.equal(onNewOrder, 25_326_00);
  check();
});

test('the proceeds of settled shares are there at once, those of others on the next day', () => {
  const { world, check } = open();
  const by = world.user('CD5678', 0);
  world.submit({ type: 'DepositCash', account: by, amount: 3_000_00 as never, opening: true });
  world.give(by, RELIANCE.id, 2, 2 * 1_000_00);
  world.give(by, GROSS.id, 5, 5 * 90_00);
  world.place({ by, of: RELIANCE.id, side: 'B', units: 2, at: 1_260_00, product: 'C' });
  world.nextDay();
  const { userId: _, ...start } = { userId: '', ...limitsOf(world.account(by)) };
  assert.equal(start.availableMargin, 480_00);
  const sell = (of: Instrument, units: number) => {
    assert.equal(world.place({ by, of: of.id, side: 'S', units, product: 'C' }).status, 'Complete');
    check();
    return limitsOf(world.account(by)).availableMargin;
  };
  assert.equal(sell(RELIANCE, 1), 480_00 + 1_260_00);
  assert.equal(sell(RELIANCE_BSE, 2), 480_00 + 2_520_00, 'one of the two was bought yesterday');
  assert.equal(sell(GROSS, 5), 480_00 + 2_520_00);
  assert.equal(limitsOf(world.account(by)).marginUsed, 1_260_00 + 500_00);
  assert.equal(
    world.refusal({ by, of: RELIANCE.id, side: 'B', units: 3, at: 1_260_00, product: 'C' }).rule,
    'MarginShortfall',
  );
  world.nextDay();
  assert.equal(limitsOf(world.account(by)).availableMargin, 480_00 + 3 * 1_260_00 + 500_00);
  check();
});
