import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { must } from '../../base/assert.ts';
import { amountOf, price, quantity } from '../../base/money.ts';
import type { Portfolio, Position } from '../account.ts';
import type { Derivative } from '../instrument.ts';
import type { Side } from '../order.ts';
import { setRowsIn } from '../portfolio.ts';
import { addFill, addOpen } from '../position.ts';
import {
  blackScholes,
  call,
  contract,
  NIFTY,
  portfolio,
  put,
  type Quoted,
  RELIANCE,
  riskMarket,
  row,
  share,
  totalOf,
} from './margin-fixture.ts';
import { requirement } from './requirement.ts';

const SPOT = 24_000_00;
const LOT = 65;
const EXPIRIES = [0, 7, 30, 61] as const;

/** A future, and three calls and puts, of each expiry. */
const LISTED: readonly Derivative[] = EXPIRIES.flatMap((days, i) => [
  contract(10 * i + 10, { kind: 'future' }, days),
  ...[23_000, 24_000, 25_000].flatMap((strike, j) => [
    call(10 * i + 11 + j, strike, days),
    put(10 * i + 14 + j, strike, days),
  ]),
]);

function quoted(instrument: Derivative, spot = SPOT, volatility = 0.13): Quoted {
  if (instrument.kind === 'future') return { instrument, price: spot + 100 * instrument.expiryDay };
  const years = Math.max(instrument.expiryDay - 20_000, 0.5) / 365;
  const value = blackScholes(instrument.optionType, spot, instrument.strike, years, volatility);
  return { instrument, price: Math.max(5, 5 * Math.round(value / 5)), volatility };
}

const QUOTED = LISTED.map((instrument) => quoted(instrument));
const DESK = marginPorts(riskMarket(new Map([[NIFTY, { spot: SPOT, volatility: 0.12 }]]), QUOTED), LISTED);

/** A change of one contract: a fill, an order that rests, or one that is gone. */
interface Change {
  readonly place: number;
  readonly kind: 'fill' | 'rest';
  readonly side: Side;
  readonly lots: number;
  readonly at: number;
}

const changes = fc.array(
  fc.record<Change>({
    place: fc.nat({ max: LISTED.length - 1 }),
    kind: fc.constantFrom('fill', 'rest'),
    side: fc.constantFrom('B', 'S'),
    lots: fc.integer({ min: 1, max: 5 }),
    at: fc.integer({ min: 5, max: 50_000 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Makes a change as `apply` would: the row is changed, and noted when the portfolio has sums. */
function change(books: Portfolio, { place, kind, side, lots, at }: Change, sign = 1): void {
  const of = must(LISTED[place], 'it is listed');
  const units = lots * LOT;
  let rows = books.legs.get(of.id);
  if (rows === undefined) {
    rows = [row(of, 'M', [])];
    setRowsIn(books, of.id, rows);
  }
  const first: Position = must(rows[0], 'a leg has a row');
  if (kind === 'fill') addFill(first, side, quantity(units), amountOf(price(at), quantity(units)));
  else addOpen(first, side, sign * units, sign * units * at);
  if (books.sums !== undefined) books.touched.push(of.id);
}

/** The margin of the same rows, added up from the start. */
function afresh(books: Portfolio) {
  return requirement(DESK, { ...books, sums: undefined, touched: [] });
}

test('after any changes the sums equal those of a portfolio that is added up from the start', () => {
  fc.assert(
    fc.property(changes, (made) => {
      const books = portfolio();
      for (const one of made) {
        change(books, one);
        assert.deepEqual(requirement(DESK, books), afresh(books));
      }
    }),
    { numRuns: 150 },
  );
});

test('orders that are cancelled again leave the margin as it was, in whatever order', () => {
  const placed = changes.map((made) => made.map((one): Change => ({ ...one, kind: 'rest' })));
  fc.assert(
    fc.property(changes, placed, fc.boolean(), (before, orders, backwards) => {
      const books = portfolio();
      for (const one of before) change(books, one);
      const margin = requirement(DESK, books);
      for (const one of orders) change(books, one);
      const resting = requirement(DESK, books);
      for (const one of backwards ? orders.toReversed() : orders) change(books, one, -1);
      assert.deepEqual(requirement(DESK, books), margin);
      for (const one of orders) change(books, one);
      assert.deepEqual(requirement(DESK, books), resting);
    }),
    { numRuns: 150 },
  );
});

test('the order in which contracts were added does not change the margin', () => {
  fc.assert(
    fc.property(changes, fc.infiniteStream(fc.nat()), (made, picks) => {
      const books = portfolio();
      for (const one of made) change(books, one);
      const shuffled = portfolio();
      const left = [...made];
      while (left.length > 0) {
        const [one] = left.splice(must(picks.next().value, 'the stream does not end') % left.length, 1);
        change(shuffled, must(one, 'one is left'));
        requirement(DESK, shuffled);
      }
      assert.deepEqual(requirement(DESK, shuffled), requirement(DESK, books));
    }),
    { numRuns: 100 },
  );
});

/** A portfolio with copies of the same rows and nothing added up. */
function copyOf({ legs }: Portfolio): Portfolio {
  const rows = [...legs.values()].flat();
  return portfolio(...rows.map((one) => ({ ...one })));
}

test('a wish is measured as if it were in the books, for one contract and for many, and leaves no trace in them', () => {
  fc.assert(
    fc.property(changes, changes, (made, wished) => {
      const books = portfolio();
      for (const one of made) change(books, one);
      const margin = requirement(DESK, books);
      const wish = copyOf(books);
      const rows = new Set<Position>();
      for (const one of wished) {
        change(wish, one);
        for (const row of wish.legs.get(must(LISTED[one.place], 'it is listed').id) ?? []) rows.add(row);
        assert.deepEqual(requirement(DESK, books, [...rows]), afresh(wish));
        assert.deepEqual(requirement(DESK, books, [...rows].toReversed()), afresh(wish));
        assert.deepEqual(requirement(DESK, books), margin);
        assert.deepEqual(requirement(DESK, books, [...rows]), afresh(wish));
      }
      for (const one of wished) change(books, one);
      assert.deepEqual(requirement(DESK, books), afresh(wish));
    }),
    { numRuns: 100 },
  );
});

/** Except for the rounding of a hedge: its price to the tick below its value, its losses to a hundredth of a paisa. */
test('a spread never needs more than its naked leg', () => {
  const strike = fc.integer({ min: 18_000, max: 31_000 });
  const inputs = fc.record({
    sold: strike,
    bought: strike,
    isCall: fc.boolean(),
    days: fc.constantFrom(1, 3, 7, 30, 90, 300),
    volatility: fc.double({ min: 0.08, max: 0.6, noNaN: true }),
    skew: fc.double({ min: -0.03, max: 0.03, noNaN: true }),
    lots: fc.integer({ min: 1, max: 20 }),
    ofIndex: fc.boolean(),
  });
  fc.assert(
    fc.property(inputs, ({ sold, bought, isCall, days, volatility, skew, lots, ofIndex }) => {
      const make = isCall ? call : put;
      const underlying = ofIndex ? NIFTY : RELIANCE;
      const left = ofIndex ? days : days + 5;
      const short = make(100, sold, left, underlying);
      const long = make(101, bought, left, underlying);
      const all = [quoted(short, SPOT, volatility), quoted(long, SPOT, volatility + skew)];
      const listed = [short, long, share(RELIANCE)];
      const shown = new Map([[underlying, { spot: SPOT, volatility }]]);
      const ports = marginPorts(riskMarket(shown, [...all, { instrument: share(RELIANCE), price: SPOT }]), listed);
      const naked = portfolio(row(short, 'M', [['S', lots * LOT, 100]]));
      const spread = portfolio(row(short, 'M', [['S', lots * LOT, 100]]), row(long, 'I', [['B', lots * LOT, 100]]));
      const [needs, alone] = [requirement(ports, spread), requirement(ports, naked)];
      const { value, price: paid } = ports.market.risk(long.id, ports.riskTick);
      const rounded = Math.ceil(lots * LOT * (Math.max(0, value - paid) + 0.01));
      assert.ok(totalOf(needs) <= totalOf(alone) + rounded, `${totalOf(needs)} is above ${totalOf(alone)}`);
      assert.equal(needs.exposure, alone.exposure, 'a hedge gives no relief of exposure');
    }),
    { numRuns: 150 },
  );
});
