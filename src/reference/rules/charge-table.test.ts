import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';
import { ChargeRateTable } from './charge-table.ts';
import { readTable } from './data-table.ts';

const TEXT = readFileSync(join(import.meta.dirname, '../../../data/rules/charges.csv'), 'utf8');

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

function tableOf(text: string): ChargeRateTable {
  return new ChargeRateTable(readTable('charges.csv', text));
}

test('every class of every exchange has its rates, exactly as published', () => {
  const rates = tableOf(TEXT).on(day('2026-11-21'));
  const nse = rates.of('NSE', 'delivery');
  assert.deepEqual(nse, {
    brokerage: { share: 0, most: 0 },
    transaction: 30_699,
    investorProtection: 1,
    sebi: 1_000,
    stt: { B: 1_000_000, S: 1_000_000 },
    stamp: { B: 150_000, S: 0 },
    clearing: 0,
  });
  assert.deepEqual(rates.of('NFO', 'option'), {
    brokerage: { share: undefined, most: 2_000 },
    transaction: 355_200,
    investorProtection: 100,
    sebi: 1_000,
    stt: { B: 0, S: 1_500_000 },
    stamp: { B: 30_000, S: 0 },
    clearing: 45_000,
  });
  assert.deepEqual(rates.of('BFO', 'future'), {
    brokerage: { share: 300_000, most: 2_000 },
    transaction: 0,
    investorProtection: 0,
    sebi: 1_000,
    stt: { B: 0, S: 500_000 },
    stamp: { B: 20_000, S: 0 },
    clearing: 2_500,
  });
  assert.deepEqual([rates.of('BSE', 'intraday').transaction, rates.of('NFO', 'future').transaction], [37_500, 18_299]);
  assert.deepEqual([rates.gstPercent, rates.depository, rates.squareOff], [18, 1_350, 5_000]);
  assert.deepEqual([rates.exerciseStt, rates.physicalStt, rates.physicalStamp], [1_500_000, 1_000_000, 150_000]);
  assert.throws(() => rates.of('NSE', 'option'), /NSE has no trades of the class option/);
});

test('a later row takes the place of an earlier one from its day on, and only there', () => {
  const later = `${TEXT}2027-04-01,*,option,stt,S,0.2,,a later law\n`;
  const table = tableOf(later);
  assert.equal(table.on(day('2027-03-31')).of('NFO', 'option').stt.S, 1_500_000);
  assert.equal(table.on(day('2027-04-01')).of('NFO', 'option').stt.S, 2_000_000);
  assert.equal(table.on(day('2027-04-01')).of('BFO', 'option').stt.S, 2_000_000);
  assert.equal(table.on(day('2027-04-01')).of('NFO', 'future').stt.S, 500_000);
});

test('days before the first row of a rate are charged by that row', () => {
  const table = tableOf(`${TEXT}2026-02-01,NFO,future,stt,S,0.02,,an earlier law\n`);
  assert.equal(table.on(day('2020-01-01')).of('NFO', 'future').stt.S, 200_000);
  assert.equal(table.on(day('2020-01-01')).of('NFO', 'option').stt.S, 1_500_000);
  assert.equal(table.on(day('2026-03-31')).of('NFO', 'option').stt.S, 1_500_000);
});

test('a row for one exchange goes before the row for all', () => {
  const table = tableOf(`${TEXT}2026-01-01,BFO,option,stt,S,0.1,,an exception\n`);
  assert.equal(table.on(day('2026-11-21')).of('BFO', 'option').stt.S, 1_000_000);
  assert.equal(table.on(day('2026-11-21')).of('NFO', 'option').stt.S, 1_500_000);
});

test('a table that lacks a rate, or has one that is too fine, is refused when it is read', () => {
  const rows = TEXT.trimEnd().split('\n');
  for (const [index, row] of rows.entries()) {
    if (index === 0) continue;
    const rest = rows.filter((_, other) => other !== index);
    assert.throws(() => tableOf(`${rest.join('\n')}\n`), /InvariantError|no /, row);
  }
  assert.throws(() => tableOf(TEXT.replace('0.0030699', '0.00306991')), /not a percentage/);
  assert.throws(() => tableOf(TEXT.replace(',18,', ',18.5,')), /whole percent/);
});
