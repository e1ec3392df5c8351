import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forwardOf } from '../../../test/kit/span/forward-of.ts';
import { black76, greeks, type OptionTerms, spotDelta } from './black76.ts';
import { exp } from './elementary.ts';
import { impliedVolatility } from './implied-volatility.ts';

const CALL: OptionTerms = { type: 'CE', strike: 24_000 };
const PUT: OptionTerms = { type: 'PE', strike: 24_000 };
const WEEK = 7 / 365;

test('the vector of R8.5 comes out to the printed digits', () => {
  const shown = (terms: OptionTerms) => {
    const { delta, gamma, theta, vega, rho } = greeks(terms, 24_100, WEEK, 0.125);
    return [black76(terms, 24_100, WEEK, 0.125), delta, gamma, theta, vega, rho].map((value) => value.toFixed(6));
  };
  assert.deepEqual(shown(CALL), ['220.557654', '0.597461', '0.000926', '-11.467850', '12.891367', '-0.042299']);
  assert.deepEqual(shown(PUT), ['120.691810', '-0.401197', '0.000926', '-11.487003', '12.891367', '-0.023146']);
});

test('the spot vector of R8.5 comes out to the printed digits', () => {
  const forward = forwardOf(24_000, 30 / 365);
  assert.equal(forward.toFixed(4), '24138.4802');
  assert.equal(black76(CALL, forward, 30 / 365, 0.13).toFixed(6), '428.873645');
  assert.equal(black76(PUT, forward, 30 / 365, 0.13).toFixed(6), '291.187916');
});

const market = fc.record({
  forward: fc.double({ min: 100, max: 90_000, noNaN: true }),
  moneyness: fc.double({ min: 0.7, max: 1.4, noNaN: true }),
  years: fc.double({ min: 1 / 365, max: 3, noNaN: true }),
  volatility: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
});

test('call less put is the discounted distance of forward and strike', () => {
  fc.assert(
    fc.property(market, ({ forward, moneyness, years, volatility }) => {
      const strike = forward * moneyness;
      const call = black76({ type: 'CE', strike }, forward, years, volatility);
      const put = black76({ type: 'PE', strike }, forward, years, volatility);
      assert.ok(Math.abs(call - put - exp(-0.07 * years) * (forward - strike)) < 1e-9 * forward);
    }),
  );
});

test('greeks match the effect of small changes of the inputs', () => {
  fc.assert(
    fc.property(market, fc.constantFrom('CE' as const, 'PE' as const), (inputs, type) => {
      const { forward, moneyness, years, volatility } = inputs;
      const terms = { type, strike: forward * moneyness };
      const value = (f: number, t: number, v: number, r = 0.07) => black76(terms, f, t, v, r);
      const found = greeks(terms, forward, years, volatility);
      // Steps are small beside what the inputs are: beside the width of the distribution, and beside the time that is
      // left.
      const width = volatility * Math.sqrt(years);
      const step = forward * width * 1e-2;
      const near = (actual: number, expected: number, scale: number, name: string) =>
        assert.ok(Math.abs(actual - expected) < 1e-4 * scale, `${name}: ${actual} for ${expected}`);
      const up = value(forward + step, years, volatility);
      const down = value(forward - step, years, volatility);
      near((up - down) / (2 * step), found.delta, 1, 'delta');
      near(
        forward * ((up - 2 * value(forward, years, volatility) + down) / step ** 2),
        forward * found.gamma,
        1 / width,
        'gamma',
      );
      const vega = (value(forward, years, volatility + 1e-5) - value(forward, years, volatility - 1e-5)) / 2e-5 / 100;
      near(vega, found.vega, forward, 'vega');
      const moment = years * 1e-4;
      const theta =
        (value(forward, years - moment, volatility) - value(forward, years + moment, volatility)) / (2 * moment) / 365;
      near(theta, found.theta, forward, 'theta');
      const rho =
        (value(forward, years, volatility, 0.0701) - value(forward, years, volatility, 0.0699)) / 0.0002 / 100;
      near(rho, found.rho, forward, 'rho');
    }),
  );
});

test('the spot delta matches the effect of a small change of the spot, with the forward at carry', () => {
  for (const terms of [CALL, PUT]) {
    const value = (spot: number) => black76(terms, forwardOf(spot, WEEK), WEEK, 0.125);
    const slope = (value(24_050.5) - value(24_049.5)) / 1;
    assert.ok(Math.abs(slope - spotDelta(terms, forwardOf(24_050, WEEK), WEEK, 0.125)) < 1e-6);
  }
});

test('the implied volatility of a price is the volatility it was made with, to 1e-9', () => {
  for (const terms of [CALL, PUT]) {
    const found = impliedVolatility(terms, black76(terms, 24_100, WEEK, 0.125), 24_100, WEEK);
    assert.ok(Math.abs(found - 0.125) < 1e-9);
  }
  fc.assert(
    fc.property(market, ({ forward, moneyness, years, volatility }) => {
      const terms: OptionTerms = { type: moneyness > 1 ? 'CE' : 'PE', strike: forward * moneyness };
      const value = black76(terms, forward, years, volatility);
      fc.pre(greeks(terms, forward, years, volatility).vega > forward * 1e-6);
      assert.ok(Math.abs(impliedVolatility(terms, value, forward, years) - volatility) < 1e-6);
    }),
  );
});

test('a price that is not above the discounted intrinsic value implies no volatility', () => {
  assert.equal(impliedVolatility(CALL, exp(-0.07 * WEEK) * 1_000, 25_000, WEEK), 0);
  assert.equal(impliedVolatility(PUT, 0, 25_000, WEEK), 0);
});

test('without time or volatility an option is worth its discounted intrinsic value', () => {
  assert.equal(black76(CALL, 24_130, 0, 0.2), 130);
  assert.equal(black76(PUT, 24_130, 0, 0.2), 0);
  assert.equal(black76(PUT, 23_900, 0.5, 0), exp(-0.035) * 100);
});

test('the spot delta of an option of which nothing is open is all or nothing', () => {
  assert.deepEqual(
    [24_130, 24_000, 23_900].map((forward) => [spotDelta(CALL, forward, 0, 0.2), spotDelta(PUT, forward, 0.1, 0)]),
    [
      [1, 0],
      [0, 0],
      [0, -1],
    ],
  );
});
