import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatRupees } from '../../base/decimal.ts';
import type { Price } from '../../base/money.ts';
import { rupeesNumber } from './numbers.ts';
import { partOf, WrittenText } from './written-text.ts';

/** Whole numbers of every length, and those beside the powers of ten and of two. */
const wholes = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.tuple(fc.constantFrom(2, 10), fc.nat(31), fc.constantFrom(-1, 0, 1)).map(([base, power, beside]) => {
    return Math.min(base ** power + beside, Number.MAX_SAFE_INTEGER);
  }),
);
const words = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), fc.constantFrom('é₹🚀', '\u007f'.repeat(9), ''));
const pieces = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('part', 'text', 'quoted'), value: words }),
    fc.record({ kind: fc.constantFrom('integer', 'rupees', 'rupeesNumber'), value: wholes }),
  ),
  { maxLength: 40 },
);

test('a text is the concatenation of its pieces, also in room that was used before', () => {
  const out = new WrittenText();
  fc.assert(
    fc.property(pieces, (all) => {
      out.clear();
      let wanted = '';
      for (const { kind, value } of all) wanted += added(out, kind, value as never);
      assert.equal(out.toString(), wanted);
      assert.equal(out.length, Buffer.byteLength(wanted));
    }),
    { numRuns: 2_000 },
  );
});

/** Adds a piece; returns it as it is expected. */
function added(out: WrittenText, kind: string, value: never): string {
  switch (kind) {
    case 'part':
      out.part(partOf(value));
      return value;
    case 'text':
      out.text(value);
      return value;
    case 'quoted':
      out.quoted(value);
      return JSON.stringify(value);
    case 'integer':
      out.integer(value);
      return String(value);
    case 'rupees':
      out.rupees(value);
      return formatRupees(value as Price);
    default:
      out.rupeesNumber(value);
      return String(rupeesNumber(value as Price));
  }
}

test('a text that is longer than its room goes on', () => {
  const out = new WrittenText();
  const long = 'é"'.repeat(3_000);
  out.text('a'.repeat(5_000));
  out.quoted(long);
  out.integer(7);
  for (let i = 0; i < 3_000; i += 1) out.part(partOf('12345'));
  assert.equal(out.toString(), `${'a'.repeat(5_000)}${JSON.stringify(long)}7${'12345'.repeat(3_000)}`);
});
