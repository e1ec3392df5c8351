import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { must } from '../../base/assert.ts';
import { amountOf, price, quantity } from '../../base/money.ts';
import type { Position } from '../account.ts';
import type { Derivative, Instrument } from '../instrument.ts';
import type { Market, RiskFigures } from '../market.ts';
import type { DecisionPorts } from '../ports.ts';
import { addFill } from '../position.ts';
import { call, contract, NIFTY, portfolio, put, type Quoted, riskMarket, row, TODAY } from './margin-fixture.ts';
import type { SpanContract } from './rates/span-file.ts';
import { type ExplainedWorld, explainRequirement, requirement } from './requirement.ts';
import { riskSheet } from './risk-sheet.ts';
import type { WorldMargin } from './world-margin.ts';

const LOT = 65;
const FUTURE = contract(2, { kind: 'future' });
const NEXT = contract(3, { kind: 'future' }, 60);
const CALL = call(4, 24_000);
const PUT = put(5, 23_500);
const EXPIRING_CALL = call(6, 24_000, 0);
const EXPIRING_FUTURE = contract(7, { kind: 'future' }, 0);
const QUOTED: readonly Quoted[] = [
  { instrument: FUTURE, price: 24_138_50 },
  { instrument: NEXT, price: 24_277_00 },
  { instrument: CALL, price: 428_85, volatility: 0.13 },
  { instrument: PUT, price: 143_30, volatility: 0.14 },
  { instrument: EXPIRING_CALL, price: 30_00, volatility: 0.14 },
  { instrument: EXPIRING_FUTURE, price: 24_000_00 },
];
const LISTED: readonly Instrument[] = QUOTED.map(({ instrument }) => instrument);
const MARKET = riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]), QUOTED);
/** Least margin of a short option, in hundredths of a paisa. */
const LEAST = 40_007;
const UNDERLYING = { symbol: 'NIFTY', spot: price(24_000_00), calendarRate: undefined, shortOptionMinimum: LEAST };
const NOTHING_STATED = { ...UNDERLYING, contracts: new Map<string, SpanContract>() };
const FILE = { digest: 'a', exchange: 'NFO', day: TODAY, underlyings: new Map([['NIFTY', NOTHING_STATED]]) } as const;
const DESK: DecisionPorts = { ...marginPorts(MARKET, LISTED), riskFiles: ['a'], spanFiles: { get: () => FILE } };

function explained(...rows: readonly Position[]): ExplainedWorld {
  const booked = must(explainRequirement(DESK, portfolio(...rows)), 'there are contracts');
  const wished = must(explainRequirement(DESK, undefined, rows), 'there are contracts');
  assert.deepEqual(wished, booked, 'a wish is explained as the books are');
  return booked;
}

const short = (of: Derivative, units = LOT) => row(of, 'M', [['S', units, 100_00]]);
const long = (of: Derivative, units = LOT) => row(of, 'M', [['B', units, 100_00]]);

test('the explained margin equals the blocked margin, part by part', () => {
  const books = [short(CALL), long(FUTURE), short(NEXT), short(EXPIRING_CALL)];
  const { margin, span, exposure, premium, total } = explained(...books);
  const parts = requirement(DESK, portfolio(...books));
  assert.deepEqual({ span, exposure, premium }, { span: parts.span, exposure: parts.exposure, premium: parts.premium });
  assert.equal(total, span + exposure + premium);
  assert.equal(Math.round(margin.span / 100), span);
  assert.equal(Math.round(margin.exposure / 30_000), exposure);
});

test('SPAN is scan and calendar charge, or the least margin of short options, less the value of options', () => {
  const { margin } = explained(short(CALL), long(PUT), long(FUTURE, 2 * LOT), short(NEXT));
  assert.ok(margin.scan > 0 && margin.calendar > 0);
  assert.equal(margin.optionValue, LOT * 100 * (143_30 - 428_85));
  assert.equal(margin.shortMinimum, LOT * LEAST, 'of short options alone');
  assert.equal(margin.span, margin.scan + margin.calendar - margin.optionValue);
});

test('parts that do not offset each other are added, and the worst scenario is that of the larger loss', () => {
  const [later, today] = [
    [short(PUT), long(FUTURE, 2 * LOT), short(NEXT)],
    [short(EXPIRING_CALL), short(EXPIRING_FUTURE)],
  ];
  const [a, b] = [explained(...later).margin, explained(...today).margin];
  const both = explained(...later, ...today).margin;
  const sum = (field: keyof WorldMargin) => a[field] + b[field];
  for (const field of ['scan', 'calendar', 'shortMinimum', 'optionValue', 'span', 'exposure'] as const) {
    assert.equal(both[field], sum(field), field);
  }
  assert.ok(a.shortMinimum > 0 && b.shortMinimum > 0 && b.scan > a.scan && a.worst !== b.worst);
  assert.equal(both.worst, b.worst);
  const larger = long(FUTURE, 20 * LOT);
  assert.equal(explained(larger, ...today).margin.worst, explained(larger).margin.worst);
});

test('a wish is explained together with the position in the same contract', () => {
  const books = () => portfolio(short(CALL), long(FUTURE, 2 * LOT), short(NEXT));
  const wished = must(explainRequirement(DESK, books(), [short(CALL, 3 * LOT)]), 'there are contracts');
  assert.deepEqual(wished, explained(short(CALL, 3 * LOT), long(FUTURE, 2 * LOT), short(NEXT)));
  const closed = must(explainRequirement(DESK, books(), [long(CALL, LOT)]), 'there are contracts');
  assert.deepEqual(closed, explained(long(CALL, LOT), long(FUTURE, 2 * LOT), short(NEXT)));
});

test('the exposure of a pair of futures is exactly a third of that of the later one', () => {
  assert.equal(explained(long(FUTURE), short(NEXT)).margin.exposure, LOT * 24_277_00 * 200);
  assert.equal(explained(long(FUTURE)).margin.exposure, 3 * LOT * 24_138_50 * 200);
});

test('long options need no margin, not a hundredth of a paisa, and flat books lose in no scenario', () => {
  assert.equal(explained(long(CALL)).margin.span, 0);
  const flat = row(FUTURE, 'M', [
    ['B', LOT, 100_00],
    ['S', LOT, 100_00],
  ]);
  const { margin, world } = explained(flat);
  assert.deepEqual([margin.scan, margin.worst, margin.span, world], [0, 0, 0, 'held']);
});

test('option value above the losses gives no credit: the margin is exactly 0', () => {
  const { margin } = explained(long(CALL, 2 * LOT), short(FUTURE, 1));
  assert.ok(margin.scan + margin.calendar < margin.optionValue);
  assert.equal(margin.span, 0);
});

test('long options need no margin once the last short position is closed, whatever they may lose', () => {
  const cheap = QUOTED.map((one) => (one.instrument === CALL ? { ...one, price: 200_00 } : one));
  const ports = marginPorts(riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]), cheap), LISTED);
  const books = portfolio(long(CALL), short(PUT));
  const held = must(explainRequirement(ports, portfolio(long(CALL))), 'there is a contract').margin;
  assert.ok(held.scan > held.optionValue, 'the model is above the price');
  assert.ok(requirement(ports, books).span > 0);
  const closed = row(PUT, 'M', [
    ['S', LOT, 100_00],
    ['B', LOT, 100_00],
  ]);
  assert.equal(requirement(ports, books, [closed]).span, 0);
});

test('the least margin of short options follows them up and down', () => {
  const sold = short(CALL);
  const books = portfolio(sold, short(PUT));
  const least = () => must(explainRequirement(DESK, books), 'there are contracts').margin.shortMinimum;
  assert.equal(least(), 2 * LOT * LEAST);
  for (const [side, units, all] of [
    ['S', LOT, 3],
    ['B', 2 * LOT, 1],
    ['B', LOT, 1],
    ['S', 3 * LOT, 3],
  ] as const) {
    addFill(sold, side, quantity(units), amountOf(price(100_00), quantity(units)));
    books.touched.push(CALL.id);
    assert.equal(least(), all * LOT * LEAST);
  }
});

test('among worlds that need the same, the held world comes first', () => {
  const leaving = row(CALL, 'M', [['B', LOT, 400_00]], [['S', LOT, 500_00]]);
  assert.equal(explained(leaving).world, 'held');
  const closing = row(FUTURE, 'M', [['B', LOT, 24_000_00]], [['S', 2 * LOT, 24_500_00]]);
  assert.equal(explained(closing).world, 'held', 'a turn needs as much on the other side');
  assert.equal(explained(row(FUTURE, 'M', [], [['B', LOT, 24_000_00]])).world, 'bought');
  assert.equal(explained(row(FUTURE, 'M', [], [['S', LOT, 24_000_00]])).world, 'sold');
});

test('orders of both ways are measured as the rise or the fall in which they gain together', () => {
  const order = (of: Derivative, side: 'B' | 'S') => row(of, 'M', [], [[side, LOT, 100_00]]);
  assert.equal(explained(order(FUTURE, 'B'), order(PUT, 'S')).world, 'rising');
  assert.equal(explained(order(FUTURE, 'S'), order(PUT, 'B')).world, 'falling');
});

test('the first and the last scenario count as all others', () => {
  const worstOf = (losing: (move: number, points: number) => boolean): number => {
    const risk = (id: Instrument['id'], tick: RiskFigures['price']): RiskFigures => {
      const figures = MARKET.risk(id, tick as never);
      const reprice = (move: number, points: number) => figures.value + (losing(move, points) ? 100_00 : 0);
      return { ...figures, reprice };
    };
    const market: Market = { ...MARKET, risk: (id, tick) => risk(id, tick as never) };
    const ports = marginPorts(market, LISTED);
    const { margin, span } = must(explainRequirement(ports, portfolio(short(CALL))), 'there is a contract');
    assert.ok(span > 428_85 * LOT, 'it loses more than it brought');
    return margin.worst;
  };
  assert.equal(
    worstOf((move, points) => move === 0 && points > 0),
    1,
  );
  assert.equal(
    worstOf((move) => move < -0.15),
    16,
  );
});

test("a loss is rounded to a hundredth of a paisa, halves away from 0, so that a buyer's loss is a seller's gain", () => {
  const lossOf = (value: number, moved: number): number => {
    const risk: Market['risk'] = (id, tick) => ({ ...MARKET.risk(id, tick), value, reprice: () => moved });
    const { losses } = riskSheet(marginPorts({ ...MARKET, risk }, LISTED)).contract(CALL.id);
    return must(losses[0], 'there are sixteen');
  };
  assert.deepEqual([lossOf(0.005, 0), lossOf(0, 0.005)], [1, -1]);
  assert.deepEqual([lossOf(0.015, 0), lossOf(0, 0.015)], [2, -2]);
  assert.ok(Object.is(lossOf(0, 0.004), 0), 'a gain too small to count is no negative zero');
});
