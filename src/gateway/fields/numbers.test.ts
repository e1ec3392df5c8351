import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise, quantity } from '../../base/money.ts';
import { averageText, decimalText, rupeesNumber } from './numbers.ts';

test('numbers are read as text when they are plain decimals of at most four places', () => {
  assert.equal(decimalText(7), '7');
  assert.equal(decimalText(7.05), '7.05');
  assert.equal(decimalText(-1), '-1');
  assert.equal(decimalText('text'), 'text');
  assert.equal(decimalText(2 ** 53 - 1), '9007199254740991');
  for (const wrong of [1.23456, 1e21, 1e-7, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, true, null, {}, []]) {
    assert.equal(decimalText(wrong), undefined, String(wrong));
  }
});

test('an average is rounded half up to the paisa and 0.00 without units', () => {
  assert.equal(averageText(paise(1_001), quantity(2)), '5.01');
  assert.equal(averageText(paise(0), quantity(0)), '0.00');
});

test('rupees as a number are the nearest to the paise', () => {
  assert.equal(
    JSON.stringify([2_837, 126_783, -5].map((amount) => rupeesNumber(paise(amount)))),
    '[28.37,1267.83,-0.05]',
  );
});
