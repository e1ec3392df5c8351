import assert from 'node:assert/strict';
import test from 'node:test';
import { price } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Derivative } from '../../instrument.ts';
import { call, contract, put, RATES, RELIANCE, TODAY } from '../margin-fixture.ts';
import { exposureOfUnit, isLongDated } from './exposure.ts';

const FIGURES = { price: price(24_138_50), spot: price(24_000_00), spotClose: price(24_000_00) };

/** The rate in basis points of the spot (of the price for a future) that one unit needs. */
function rateOf(of: Derivative, figures = FIGURES, day: IstDay = TODAY): number {
  return exposureOfUnit(RATES.contracts(of), of, figures, day) / (of.kind === 'future' ? figures.price : figures.spot);
}

test('futures need 2 % of their price on an index and 3.5 % on a stock', () => {
  assert.equal(rateOf(contract(1, { kind: 'future' })), 200);
  assert.equal(rateOf(contract(1, { kind: 'future' }, 30, RELIANCE)), 350);
});

test('index options sold need 2 % of the spot, and 3 % more than a tenth out of the money by the previous close', () => {
  assert.equal(rateOf(call(1, 24_000)), 200);
  assert.equal(rateOf(call(1, 26_400)), 200);
  assert.equal(rateOf(call(1, 26_401)), 300);
  assert.equal(rateOf(put(1, 21_600)), 200);
  assert.equal(rateOf(put(1, 21_599)), 300);
  assert.equal(rateOf(call(1, 21_000)), 200, 'in the money is not out of it');
  const moved = { ...FIGURES, spotClose: price(23_000_00) };
  assert.equal(rateOf(call(1, 26_000), moved), 300, 'the previous close counts, not the spot');
});

test('index options of more than nine months need 5 %', () => {
  assert.equal(isLongDated(call(1, 24_000, 274), TODAY), false);
  assert.equal(rateOf(call(1, 24_000, 274)), 200);
  assert.equal(rateOf(call(1, 24_000, 275)), 500);
  assert.equal(rateOf(call(1, 30_000, 275)), 500);
  assert.equal(isLongDated(contract(1, { kind: 'future' }, 400), TODAY), false);
});

test('index options sold need 2 % more on the day that they expire', () => {
  const day = (TODAY + 30) as IstDay;
  assert.equal(rateOf(call(1, 24_000), FIGURES, day), 400);
  assert.equal(rateOf(call(1, 27_000), FIGURES, day), 500);
  assert.equal(rateOf(call(1, 24_000), FIGURES, (day - 1) as IstDay), 200);
});

test('stock options sold need 3.5 % of the spot, and 5.25 % more than three tenths out of the money', () => {
  const figures = { price: price(30_00), spot: price(1_260_00), spotClose: price(1_200_00) };
  assert.equal(rateOf(call(1, 1_240, 30, RELIANCE), figures), 350);
  assert.equal(rateOf(call(1, 1_560, 30, RELIANCE), figures), 350);
  assert.equal(rateOf(call(1, 1_561, 30, RELIANCE), figures), 525);
  assert.equal(rateOf(put(1, 839, 30, RELIANCE), figures), 525);
  assert.equal(rateOf(call(1, 1_240, 0, RELIANCE), figures), 350, 'the day of expiry adds nothing on stocks here');
});
