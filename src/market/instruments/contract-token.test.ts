import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { contractOfToken, contractToken, FIRST_CONTRACT_TOKEN, FIRST_WEEK } from './contract-token.ts';

const keys = fc
  .record({
    week: fc.integer({ min: FIRST_WEEK, max: 2_047 }),
    code: fc.integer({ min: 1, max: 511 }),
    option: fc.option(
      fc.record({
        strikeUnits: fc.integer({ min: 1, max: 16_383 }),
        type: fc.constantFrom('CE' as const, 'PE' as const),
      }),
      { nil: undefined },
    ),
  })
  .map(({ week, code, option }) => ({ week, code, option: option && { ...option } }));

test('a token tells its contract, and nothing else has the same token', () => {
  fc.assert(
    fc.property(keys, (key) => {
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

test('a number that is no token of a contract has no contract', () => {
  const token = contractToken({ week: 400, code: 1, option: undefined });
  for (const wrong of [0, -1, 26_000, 2 ** 50, 1.5, token + 1])
    assert.equal(contractOfToken(wrong), undefined, String(wrong));
});
