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

test('lots of indices and shares are those of R1.20 and R1.21, by the series that they came with', () => {
  const lots = { NIFTY: 65, BANKNIFTY: 30, FINNIFTY: 60, MIDCPNIFTY: 120, NIFTYNXT50: 25, RELIANCE: 500 };
  for (const [symbol, lot] of Object.entries(lots)) assert.equal(near('NFO', symbol, '2026-11-20').lot, lot, symbol);
  assert.equal(near('BFO', 'SENSEX', '2026-11-20').lot, 20);
  assert.equal(near('BFO', 'BANKEX', '2026-11-20').lot, 30);
  assert.equal(near('NFO', 'NIFTY', '2025-12-10').lot, 75, 'the series of December 2025');
  assert.equal(near('NFO', 'NIFTY', '2026-01-07').lot, 65);
  assert.equal(near('NFO', 'HDFCBANK', '2026-06-10').lot, 550);
  assert.equal(near('NFO', 'HDFCBANK', '2026-07-10').lot, 650);
  assert.equal(near('NFO', 'TATASTEEL', '2026-04-10').lot, 5_500);
  assert.equal(near('NFO', 'TATASTEEL', '2026-05-08').lot, 2_750);
});

test('an index contract is worth between 15 and 20 lakh rupees at its review', () => {
  const { lot } = near('NFO', 'NIFTY', '2026-11-20');
  const value = lot * 24_000;
  assert.equal(value, 15_60_000);
  assert.ok(value >= 15_00_000 && value <= 20_00_000);
});
