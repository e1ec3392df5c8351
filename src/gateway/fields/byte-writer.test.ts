import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type, { type TObject } from 'typebox';
import { MULTI_QUOTE, TICK_QUOTE } from '../endpoints/market/quote.ts';
import { anyText, integerFigure, plain, rupeesFigure } from './answers.ts';
import { compileByteWriter } from './byte-writer.ts';
import { compileWriter, FIGURE, PLAIN } from './writer.ts';
import { WrittenText } from './written-text.ts';

const SMALL = Type.Object({
  price: rupeesFigure,
  name: anyText(),
  note: Type.Optional(anyText()),
  units: Type.Optional(integerFigure),
  word: plain(),
  last: Type.Optional(integerFigure),
});

const NAME = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('"\\/\u0000\ud800é🚀', 'M&M', ''));
const FIGURE_VALUE = fc.oneof(
  fc.integer({ min: -2_000, max: 2_000 }),
  fc.integer({ min: -0x80000000, max: 0x7fffffff }),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 0x7fffffff, 0x80000000),
);

/** Random rows of a schema; what need not be there is left out of some. */
function rowsOf(schema: TObject): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(schema.properties).map(([key, property]) => {
    const value: fc.Arbitrary<unknown> =
      FIGURE in property ? FIGURE_VALUE : PLAIN in property ? fc.constantFrom('', 'EQ', '12:00') : NAME;
    return [key, '~optional' in property ? fc.option(value, { nil: undefined }) : value] as const;
  });
  return fc.record(Object.fromEntries(entries)) as fc.Arbitrary<Record<string, unknown>>;
}

for (const [name, schema] of Object.entries({ small: SMALL, multi: MULTI_QUOTE, tick: TICK_QUOTE })) {
  test(`a row as bytes is the text that the compiled writer writes: ${name}`, () => {
    const write = compileByteWriter<TObject>(schema);
    const naive = compileWriter<TObject>(schema);
    const out = new WrittenText();
    fc.assert(
      fc.property(rowsOf(schema), fc.string(), (row, before) => {
        out.clear();
        out.text(before);
        write(row, out);
        const expected = Buffer.from(before + naive(row));
        const copied = Buffer.alloc(out.length);
        out.copyTo(copied, 0);
        assert.deepEqual(copied, expected);
        assert.equal(out.toString(), expected.toString());
      }),
    );
  });
}

test('a row holds texts and figures only, and begins with one that is always there', () => {
  assert.throws(() => compileByteWriter(Type.Object({ a: Type.Number() })));
  assert.throws(() => compileByteWriter(Type.Object({ a: Type.Array(plain()) })));
  assert.throws(() => compileByteWriter(Type.Object({ a: Type.Optional(plain()) })));
});
