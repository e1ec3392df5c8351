import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { tradingSymbol } from './fields.ts';
import { RequestReader } from './request.ts';

test('a trading symbol is printable text of 96 characters at most', () => {
  const reader = new RequestReader(Type.Object({ tradingSymbol: tradingSymbol() }), 'BAD_REQUEST');
  const accepts = (symbol: string) => reader.accepts(reader.pick({ tradingSymbol: symbol }) ?? {});
  assert.equal(accepts('M%26M-EQ'), true);
  assert.equal(accepts('X'.repeat(96)), true);
  assert.equal(accepts('X'.repeat(97)), false);
  assert.equal(accepts('A\u0000B'), false);
});
