import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { HOUR_MS, istInstant } from '../../../src/base/time.ts';
import type { Derivative } from '../../../src/core/instrument.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { dayOf } from '../../kit/exchange/exchange-hours.ts';
import { futuresOn } from '../../kit/futures-on.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const instruments = data.master();

/** The freeze quantity of an index by its level, in units. Source: market-rules R1.26. */
const REVIEW: readonly (readonly [upTo: number, freeze: number])[] = [
  [5_750, 8_500],
  [8_625, 5_500],
  [11_500, 4_200],
  [17_250, 2_800],
  [27_500, 1_800],
  [40_000, 1_200],
  [55_000, 900],
  [Number.POSITIVE_INFINITY, 600],
];

/** Lots of shares in the series of April, May and June 2026, and of July on. Source: market-rules R1.21. */
const LOTS_OF_SHARES: readonly (readonly [
  symbol: string,
  lots: readonly [april: number, may: number, june: number, later: number],
])[] = [
  ['RELIANCE', [500, 500, 500, 500]],
  ['TCS', [175, 175, 175, 225]],
  ['INFY', [400, 400, 400, 400]],
  ['HDFCBANK', [550, 550, 550, 650]],
  ['ICICIBANK', [700, 700, 700, 700]],
  ['SBIN', [750, 750, 750, 750]],
  ['ITC', [1_600, 1_600, 1_600, 1_725]],
  ['TATASTEEL', [5_500, 2_750, 2_750, 2_750]],
  ['AXISBANK', [625, 625, 625, 625]],
  ['KOTAKBANK', [2_000, 2_000, 2_000, 2_000]],
  ['MARUTI', [50, 50, 50, 50]],
  ['BAJFINANCE', [750, 750, 750, 750]],
  ['M&M', [200, 200, 200, 200]],
  ['IDEA', [71_475, 71_475, 71_475, 71_475]],
];
const MONTHS = ['2026-04-10', '2026-05-08', '2026-06-10', '2026-07-10'];

function near(exchange: 'NFO' | 'BFO', symbol: string, date: string): Derivative {
  const at = istInstant(dayOf(date), 10 * HOUR_MS);
  return must(futuresOn(instruments, exchange, symbol, at)[0], `there is no future on ${symbol}`);
}

test('the freeze quantities of indices are those of R1.25', () => {
  const freezes = { NIFTY: 1_800, BANKNIFTY: 600, FINNIFTY: 1_800, MIDCPNIFTY: 2_800, NIFTYNXT50: 600 };
  for (const [symbol, freeze] of Object.entries(freezes))
    assert.equal(near('NFO', symbol, '2026-11-20').freeze, freeze);
  assert.equal(near('BFO', 'SENSEX', '2026-11-20').freeze, 1_000);
  assert.equal(near('BFO', 'BANKEX', '2026-11-20').freeze, 900);
});

test('those of NSE follow from the levels of August by the review of R1.26', () => {
  for (const symbol of ['NIFTY', 'BANKNIFTY', 'FINNIFTY', 'MIDCPNIFTY', 'NIFTYNXT50']) {
    const { freeze, underlying } = near('NFO', symbol, '2026-11-20');
    const level = must(data.facts.factsOf(underlying), symbol).reference / 100;
    const [, reviewed] = must(
      REVIEW.find(([upTo]) => level <= upTo),
      'a row of the review',
    );
    assert.equal(freeze, reviewed, `${symbol} at ${level}`);
  }
});

test('the freeze quantities of shares are those of R1.27', () => {
  const freezes = { RELIANCE: 20_000, TCS: 9_000, HDFCBANK: 32_500, SBIN: 22_500, IDEA: 1_429_500 };
  for (const [symbol, freeze] of Object.entries(freezes))
    for (const exchange of ['NFO', 'BFO'] as const)
      assert.equal(near(exchange, symbol, '2026-11-20').freeze, freeze, `${exchange} ${symbol}`);
});

test('lots of indices are those of R1.20, by the series that they came with', () => {
  const lots = { NIFTY: 65, BANKNIFTY: 30, FINNIFTY: 60, MIDCPNIFTY: 120, NIFTYNXT50: 25 };
  for (const [symbol, lot] of Object.entries(lots)) assert.equal(near('NFO', symbol, '2026-11-20').lot, lot, symbol);
  assert.equal(near('BFO', 'SENSEX', '2026-11-20').lot, 20);
  assert.equal(near('BFO', 'BANKEX', '2026-11-20').lot, 30);
  assert.equal(near('BFO', 'SENSEX50', '2026-11-20').lot, 75);
  assert.equal(near('NFO', 'NIFTY', '2025-12-10').lot, 75, 'the series of December 2025');
  assert.equal(near('NFO', 'NIFTY', '2026-01-07').lot, 65);
});

test('lots of shares are those of R1.21, on both exchanges, by the series that they came with', () => {
  for (const [symbol, lots] of LOTS_OF_SHARES)
    for (const exchange of ['NFO', 'BFO'] as const)
      assert.deepEqual(
        MONTHS.map((date) => near(exchange, symbol, date).lot),
        lots,
        `${exchange} ${symbol}`,
      );
});

test('a series keeps its lot on every day, also beside a later one of another lot', () => {
  const at = istInstant(dayOf('2026-06-10'), 10 * HOUR_MS);
  for (const [symbol, before, after] of [
    ['TCS', 175, 225],
    ['ITC', 1_600, 1_725],
  ] as const)
    assert.deepEqual(
      futuresOn(instruments, 'NFO', symbol, at).map(({ lot }) => lot),
      [before, after, after],
    );
});

test('an index contract is worth between 15 and 20 lakh rupees at its review', () => {
  const { lot } = near('NFO', 'NIFTY', '2026-11-20');
  const value = lot * 24_000;
  assert.equal(value, 15_60_000);
  assert.ok(value >= 15_00_000 && value <= 20_00_000);
});
