import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import { amountOf, price, quantity } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import type { Portfolio, Position } from '../account.ts';
import type { Derivative } from '../instrument.ts';
import { setRowsIn } from '../portfolio.ts';
import { addFill, addOpen } from '../position.ts';
import { call, contract, NIFTY, portfolio, put, riskMarket, row } from './margin-fixture.ts';
import { PortfolioSums } from './portfolio-sums.ts';
import { calendarTurns, explainRequirement, requirement } from './requirement.ts';

const LOT = 65;
const SPOT = 24_000_00;

const LISTED: readonly Derivative[] = [7, 30, 61].flatMap((days, i) => [
  contract(20 * i + 10, { kind: 'future' }, days),
  ...[22_500, 23_000, 23_500, 24_000, 24_500, 25_000].flatMap((strike, j) => [
    call(20 * i + 11 + j, strike, days),
    put(20 * i + 18 + j, strike, days),
  ]),
]);
const QUOTED = LISTED.map((instrument) => {
  return { instrument, price: instrument.kind === 'future' ? SPOT : 250_00, volatility: 0.13 };
});
const DESK = marginPorts(riskMarket(new Map([[NIFTY, { spot: SPOT, volatility: 0.12 }]]), QUOTED), LISTED);

/** A trial as `WhatIf` makes one: copies of rows, and the contracts whose copies changed since they were measured. */
interface Trial {
  readonly rows: Position[];
  readonly loose: InstrumentId[];
}

function changeRow(random: Random, changed: Position): void {
  const side = random.pick(['B', 'S'] as const);
  const units = random.between(1, 5) * LOT;
  const at = random.between(5, 50_000);
  if (random.chance(60)) addFill(changed, side, quantity(units), amountOf(price(at), quantity(units)));
  else addOpen(changed, side, units, units * at);
}

/** Changes the copy of a row, of a contract that the trial has or of another one. */
function tryChange(random: Random, books: Portfolio, { rows, loose }: Trial, of: Derivative): void {
  let copy = rows.find(({ instrument }) => instrument === of.id);
  if (copy === undefined) {
    const held = books.legs.get(of.id)?.[0];
    copy = held === undefined ? row(of, 'M', []) : { ...held };
    rows.push(copy);
  }
  loose.push(of.id);
  changeRow(random, copy);
}

function changeBooks(random: Random, books: Portfolio, of: Derivative): void {
  const rows = books.legs.get(of.id) ?? [row(of, 'M', [])];
  setRowsIn(books, of.id, rows);
  changeRow(random, must(rows[0], 'a leg has a row'));
  if (books.sums !== undefined) books.touched.push(of.id);
}

/** The books without any sums: all is added up from the start. */
function afresh(books: Portfolio): Portfolio {
  return { ...books, sums: undefined, touched: [] };
}

/** Trials and the books change in turn; each measure is compared with that of the naive form. */
function compare(seed: number, measure: typeof requirement): void {
  const random = new Random(seed);
  const books = portfolio(row(must(LISTED[0], 'listed'), 'M', [['S', LOT, 100_00]]));
  const trials: Trial[] = [0, 1].map(() => ({ rows: [], loose: [] }));
  for (let step = 0; step < 120; step += 1) {
    const of = random.pick(LISTED);
    const trial = random.chance(80) ? must(trials[0], 'a trial') : must(trials[1], 'a trial');
    const { rows, loose } = trial;
    if (random.chance(8)) changeBooks(random, books, of);
    else tryChange(random, books, trial, of);
    if (random.chance(15)) {
      const turns = calendarTurns(DESK, books, of.id, 3 * LOT, rows, loose);
      assert.equal(turns, calendarTurns(DESK, afresh(books), of.id, 3 * LOT, [...rows]), `step ${step}`);
    }
    if (random.chance(30)) continue;
    if (random.chance(10)) assert.deepEqual(requirement(DESK, books), requirement(DESK, afresh(books)), `step ${step}`);
    if (random.chance(10)) {
      assert.deepEqual(explainRequirement(DESK, books, rows), explainRequirement(DESK, afresh(books), [...rows]));
    }
    assert.deepEqual(measure(DESK, books, rows, loose), requirement(DESK, afresh(books), [...rows]), `step ${step}`);
  }
}

test('trials that go on beside each other and beside the books measure as the naive form does', () => {
  for (let seed = 1; seed <= 30; seed += 1) compare(seed, requirement);
});

test('a trial that forgets the contracts that changed measures something else', () => {
  const forgetful: typeof requirement = (ports, books, rows) => requirement(ports, books, rows, []);
  assert.throws(() => {
    for (let seed = 1; seed <= 10; seed += 1) compare(seed, forgetful);
  }, assert.AssertionError);
});

/** How often a contract is added up for a basket of the first `count` contracts, each measured twice as it is added. */
function additions(count: number, listOf: (rows: Position[]) => Position[]): number {
  const books = portfolio(row(must(LISTED.at(-1), 'listed'), 'M', [['S', LOT, 100_00]]));
  const random = new Random(7);
  const trial: Trial = { rows: [], loose: [] };
  const { set } = PortfolioSums.prototype;
  let counted = 0;
  PortfolioSums.prototype.set = function count(...given) {
    counted += 1;
    set.apply(this, given);
  };
  try {
    for (const of of LISTED.slice(0, count)) {
      for (let measure = 0; measure < 2; measure += 1) {
        tryChange(random, books, trial, of);
        requirement(DESK, books, listOf(trial.rows), trial.loose);
      }
    }
  } finally {
    PortfolioSums.prototype.set = set;
  }
  return counted;
}

test('a basket of n orders adds up n contracts, and n x n when each measure is a trial of its own', () => {
  assert.ok(additions(36, (rows) => rows) <= 36 + 2);
  assert.ok(additions(36, (rows) => [...rows]) > 36 * 36);
});
