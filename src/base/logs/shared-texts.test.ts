import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../random.ts';
import { type ChunkStore, inMemory } from './byte-log.ts';
import { SharedTexts } from './shared-texts.ts';

const SEED = 41;

test(`every text comes back as it was, short and long, new and known, seed ${SEED}`, () => {
  const random = new Random(SEED);
  const texts = new SharedTexts(inMemory());
  const written = Array.from({ length: 20_000 }, () => {
    const text = anyText(random);
    return { text, ...texts.add(text) };
  });
  for (const { text, at, length } of written) assert.equal(texts.read(at, length), text);
});

test('a text that returns stands in the log once', () => {
  const texts = new SharedTexts(inMemory());
  const first = texts.add('momentum');
  assert.deepEqual(texts.add('momentum'), first);
  const next = texts.add('reversal');
  assert.equal(next.at, first.at + first.length, 'nothing was added in between');
});

test('two texts of one hash are kept apart', () => {
  // 'Aa' and 'BB' have the same hash of the factor 31.
  const texts = new SharedTexts(inMemory());
  const places = ['Aa', 'BB', 'Aa', 'BB'].map((text) => texts.add(text));
  assert.deepEqual(
    places.map(({ at, length }) => texts.read(at, length)),
    ['Aa', 'BB', 'Aa', 'BB'],
  );
});

test('a day of texts that never return does not stay in the memory of known ones', () => {
  let chunks = 0;
  const store: ChunkStore = {
    put: () => {
      chunks += 1;
    },
    read: () => assert.fail('nothing is read'),
  };
  const texts = new SharedTexts(store);
  for (let number = 0; number < 50_000; number += 1) texts.add(`order ${number}`);
  const first = texts.add('order 1');
  assert.ok(first.at > 0 && chunks > 10, 'the first text was forgotten, and is added again');
});

/** Of 0 to 400 units, from few letters, so that many return; surrogates may stand alone. */
function anyText(random: Random): string {
  const length = random.below(10) === 0 ? random.below(400) : random.below(4);
  return Array.from({ length }, () =>
    String.fromCharCode([0x41, 0x42, 0xd800, 0x20b9][random.below(4)] as number),
  ).join('');
}
