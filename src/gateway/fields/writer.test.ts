import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { OPERATIONS } from '../operations.ts';
import { compileWriter, jsonText } from './writer.ts';

const INNER = Type.Object({ name: Type.String(), price: Type.Number() });
const SCHEMA = Type.Object({
  text: Type.String(),
  note: Type.Optional(Type.String()),
  inner: INNER,
  rows: Type.Array(INNER),
  words: Type.Array(Type.Array(Type.String())),
});

test('a compiled writer gives the bytes of JSON.stringify', () => {
  const write = compileWriter(SCHEMA);
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('"\\/\u0000\ud800é🚀'));
  const inner = fc.record({ name: text, price: fc.double({ noDefaultInfinity: true, noNaN: true }) });
  const value = fc.record({
    text,
    note: fc.oneof(text, fc.constant(undefined)),
    inner,
    rows: fc.array(inner),
    words: fc.array(fc.array(text)),
  });
  fc.assert(
    fc.property(value, ({ text: first, note, inner: one, rows, words }) => {
      const written = { text: first, ...(note === undefined ? {} : { note }), inner: one, rows, words };
      assert.equal(write(written), JSON.stringify(written));
    }),
  );
});

test('a text is quoted as JSON.stringify quotes it', () => {
  for (let code = 0; code < 0x1_0000; code += 1) {
    const text = `a${String.fromCharCode(code)}b`;
    assert.equal(jsonText(text), JSON.stringify(text));
  }
});

test('null and booleans cannot be written', () => {
  assert.throws(() => compileWriter(Type.Object({ a: Type.Boolean() })));
  assert.throws(() => compileWriter(Type.Object({ a: Type.Null() })));
  assert.throws(() => compileWriter(Type.Object({ a: Type.Union([Type.String(), Type.Null()]) })));
  assert.throws(() => compileWriter(Type.Object({ a: Type.Optional(Type.String()) })));
});

test('the answer of every operation can be compiled', () => {
  for (const { path, answer } of OPERATIONS) {
    if (answer.data) assert.equal(typeof compileWriter(answer.data), 'function', path);
  }
});
