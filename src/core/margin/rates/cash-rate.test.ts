import assert from 'node:assert/strict';
import test from 'node:test';
import type { Equity } from '../../instrument.ts';
import { NIFTY_FUND, RATES, RELIANCE, share } from '../margin-fixture.ts';
import { cashRate } from './cash-rate.ts';

function rate(facts: Partial<Equity>, volatility = 0.2) {
  const { valueAtRisk, extremeLoss, upfront } = cashRate(RATES, share(RELIANCE, facts), volatility);
  return [valueAtRisk, extremeLoss, upfront];
}

test('a liquid share has a VaR of six deviations, at least 9 %, and needs at least a fifth of its value', () => {
  assert.deepEqual(rate({}), [900, 350, 2_000]);
  assert.deepEqual(rate({}, 0.28), [1_058, 350, 2_000]);
  assert.deepEqual(rate({ hasDerivatives: false, series: 'EQ' }, 0.47), [1_776, 350, 2_126]);
  assert.deepEqual(rate({ hasDerivatives: false, series: 'A' }), [900, 350, 2_000]);
});

test('a share of the second group needs a quarter of its value, and its VaR is 21.5 % at any volatility', () => {
  assert.deepEqual(rate({ hasDerivatives: false, series: 'SM' }), [2_150, 350, 2_500]);
  assert.deepEqual(rate({ hasDerivatives: false, series: 'X' }, 0.8), [2_150, 350, 2_500]);
});

test('a share of the third group has a VaR of half of its value at any volatility', () => {
  assert.deepEqual(rate({ hasDerivatives: false, series: 'R' }), [5_000, 350, 5_350]);
  assert.deepEqual(rate({ hasDerivatives: false, series: 'R' }, 1.5), [5_000, 350, 5_350]);
});

test('a trade-for-trade share needs all of its value', () => {
  assert.deepEqual(rate({ tradeForTrade: true, series: 'BE', hasDerivatives: false }), [7_500, 350, 10_000]);
});

test('a fund on a broad index has a lower extreme loss margin; a gold fund has that of a share', () => {
  assert.deepEqual(rate({ isin: NIFTY_FUND, hasDerivatives: false }, 0.1), [900, 200, 2_000]);
  assert.deepEqual(rate({ isin: NIFTY_FUND, hasDerivatives: false }, 0.55), [2_079, 200, 2_279]);
  assert.deepEqual(rate({ isin: NIFTY_FUND, tradeForTrade: true, hasDerivatives: false }, 0.1), [7_500, 350, 10_000]);
  assert.deepEqual(rate({ isin: 'INF204KB17I5', hasDerivatives: false }, 0.17), [900, 350, 2_000]);
});

test('no rate is above the whole value', () => {
  assert.deepEqual(rate({}, 3), [11_339, 350, 10_000]);
});
