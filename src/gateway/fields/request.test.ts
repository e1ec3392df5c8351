import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { digits, exchange, optional, price, text } from './fields.ts';
import { RequestReader } from './request.ts';

const READER = new RequestReader(
  Type.Object({
    exchange: exchange(),
    name: text(5),
    price: price({ 'x-alias': 'prc' }),
    note: text(9, { 'x-blank': true }),
    count: optional(digits('^[1-9]$', { 'x-invalid': 'count is a digit' })),
    rows: Type.Array(Type.Object({ name: text(5) }), { maxItems: 2 }),
  }),
  'BAD_REQUEST',
);
const GOOD = { exchange: 'NSE', name: 'x', price: '1', note: '', rows: [{ name: 'r' }] };

function failureOf(body: Record<string, unknown>): string {
  const picked = READER.pick(body);
  if (READER.accepts(picked)) return 'accepted';
  const { field, message } = READER.explain(picked);
  return `${field}: ${message}`;
}

test('a body is read whatever the case of its keys, numbers where they may be, blanks as absent', () => {
  assert.equal(failureOf(GOOD), 'accepted');
  const body = { EXCHANGE: 'NSE', Name: 'x', PRC: 1.5, nOte: '', rows: [{ NAME: 'r', more: 1 }], count: '', other: {} };
  const picked = READER.pick(body);
  assert.ok(READER.accepts(picked));
  assert.deepEqual(picked, { exchange: 'NSE', name: 'x', price: '1.5', note: '', rows: [{ name: 'r' }] });
});

test('the exact key wins over other spellings and aliases', () => {
  assert.equal(READER.pick({ ...GOOD, PRICE: '7', prc: '8' }).price, '1');
  const { price: _price, ...rest } = GOOD;
  assert.equal(READER.pick({ prc: '8', PRICE: '7', ...rest }).price, '7');
});

test('missing fields come first, in their order, then shapes, then closed sets', () => {
  assert.equal(failureOf({}), 'exchange: required field is empty or missing: exchange');
  const { name: _name, ...noName } = GOOD;
  assert.equal(failureOf({ ...noName, exchange: 7 }), 'name: required field is empty or missing: name');
  assert.equal(failureOf({ ...GOOD, exchange: 'X', name: 7 }), 'name: Invalid name');
  assert.equal(failureOf({ ...GOOD, exchange: 7, name: 7 }), 'exchange: Invalid exchange provided');
  assert.equal(failureOf({ ...GOOD, exchange: 'X', count: '0' }), 'count: count is a digit');
  assert.equal(failureOf({ ...GOOD, exchange: 'X' }), 'exchange: Invalid exchange provided');
});

test('a list names the field of its first bad element', () => {
  assert.equal(failureOf({ ...GOOD, rows: [] }), 'rows: required field is empty or missing: rows');
  assert.equal(failureOf({ ...GOOD, rows: '' }), 'rows: required field is empty or missing: rows');
  assert.equal(failureOf({ ...GOOD, rows: [{}] }), 'name: required field is empty or missing: name');
  assert.equal(failureOf({ ...GOOD, rows: [{ name: 'toolong' }] }), 'name: Invalid name');
  for (const item of ['x', 7, null, [], [{ name: 'r' }]]) {
    assert.equal(failureOf({ ...GOOD, rows: [item] }), 'rows: each element of rows must be an object');
    assert.equal(failureOf({ ...GOOD, rows: [item, {}] }), 'rows: each element of rows must be an object');
  }
  assert.equal(failureOf({ ...GOOD, rows: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }), 'rows: Invalid rows');
});

test('values of no JSON text kind are never taken for text', () => {
  for (const wrong of [7, true, {}, [], ['x']]) {
    assert.equal(failureOf({ ...GOOD, name: wrong }), 'name: Invalid name');
  }
  assert.equal(failureOf({ ...GOOD, name: null }), 'name: required field is empty or missing: name');
});

test('the bodies that nearly all clients send are read as any other, to the order of the fields', () => {
  const { rows: _rows, ...plain } = READER.schema.properties;
  const reader = new RequestReader(Type.Object(plain), 'BAD_REQUEST');
  const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('NSE', '1', 'x') }, fc.constantFrom('', null, 7, {}));
  const keys = fc.constantFrom('exchange', 'name', 'price', 'note', 'count', 'Name', 'prc', '__proto__');
  const entries = fc.uniqueArray(fc.tuple(keys, value), { selector: ([key]) => key, maxLength: 8 });
  const usual = fc.record(
    { exchange: value, name: value, price: value, note: value, count: value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(entries.map(Object.fromEntries), usual), (body) => {
      // an unknown field is passed over, and only the long way meets it
      const longWay = { ...body, nobodyKnows: 'x' };
      assert.equal(JSON.stringify(reader.pick(body)), JSON.stringify(reader.pick(longWay)));
    }),
    { numRuns: 2_000 },
  );
});

test('a missing field is reported in the form and in the words that its operation and its schema have', () => {
  const schema = Type.Object({ name: text(5, { 'x-missing': 'say a name' }), note: text(5) });
  const missing = (form: 'MISSING_FIELD' | 'BAD_REQUEST', body: Record<string, unknown>) => {
    const reader = new RequestReader(schema, form);
    const { status, name, field, message } = reader.explain(reader.pick(body));
    assert.equal(status, 400);
    return [name, field, message];
  };
  assert.deepEqual(missing('MISSING_FIELD', {}), ['MISSING_FIELD', 'name', 'say a name']);
  assert.deepEqual(missing('MISSING_FIELD', { name: 'x' }), ['MISSING_FIELD', 'note', 'note cannot be empty']);
  assert.deepEqual(missing('BAD_REQUEST', {}), ['BAD_REQUEST', 'name', 'say a name']);
  assert.deepEqual(missing('BAD_REQUEST', { name: 'x' }), [
    'BAD_REQUEST',
    'note',
    'required field is empty or missing: note',
  ]);
});
