import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  contractOfToken,
  contractToken,
  FIRST_CONTRACT_TOKEN,
  FIRST_WEEK,
  MAX_ADJUSTED_STRIKE_UNITS,
  MAX_ADJUSTMENTS,
} from './contract-token.ts';

const keys = fc
  .record({
    week: fc.integer({ min: FIRST_WEEK, max: 2_047 }),
    code: fc.integer({ min: 1, max: 511 }),
    adjustments: fc.constant(0),
    option: fc.option(
      fc.record({
        strikeUnits: fc.integer({ min: 1, max: 16_383 }),
        type: fc.constantFrom('CE' as const, 'PE' as const),
      }),
      { nil: undefined },
    ),
  })
  .map(({ option, ...rest }) => ({ ...rest, option: option && { ...option } }));

const adjustedKeys = fc
  .record({
    week: fc.integer({ min: FIRST_WEEK, max: 2_047 }),
    code: fc.integer({ min: 1, max: 511 }),
    adjustments: fc.integer({ min: 1, max: MAX_ADJUSTMENTS }),
    option: fc.option(
      fc.record({
        strikeUnits: fc.integer({ min: 1, max: MAX_ADJUSTED_STRIKE_UNITS }),
        type: fc.constantFrom('CE' as const, 'PE' as const),
      }),
      { nil: undefined },
    ),
  })
  .map(({ option, ...rest }) => ({ ...rest, option: option && { ...option } }));

test('a token names its contract, and nothing else has the same token', () => {
  fc.assert(
    fc.property(fc.oneof(keys, adjustedKeys), (key) => {
      assert.deepEqual(contractOfToken(contractToken(key)), key);
    }),
  );
});

test('tokens have 9 to 11 digits, so that they and their instrument ids are safe integers', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const token = contractToken(key);
      assert.ok(token >= FIRST_CONTRACT_TOKEN && token < 10 ** 11 && token < 2 ** 50);
      assert.ok(token > 99_999_999, 'above the tokens that exchanges give');
    }),
  );
});

test('tokens of adjusted contracts lie above all others and leave room for ids and row keys', () => {
  fc.assert(
    fc.property(keys, adjustedKeys, (key, adjusted) => {
      assert.ok(contractToken(adjusted) > contractToken(key));
      assert.ok(Number.isSafeInteger((contractToken(adjusted) + 1) * 16));
    }),
  );
});

test('a number that is not a token of a contract has no contract', () => {
  const token = contractToken({ week: 400, code: 1, adjustments: 0, option: undefined });
  for (const wrong of [0, -1, 26_000, 2 ** 50, 1.5, token + 1])
    assert.equal(contractOfToken(wrong), undefined, String(wrong));
});
