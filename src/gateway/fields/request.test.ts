import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { must } from '../../base/assert.ts';
import { digits, exchange, optional, price, text } from './fields.ts';
import { type Picked, RequestReader } from './request.ts';

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

function pick(body: Record<string, unknown>): Picked {
  return must(READER.pick(body), 'few keys');
}

function failureOf(body: Record<string, unknown>): string {
  const picked = pick(body);
  if (READER.accepts(picked)) return 'accepted';
  const { field, message } = READER.explain(picked);
  return `${field}: ${message}`;
}

test('a body is read whatever the case of its keys, numbers where they may be, blanks as absent', () => {
  assert.equal(failureOf(GOOD), 'accepted');
  const body = { EXCHANGE: 'NSE', Name: 'x', PRC: 1.5, nOte: '', rows: [{ NAME: 'r', more: 1 }], count: '', other: {} };
  const picked = pick(body);
  assert.ok(READER.accepts(picked));
  assert.deepEqual(picked, { exchange: 'NSE', name: 'x', price: '1.5', note: '', rows: [{ name: 'r' }] });
});

test('the exact key wins over other spellings and aliases', () => {
  assert.equal(pick({ ...GOOD, PRICE: '7', prc: '8' }).price, '1');
  const { price: _price, ...rest } = GOOD;
  assert.equal(pick({ prc: '8', PRICE: '7', ...rest }).price, '7');
});

/** The value that a body has for a field: under its exact name, else the first other spelling, else the first alias. */
function sentValue(body: Readonly<Record<string, unknown>>, name: string, alias = name): unknown {
  if (body[name] !== undefined) return body[name];
  const keys = Object.keys(body);
  const key =
    keys.find((one) => one.toLowerCase() === name.toLowerCase()) ?? keys.find((one) => one.toLowerCase() === alias);
  return key === undefined ? undefined : body[key];
}

test('of several spellings of a field the exact one counts, then the first other one, then the first alias', () => {
  const reader = new RequestReader(
    Type.Object({ jKey: text(5), price: optional(price({ 'x-alias': 'prc' })) }),
    'BAD_REQUEST',
  );
  const keys = fc.constantFrom('jKey', 'JKEY', 'jkey', 'j\u212aey', 'price', 'PRICE', 'Price', 'prc', 'PRC', 'İ', '1');
  const entries = fc.uniqueArray(fc.tuple(keys, fc.constantFrom('a', 'b', '7', '', null)), {
    selector: ([key]) => key,
  });
  fc.assert(
    fc.property(entries.map(Object.fromEntries), (body) => {
      const expected = { jKey: sentValue(body, 'jKey'), price: sentValue(body, 'price', 'prc') };
      const given = Object.entries(expected).filter(
        ([, value]) => value !== undefined && value !== null && value !== '',
      );
      assert.equal(JSON.stringify(reader.pick(body)), JSON.stringify(Object.fromEntries(given)));
    }),
    { numRuns: 2_000 },
  );
});

test('a body with thousands of keys is walked through twice at most, and refused', () => {
  let walks = 0;
  const walked = (body: Record<string, unknown>) =>
    new Proxy(body, {
      ownKeys: (target) => {
        walks += 1;
        return Reflect.ownKeys(target);
      },
    });
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
  assert.equal(READER.pick(walked(keys(9_000))), undefined);
  assert.ok(walks <= 2, `${walks} walks`);
  walks = 0;
  assert.deepEqual(READER.pick(walked(keys(256))), {});
  assert.ok(walks <= 2, `${walks} walks`);
  assert.equal(READER.pick({ ...GOOD, ...keys(256) }), undefined);
  assert.equal(failureOf({ ...GOOD, ...keys(256 - 5) }), 'accepted');
  assert.equal(failureOf({ ...GOOD, rows: [keys(257)] }), 'rows: each element of rows must be an object');
});

test('a list that is too long is refused before its items are read', () => {
  const unread = new Proxy({}, { ownKeys: () => assert.fail('it was read') });
  assert.equal(failureOf({ ...GOOD, rows: [unread, unread, unread] }), 'rows: Invalid rows');
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
    const { status, name, field, message } = reader.explain(must(reader.pick(body), 'few keys'));
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
