import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { parsePrice } from '../../base/decimal.ts';
import type { Exchange } from '../../base/ids.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';
import { readTable } from './data-table.ts';
import { effectiveOn } from './dated.ts';
import { StrikeSteps } from './strike-steps.ts';
import { TickBands, type TickClass } from './tick-bands.ts';

const FOLDER = join(import.meta.dirname, '../../../data/rules');
const TODAY = must(parseIsoDay('2026-11-21'), 'a date');

function table(name: string) {
  return readTable(name, readFileSync(join(FOLDER, name), 'utf8'));
}

function price(text: string) {
  return must(parsePrice(text), text);
}

const ticks = new TickBands(table('tick-bands.csv'));

function tick(exchange: Exchange, tickClass: TickClass, review: string, day: IstDay = TODAY): number {
  return ticks.tickOf(exchange, tickClass, price(review), day);
}

test('the tick of a share follows its review close, boundaries as published', () => {
  const expected: [string, number][] = [
    ['7.07', 1],
    ['249.99', 1],
    ['250', 5],
    ['425.4', 5],
    ['1000', 5],
    ['1000.05', 10],
    ['1260', 10],
    ['5000', 10],
    ['5000.5', 50],
    ['12500', 100],
    ['20000', 100],
    ['20000.5', 500],
    ['140000', 500],
  ];
  for (const [review, paise] of expected) {
    assert.equal(tick('NSE', 'cash', review), paise, review);
    assert.equal(tick('NFO', 'equityFuture', review), paise, review);
  }
});

test('at BSE a share from 100 on and every stock future have 0.05, whatever their price', () => {
  const shares = ['99.99', '100', '1315.55', '133965'].map((review) => tick('BSE', 'cash', review));
  assert.deepEqual(shares, [1, 5, 5, 5]);
  assert.equal(tick('BFO', 'equityFuture', '99.99'), 5);
  assert.equal(tick('BFO', 'equityFuture', '1315.55'), 5);
});

test('the tick of an index future follows the level, on BSE it is 0.05', () => {
  assert.equal(tick('NFO', 'indexFuture', '14000'), 5);
  assert.equal(tick('NFO', 'indexFuture', '15000'), 5);
  assert.equal(tick('NFO', 'indexFuture', '23833.7'), 10);
  assert.equal(tick('NFO', 'indexFuture', '30000.05'), 20);
  assert.equal(tick('NFO', 'indexFuture', '57800'), 20);
  assert.equal(tick('BFO', 'indexFuture', '81000'), 5);
});

test('options tick in 0.05, those on shares below 250 in 0.01 from 3 November 2025', () => {
  assert.equal(tick('NFO', 'indexOption', '24000'), 5);
  assert.equal(tick('NFO', 'equityOption', '249.99'), 1);
  assert.equal(tick('NFO', 'equityOption', '250'), 5);
  assert.equal(tick('NFO', 'equityOption', '100', must(parseIsoDay('2025-11-02'), 'a date')), 5);
  assert.equal(tick('NFO', 'equityOption', '100', must(parseIsoDay('2025-11-03'), 'a date')), 1);
});

test('strikes of shares are further apart the dearer the share', () => {
  const steps = new StrikeSteps(table('strike-steps.csv'));
  const expected: [string, number][] = [
    ['50', 100],
    ['250', 250],
    ['250.05', 500],
    ['1000', 1_000],
    ['2500', 2_000],
    ['5000', 5_000],
    ['10000', 10_000],
    ['140000', 25_000],
  ];
  for (const [spot, step] of expected) assert.equal(steps.stepAt(price(spot)), step, spot);
});

test('a dated rule holds from its day until the next, and the first one also before', () => {
  const entries = [{ from: 10 as IstDay }, { from: 20 as IstDay }];
  for (const [day, from] of [
    [0, 10],
    [10, 10],
    [19, 10],
    [20, 20],
    [99, 20],
  ] as const) {
    assert.equal(effectiveOn(entries, day as IstDay).from, from);
  }
});

test('a wrong cell of a data file is reported with its file and row', () => {
  const [row] = readTable('some.csv', 'day,tick\n2026-02-30,x\n');
  assert.throws(() => row?.day('day'), /some\.csv row 1: day is not a date/);
  assert.throws(() => row?.price('tick'), /some\.csv row 1: tick is not a price/);
  assert.throws(() => row?.text('lot'), /some\.csv row 1: no column lot/);
});
