import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { parseIsoDay } from '../../base/time.ts';
import { OF_INDEX, OF_STOCK, RATES } from '../../core/margin/margin-fixture.ts';
import { readTable } from './data-table.ts';
import { loadMargins, type MarginFiles, MarginRateTable } from './margin-table.ts';

const DATA = join(import.meta.dirname, '../../../data');
const NAMES: Readonly<Record<keyof MarginFiles, string>> = {
  span: 'span-parameters.csv',
  delivery: 'delivery-margin.csv',
  cash: 'cash-margin.csv',
  series: 'var-groups.csv',
  funds: 'broad-index-funds.csv',
};
const TEXTS = Object.fromEntries(
  Object.entries(NAMES).map(([file, name]) => [file, readFileSync(join(DATA, 'rules', name), 'utf8')]),
) as Record<keyof MarginFiles, string>;

/** The table of the data folder, with some files changed. */
function tableOf(changed: Partial<Record<keyof MarginFiles, string>> = {}): MarginRateTable {
  const texts = { ...TEXTS, ...changed };
  return new MarginRateTable(
    Object.fromEntries(
      Object.entries(texts).map(([file, text]) => [file, readTable(file, text)]),
    ) as unknown as MarginFiles,
  );
}

function day(text: string) {
  return must(parseIsoDay(text), text);
}

const NIFTY = { symbol: 'NIFTY', underlyingKind: 'index' } as const;
const RELIANCE = { symbol: 'RELIANCE', underlyingKind: 'equity' } as const;

test('the figures of 2026 are those of the rules', () => {
  const rates = loadMargins(DATA).on(day('2026-11-20'));
  assert.deepEqual(rates.contracts(NIFTY), OF_INDEX);
  assert.deepEqual(rates.contracts(RELIANCE), OF_STOCK);
  assert.deepEqual(rates.delivery, RATES.delivery);
  for (const group of ['first', 'second', 'third', 'tradeForTrade', 'broadIndexFund'] as const) {
    assert.deepEqual(rates.group(group), RATES.group(group), group);
  }
  for (const series of ['EQ', 'A', 'SM', 'X', 'R', 'N1']) {
    assert.equal(rates.groupOfSeries(series), RATES.groupOfSeries(series), series);
  }
});

test('a contract that expires offsets later ones until 10 February 2025 on an index, until 5 May 2026 on a stock', () => {
  const table = tableOf();
  const spreads = (text: string) =>
    [NIFTY, RELIANCE].map((contract) => table.on(day(text)).contracts(contract).spreadsOnExpiryDay);
  assert.deepEqual(spreads('2025-02-09'), [true, true]);
  assert.deepEqual(spreads('2025-02-10'), [false, true]);
  assert.deepEqual(spreads('2026-05-04'), [false, true]);
  assert.deepEqual(spreads('2026-05-05'), [false, false]);
});

test('short index options need more on the day of expiry since 20 November 2024, those of stocks never', () => {
  const table = tableOf();
  const added = (text: string) =>
    [NIFTY, RELIANCE].map((contract) => table.on(day(text)).contracts(contract).expiryDayExposure);
  assert.deepEqual(added('2024-11-19'), [0, 0]);
  assert.deepEqual(added('2024-11-20'), [200, 0]);
  assert.deepEqual(table.on(day('2010-01-01')).contracts(NIFTY).priceFloor, 930, 'the earliest row holds before');
});

test('an underlying may have figures of its own, from a day on', () => {
  const own = 'stock,RELIANCE,2026-12-01,20,20,12,2.2,no,5,30,6,5,0\n';
  const table = tableOf({ span: TEXTS.span + own });
  assert.equal(table.on(day('2026-12-01')).contracts(RELIANCE).exposure, 500);
  assert.equal(table.on(day('2026-12-01')).contracts({ ...RELIANCE, symbol: 'TCS' }).exposure, 350);
  const later = tableOf({ delivery: `${TEXTS.delivery}2027-01-01,longOption,4,15\n` });
  assert.deepEqual(later.on(day('2026-12-31')).delivery.longOption, [100, 70, 45, 25, 10]);
  assert.deepEqual(later.on(day('2027-01-01')).delivery.longOption, [100, 70, 45, 25, 15]);
});

test('funds that follow an index of the whole market are known by their ISIN, from their day on', () => {
  const niftyBees = 'INF204KB14I2';
  const table = tableOf({ funds: TEXTS.funds.replace(`2019-01-01,${niftyBees}`, `2025-01-01,${niftyBees}`) });
  assert.equal(table.on(day('2024-12-31')).isBroadIndexFund(niftyBees), false);
  assert.equal(table.on(day('2025-01-01')).isBroadIndexFund(niftyBees), true);
  for (const [name, isin] of [
    ['GOLDBEES', 'INF204KB17I5'],
    ['BANKBEES', 'INF204KB15I9'],
    ['LIQUIDBEES', 'INF732E01037'],
  ] as const) {
    assert.equal(table.on(day('2026-11-20')).isBroadIndexFund(isin), false, name);
  }
});

test('every broad index fund is in the master under its symbol', () => {
  const listed = new Set(
    ['equities-nse.csv', 'equities-bse.csv'].flatMap((name) =>
      readTable(name, readFileSync(join(DATA, name), 'utf8')).map((row) => `${row.text('isin')} ${row.text('symbol')}`),
    ),
  );
  const funds = readTable('funds', TEXTS.funds).map((row) => `${row.text('isin')} ${row.text('symbol')}`);
  assert.deepEqual(
    funds.filter((fund) => !listed.has(fund)),
    [],
  );
});

test('a table that lacks a figure, or has one that is too fine, is refused when it is read', () => {
  const without = (file: keyof MarginFiles, word: string) => {
    const rows = TEXTS[file].split('\n').filter((line) => !line.includes(word));
    return () => tableOf({ [file]: rows.join('\n') });
  };
  assert.throws(without('span', 'index,*'), /no margin of each index/);
  assert.throws(without('span', 'stock,*'), /no margin of each stock/);
  assert.throws(without('cash', 'third'), /no margin of the group third/);
  assert.throws(without('series', '*'), /no group of the other series/);
  assert.throws(without('delivery', 'longOption,2'), /a gap/);
  assert.throws(without('delivery', 'ofNormal'), /InvariantError|a gap|normal/);
  assert.throws(without('delivery', 'ofValue'), /InvariantError|a gap|value/);
  assert.throws(() => tableOf({ cash: TEXTS.cash.replace('21.5', '21.505') }), /finer than a basis point/);
  assert.throws(() => tableOf({ funds: TEXTS.funds + TEXTS.funds.split('\n')[1] }), /follows one index/);
});
