import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AsciiText, asciiWord } from './ascii-text.ts';
import { rupeesNumber } from './numbers.ts';

/** Numbers of every length, and those beside the powers of ten and of two. */
const wholes = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.maxSafeNat(),
  fc.tuple(fc.constantFrom(2, 10), fc.nat(31), fc.constantFrom(-1, 0, 1)).map(([base, power, beside]) => {
    return Math.max(0, Math.min(base ** power + beside, Number.MAX_SAFE_INTEGER));
  }),
);
const words = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });
const parts = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('word' as const), word: words }),
    fc.record({ kind: fc.constant('number' as const), number: fc.oneof(wholes, fc.integer(), fc.double()) }),
    fc.record({ kind: fc.constant('rupees' as const), paise: fc.oneof(wholes, fc.integer()) }),
  ),
  { maxLength: 40 },
);

describe('a text of words and numbers', () => {
  it('is the concatenation of them, also in memory that was used before', () => {
    const text = new AsciiText();
    fc.assert(
      fc.property(parts, (all) => {
        text.begin(all.length * 200);
        let wanted = '';
        for (const part of all) {
          if (part.kind === 'word') text.word(asciiWord(part.word));
          else if (part.kind === 'number') text.number(part.number);
          else text.rupees(part.paise);
          if (part.kind === 'word') wanted += part.word;
          else wanted += String(part.kind === 'number' ? part.number : rupeesNumber(part.paise as never));
        }
        assert.equal(text.text(), wanted);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes eight characters as one number', () => {
    const text = new AsciiText();
    text.begin(16);
    for (const clock of ['09:15:00', '15:29:00']) text.eight(asciiWord(clock).eights[0] as number);
    assert.equal(text.text(), '09:15:0015:29:00');
  });

  it('refuses to go beyond its memory', () => {
    const text = new AsciiText();
    text.begin(8);
    for (let i = 0; i < 2; i += 1) text.word(asciiWord('12345678'));
    assert.throws(() => text.word(asciiWord('1')), RangeError);
  });
});
