import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { type EpochMs, formatIsoDay, type IstDay } from '../../../src/base/time.ts';
import { cashFree, withdrawable } from '../../../src/core/broker/account/funds.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { holdingsOf, limitsOf } from '../../../src/core/query.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { Ledger } from '../../../src/views/ledger.ts';
import { explainLimit, type LimitFigure } from '../../../src/views/limit-explained.ts';
import { FIRST_DAY, GROSS, listed, NIFTY_CALL, NIFTY_FUTURE, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { PlainLedger } from '../../kit/money/plain-ledger.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { Day } from '../../kit/settlement/day.ts';

const LAKH = 100_000_00;
/** Annual volatility at which six deviations of a day are 15 %. */
const FIFTEEN_PERCENT = (0.15 / 6) * Math.sqrt(252);

const FUTURE_RISK = {
  price: price(24_138_50),
  spot: price(24_000_00),
  spotClose: price(24_000_00),
  forward: price(24_138_50),
  value: 24_138_50,
  delta: () => 1,
  volatility: 0.12,
  reprice: (move: number) => 24_138_50 + 24_000_00 * move,
};

function shareRisk(close: number, volatility = FIFTEEN_PERCENT) {
  const at = { price: price(close), spot: price(close), spotClose: price(close), forward: price(close) };
  return { ...at, value: close, delta: () => 1, volatility, reprice: (move: number) => close * (1 + move) };
}

/** A share at one price that moves by 15 % in six deviations of a day, a calm one, and contracts. */
function open() {
  const market = new StillMarket();
  const at = (of: { readonly id: typeof RELIANCE.id }, last: number, risk = shareRisk(last)) => {
    market.quotes.set(of.id, { bid: last, ask: last, last, close: last, risk });
  };
  at(RELIANCE, 1_000_00);
  at(PAYTM, 100_00, shareRisk(100_00, 0.05));
  at(GROSS, 100_00);
  at(NIFTY_FUTURE, 24_138_50, FUTURE_RISK);
  at(NIFTY_CALL, 100_00);
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const ledger = new Ledger();
  ledger.fold(world.at, world.state.posted);
  const submit = world.submit.bind(world);
  world.submit = (command) => {
    const done = submit(command);
    ledger.fold(world.at, world.state.posted);
    return done;
  };
  const ask = (command: Parameters<World['submit']>[0]) => {
    const { reply } = world.submit(command);
    checkInvariants(world.state, ports);
    return reply.type === 'Refused' ? refusalText(reply.refusal, { userId: 'AB1234' }) : reply.type;
  };
  const shares = (type: 'PledgeShares' | 'ReleaseShares', account: AccountId, units: number, of = RELIANCE) => {
    return ask({ type, account, instrument: of.id, quantity: quantity(units) });
  };
  const limits = (account: AccountId) => limitsOf(world.account(account));
  const explained = (account: AccountId) => explainLimit(world.account(account), ledger, (id) => `I${id}`);
  return { market, world, at, ask, shares, limits, explained, check: () => checkInvariants(world.state, ports) };
}

test('pledged shares are not released as far as they stand for the loss of an open position', () => {
  const { world, at, shares, limits, check } = open();
  const by = world.user('AB1234', 3 * LAKH);
  world.give(by, RELIANCE.id, 200, 200 * 900_00);
  shares('PledgeShares', by, 200);
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_138_50 });
  world.at = (world.at + 2_000) as EpochMs;
  const loss = 2 * LAKH;
  at(NIFTY_FUTURE, 24_138_50 - Math.ceil(loss / 65), FUTURE_RISK);
  const free = limits(by).availableMargin - Math.ceil(loss / 65) * 65;
  const units = Math.floor(free / 850_00);
  assert.ok(units > 0 && units < 200);
  assert.match(shares('ReleaseShares', by, units + 1), /is in use/);
  assert.equal(shares('ReleaseShares', by, units), 'Done');
  check();
});

test('pledged shares are not released as far as they stand for charges of the day', () => {
  const day = Day.charged();
  const { world } = day;
  day.quote(RELIANCE.id, 1_255);
  day.quote(NIFTY_FUTURE.id, 24_000);
  const by = world.user('AB1234', 0);
  world.give(by, RELIANCE.id, 500, 500 * 1_000_00);
  const units = { account: by, instrument: RELIANCE.id, quantity: quantity(500) };
  world.submit({ type: 'PledgeShares', ...units });
  for (let trip = 0; trip < 20; trip += 1) {
    for (const side of ['B', 'S'] as const) day.trade({ by, of: NIFTY_FUTURE.id, side, units: 65, at: 24_000_00 });
  }
  const { reply } = world.submit({ type: 'ReleaseShares', ...units });
  assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'CollateralInUse');
  const before = limitsOf(world.account(by)).availableMargin;
  day.next();
  assert.equal(day.cash(by), reply.refusal.available - before, 'the shares stand for the debt of the next day');
});

test('the second ledger agrees when all cash is paid out again', () => {
  const { world } = open();
  const plain = new PlainLedger();
  const by = world.user('AB1234', LAKH);
  world.submit({ type: 'PayOutCash', account: by, amount: paise(LAKH) });
  for (const { events } of world.records) plain.read(events);
  plain.compare(world.state);
  world.state.house.bank = paise(1);
  assert.throws(() => plain.compare(world.state), /the bank has/);
});

test('the example of the rules: cash, pay-in and pledged shares, with one future held', () => {
  const { world, ask, shares, limits } = open();
  const by = world.user('AB1234', 5 * LAKH);
  ask({ type: 'DepositCash', account: by, amount: paise(LAKH), opening: false });
  world.give(by, RELIANCE.id, 200, 200 * 900_00);
  assert.equal(shares('PledgeShares', by, 200), 'Done');
  assert.equal(limits(by).collateral, 170_000_00, 'two lakh less a haircut of 15 %');
  assert.equal(limits(by).totalMargin, 770_000_00);
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_138_50 });
  assert.equal(limits(by).marginUsed, 176_460_05);
  assert.equal(limits(by).availableMargin, 593_539_95);
});

test('a haircut is the value at risk and at least a tenth, and shares settled gross keep a quarter', () => {
  const { world, shares, limits } = open();
  const by = world.user('AB1234', 0);
  world.give(by, PAYTM.id, 10, 10 * 90_00);
  world.give(by, GROSS.id, 10, 10 * 90_00);
  assert.equal(shares('PledgeShares', by, 10, PAYTM), 'Done');
  assert.equal(limits(by).collateral, 900_00);
  assert.equal(shares('PledgeShares', by, 10, GROSS), 'Done');
  assert.equal(limits(by).collateral, 900_00 + 250_00);
});

test('pledged shares count at the close before each day', () => {
  const { world, at, shares, limits, check } = open();
  const by = world.user('AB1234', 0);
  world.give(by, RELIANCE.id, 100, 100 * 900_00);
  shares('PledgeShares', by, 100);
  assert.equal(limits(by).collateral, 85_000_00);
  at(RELIANCE, 1_100_00);
  assert.equal(limits(by).collateral, 85_000_00, 'the day keeps its value');
  world.nextDay();
  assert.equal(limits(by).collateral, 93_500_00);
  check();
});

test('a single pledged share is revalued, and one that may lose more than it is worth counts nothing', () => {
  const { world, at, shares, limits, check } = open();
  const by = world.user('AB1234', 0);
  world.give(by, RELIANCE.id, 1, 900_00);
  shares('PledgeShares', by, 1);
  assert.equal(limits(by).collateral, 850_00);
  at(RELIANCE, 1_100_00);
  world.nextDay();
  assert.equal(limits(by).collateral, 935_00);
  at(RELIANCE, 1_100_00, shareRisk(1_100_00, 8 * FIFTEEN_PERCENT));
  world.nextDay();
  assert.equal(limits(by).collateral, 0);
  check();
});

test('the haircut of a day is that of its own first figures', () => {
  const { market, world, at, shares, limits, check } = open();
  const by = world.user('AB1234', 0);
  world.give(by, RELIANCE.id, 100, 100 * 900_00);
  shares('PledgeShares', by, 100);
  at(RELIANCE, 1_000_00, shareRisk(1_000_00, 2 * FIFTEEN_PERCENT));
  const { riskTick } = world.state;
  const risk = market.risk.bind(market);
  market.risk = (id: typeof RELIANCE.id, tick?: number) => (tick === riskTick ? shareRisk(1_000_00) : risk(id));
  world.nextDay();
  assert.equal(limits(by).collateral, 70_000_00);
  check();
});

test('only settled shares that are not sold are pledged, and pledged shares are not sold', () => {
  const { world, shares, check } = open();
  const by = world.user('AB1234', 50 * LAKH);
  world.give(by, RELIANCE.id, 100, 100 * 900_00);
  const sell = { by, of: RELIANCE.id, side: 'S', product: 'C', at: 1_100_00 } as const;
  world.place({ ...sell, units: 30 });
  assert.equal(shares('PledgeShares', by, 71), '71 shares cannot be pledged: 70 are settled, not sold and not pledged');
  assert.equal(shares('PledgeShares', by, 0), 'the amount must be above 0');
  assert.equal(shares('ReleaseShares', by, 0), 'the amount must be above 0');
  assert.equal(shares('PledgeShares', by, 60), 'Done');
  assert.deepEqual(world.refusal({ ...sell, units: 11 }), { rule: 'NotEnoughHoldings', eligible: 10, quantity: 11 });
  assert.equal(world.place({ ...sell, units: 10 }).status, 'Open');
  assert.equal(shares('PledgeShares', by, 1), '1 shares cannot be pledged: 0 are settled, not sold and not pledged');
  assert.equal(holdingsOf(world.account(by), listed)[0]?.salable, 0);
  world.place({ by, of: RELIANCE.id, side: 'B', product: 'C', units: 5, at: 1_000_00 });
  assert.equal(shares('PledgeShares', by, 6), '6 shares cannot be pledged: 5 are settled, not sold and not pledged');
  assert.equal(
    shares('PledgeShares', by, 5, NIFTY_CALL as never),
    '5 shares cannot be pledged: 0 are settled, not sold and not pledged',
  );
  check();
});

test('shares are released as far as what they count is not in use', () => {
  const { world, shares, limits } = open();
  const by = world.user('AB1234', LAKH);
  world.give(by, RELIANCE.id, 200, 200 * 900_00);
  shares('PledgeShares', by, 200);
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_138_50 });
  const { availableMargin } = limits(by);
  assert.equal(availableMargin, LAKH + 170_000_00 - 176_460_05);
  assert.equal(shares('ReleaseShares', by, 201), '201 shares cannot be released: 200 are pledged');
  assert.match(
    shares('ReleaseShares', by, 200),
    /^INR 170000\.00 of collateral is in use: INR 93539\.95 is available$/,
  );
  assert.equal(shares('ReleaseShares', by, 110), 'Done');
  assert.equal(limits(by).availableMargin, availableMargin - 93_500_00);
  assert.match(shares('ReleaseShares', by, 1), /is in use/);
});

test('released margin is available to the last paisa, and not a paisa of it is in use', () => {
  for (const short of [0, 1]) {
    const { world, shares, limits } = open();
    const by = world.user('AB1234', 91_460_05 - short);
    world.give(by, RELIANCE.id, 200, 200 * 900_00);
    shares('PledgeShares', by, 200);
    world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_138_50 });
    assert.equal(limits(by).availableMargin, 85_000_00 - short);
    assert.match(shares('ReleaseShares', by, 100), short === 0 ? /^Done$/ : /is in use/);
  }
});

test('a share that counts one paisa is released unless that paisa is in use', () => {
  const { market, world, shares, limits } = open();
  const quote = { bid: 1, ask: 1, last: 1, close: 1, band: [1, 2] } as const;
  market.quotes.set(PAYTM.id, { ...quote, risk: shareRisk(1, 0.05) });
  const by = world.user('AB1234', 0);
  world.give(by, PAYTM.id, 1, 1);
  assert.equal(shares('ReleaseShares', by, 1, RELIANCE), '1 shares cannot be released: 0 are pledged');
  assert.equal(shares('PledgeShares', by, 1, PAYTM), 'Done');
  assert.equal(limits(by).collateral, 1, 'a paisa less a tenth, half up');
  const trade = (side: 'B' | 'S') => world.place({ by, of: PAYTM.id, side, units: 3, at: 1, product: 'I' }).status;
  assert.equal(trade('B'), 'Complete');
  assert.equal(limits(by).availableMargin, 0, 'a fifth of three paise, half up');
  assert.match(shares('ReleaseShares', by, 1, PAYTM), /^INR 0\.01 of collateral is in use: INR 0\.00 is available$/);
  assert.equal(trade('S'), 'Complete');
  assert.equal(shares('ReleaseShares', by, 1, PAYTM), 'Done');
});

test('collateral is the value less the haircut, exact and half up to the paisa, however many shares are pledged', () => {
  for (const [last, units] of [
    [999_95, 7],
    [1, 9_999],
    [99_999_95, 1_000_003],
    [1_234_55, 66_666],
    [1, 1],
    [3, 1],
  ] as const) {
    const { world, at, shares, limits } = open();
    at(RELIANCE, last);
    const by = world.user('AB1234', 0);
    world.give(by, RELIANCE.id, units, units);
    assert.equal(shares('PledgeShares', by, units), 'Done');
    assert.equal(BigInt(limits(by).collateral), (BigInt(last) * BigInt(units) * 8_500n + 5_000n) / 10_000n);
  }
});

test('collateral pays margins before cash does, and neither premiums nor deliveries', () => {
  const { world, shares, limits } = open();
  const by = world.user('AB1234', LAKH);
  world.give(by, RELIANCE.id, 300, 300 * 900_00);
  shares('PledgeShares', by, 300);
  const account = world.account(by);
  assert.equal(cashFree(account), LAKH);
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_138_50 });
  assert.equal(cashFree(account), LAKH, 'the margin is covered by collateral');
  world.place({ by, of: PAYTM.id, side: 'B', product: 'C', units: 100, at: 90_00 });
  assert.equal(cashFree(account), LAKH - 9_000_00, 'a resting delivery buy is cash');
  world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 90_00 });
  assert.equal(cashFree(account), LAKH - 9_000_00 - 65 * 90_00, 'and so is a resting premium');
  const { totalMargin, marginUsed } = limits(by);
  assert.equal(limits(by).availableMargin, totalMargin - marginUsed);
});

test('money is paid out as far as it is free, today’s pay-ins first, and sales of today wait', () => {
  const { world, ask, limits, shares } = open();
  const by = world.user('AB1234', LAKH);
  ask({ type: 'DepositCash', account: by, amount: paise(10_000_00), opening: false });
  const out = (amount: number) => ask({ type: 'PayOutCash', account: by, amount: paise(amount) });
  assert.equal(out(0), 'the amount must be above 0');
  assert.equal(out(15_000_00), 'Done');
  assert.deepEqual([limits(by).payin, limits(by).cash], [0, 95_000_00]);
  world.give(by, RELIANCE.id, 20, 20 * 900_00);
  world.place({ by, of: RELIANCE.id, side: 'S', product: 'C', units: 10, at: 1_000_00 });
  assert.equal(limits(by).availableMargin, 105_000_00);
  assert.equal(withdrawable(world.account(by)), 95_000_00);
  shares('PledgeShares', by, 10);
  assert.equal(withdrawable(world.account(by)), 95_000_00, 'collateral is not money');
  assert.equal(
    out(95_000_01),
    'INR 95000.01 cannot be paid out: INR 95000.00 is free without collateral and open losses',
  );
  world.place({ by, of: PAYTM.id, side: 'B', product: 'C', units: 100, at: 90_00 });
  assert.equal(out(95_000_00), 'Done', 'the purchase is paid by the sale of the day');
  assert.equal(limits(by).availableMargin, 10_000_00 - 9_000_00 + 8_500_00);
  assert.equal(out(1), 'INR 0.01 cannot be paid out: INR 0.00 is free without collateral and open losses');
});

function assertExplained(figures: readonly LimitFigure[]): Record<string, number> {
  for (const { name, amount, entries } of figures) {
    const sum = entries.reduce((total, entry) => total + entry.amount, 0);
    assert.equal(sum, amount, `${name}: ${JSON.stringify(entries)}`);
  }
  return Object.fromEntries(figures.map(({ name, amount }) => [name, amount]));
}

test('every figure of the limits is the sum of its entries, and they say where they come from', () => {
  const { world, ask, limits, shares, explained } = open();
  const by = world.user('AB1234', 20 * LAKH);
  ask({ type: 'DepositCash', account: by, amount: paise(LAKH), opening: false });
  world.give(by, RELIANCE.id, 200, 200 * 900_00);
  shares('PledgeShares', by, 100);
  const trade = (words: Partial<Parameters<World['place']>[0]>) => {
    world.at = (world.at + 61_000) as EpochMs;
    world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 100_00, ...words });
    const told = assertExplained(explained(by));
    const { marginUsed, totalMargin, availableMargin, peakMargin, cash, payin, collateral, span, premium } = limits(by);
    assert.deepEqual(
      [told.marginused, told.totalMargin, told.availableMargin, told.peak_mar, told.cash, told.payin, told.collateral],
      [marginUsed, totalMargin, availableMargin, peakMargin, cash, payin, collateral],
    );
    assert.deepEqual([told.span, told.premium], [span, premium]);
  };
  trade({});
  trade({ side: 'S', units: 130 });
  trade({ of: NIFTY_FUTURE.id, at: 24_138_50 });
  trade({ of: NIFTY_FUTURE.id, side: 'S', at: 24_138_50 });
  trade({ of: RELIANCE.id, side: 'S', units: 10, at: 1_000_00, product: 'C' });
  trade({ of: PAYTM.id, units: 300, at: 100_00, product: 'C' });
  trade({ of: PAYTM.id, units: 10, at: 90_00, product: 'I' });
  ask({ type: 'PayOutCash', account: by, amount: paise(LAKH + 5_000_00) });
  const named = (name: string) => explained(by).find((figure) => figure.name === name)?.entries ?? [];
  assert.deepEqual(
    named('premium').map(({ text, amount }) => [text.replace(/, trade \d+/, ''), amount]),
    [
      [`bought 65 I${NIFTY_CALL.id} at 100.00`, 6_500_00],
      [`sold 130 I${NIFTY_CALL.id} at 100.00`, -13_000_00],
      ['received for options that are short', 6_500_00],
    ],
  );
  assert.deepEqual(
    named('cash').map(({ text, amount }) => [text, amount]),
    [
      ['opening balance', 20 * LAKH],
      ['paid out', -5_000_00],
    ],
  );
  world.nextDay();
  assertExplained(explained(by));
  assert.deepEqual(
    named('cash').map(({ text, amount }) => [text.replace(/^\d{4}-\d\d-\d\d: /, 'day: '), amount]),
    [
      ['day: opening balances, pay-outs and settlements', 20 * LAKH - 5_000_00],
      ['day: option premiums', 6_500_00],
      ['day: deliveries', 10_000_00 - 30_000_00],
    ],
  );
  for (let day = 0; day < 8; day += 1) world.nextDay();
  assertExplained(explained(by));
  assert.deepEqual(
    named('cash').map(({ text }) => text),
    ['brought forward'],
  );
});

test('a day on which no money moved is a day of its own: entries are those of today, and closings have the dates of their days', () => {
  const { world, ask, explained, check } = open();
  const by = world.user('AB1234', 10 * LAKH);
  const dated = (days: number): string => formatIsoDay((FIRST_DAY + days) as IstDay);
  const cash = () => explained(by).find(({ name }) => name === 'cash')?.entries;
  assert.deepEqual(cash(), [{ at: world.at, text: 'opening balance', amount: 10 * LAKH }]);
  const opening = { text: `${dated(0)}: opening balances, pay-outs and settlements`, amount: 10 * LAKH };
  world.nextDay();
  assert.deepEqual(cash(), [opening]);
  world.nextDay();
  ask({ type: 'DepositCash', account: by, amount: paise(77_00), opening: false });
  assert.deepEqual(cash(), [opening]);
  world.nextDay();
  assert.deepEqual(cash(), [opening, { text: `${dated(2)}: pay-ins`, amount: 77_00 }]);
  check();
});
