import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { formatRupees, formatRupeesWithCommas, parsePrice, parseQuantity, parseRupees } from './decimal.ts';
import { paise, price } from './money.ts';

test('the price grammar of contract W10 is kept', () => {
  assert.equal(parsePrice('1404.05'), 140_405);
  assert.equal(parsePrice('0'), 0);
  assert.equal(parsePrice('7.0700'), 707);
  for (const text of [
    '',
    '-1',
    '01',
    '1.',
    '.5',
    '1e3',
    '1,000',
    ' 1',
    '1.23456',
    '1.00000',
    'NaN',
    '0x10',
    '1.005',
    '9999999999',
  ]) {
    assert.equal(parsePrice(text), undefined, text);
  }
});

test('a price is read as the grammar says, whatever the text', () => {
  const grammar = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,4}))?$/;
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789.-+ e'), maxLength: 15 });
  fc.assert(
    fc.property(fc.oneof(digits, fc.stringMatching(grammar), fc.string({ maxLength: 8 })), (text) => {
      const match = grammar.exec(text);
      const decimals = (match?.[2] ?? '').padEnd(4, '0');
      const isFine = match !== null && decimals.endsWith('00');
      assert.equal(parsePrice(text), isFine ? Number(match[1]) * 100 + Number(decimals.slice(0, 2)) : undefined, text);
    }),
    { numRuns: 5_000 },
  );
});

test('the quantity grammar of contract W10 is kept', () => {
  assert.equal(parseQuantity('75'), 75);
  for (const text of ['0', '-1', '1.0', '01', '1e2', '', ' 5', '1234567890'])
    assert.equal(parseQuantity(text), undefined, text);
});

test('rupees are written with two decimals and read back to the same paise', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (amount) => {
      assert.equal(parseRupees(formatRupees(paise(amount))), amount);
      if (amount < 10 ** 11) assert.equal(parsePrice(formatRupees(price(amount % 10 ** 10))), amount % 10 ** 10);
    }),
  );
  assert.equal(formatRupees(paise(-5)), '-0.05');
});

test('only refusal texts have commas', () => {
  assert.equal(formatRupeesWithCommas(paise(430_168)), '4,301.68');
  assert.equal(formatRupeesWithCommas(paise(7_709)), '77.09');
  assert.equal(formatRupeesWithCommas(paise(-123_456_789)), '-1,234,567.89');
});
