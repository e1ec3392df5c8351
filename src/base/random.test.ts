import assert from 'node:assert/strict';
import test from 'node:test';
import { hashText, hashWords, Random } from './random.ts';

test('the same seed gives the same draws on every machine', () => {
  const random = new Random(7);
  assert.deepEqual([random.next(), random.next(), random.next()], [2_993_105_499, 2_206_111_208, 2_650_536_429]);
  assert.equal(hashWords(1, 2, 3), hashWords(1, 2, 3));
  assert.notEqual(hashWords(1, 2, 3), hashWords(1, 3, 2));
  assert.notEqual(hashText(1, 'NIFTY'), hashText(2, 'NIFTY'));
});

test('draws below a bound are even, and stay below it', () => {
  const random = new Random(11);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i += 1) {
    const draw = random.below(10);
    counts[draw] = (counts[draw] as number) + 1;
  }
  for (const count of counts) assert.ok(Math.abs(count - 10_000) < 500, `seed 11: ${counts}`);
});

test('hashes of neighbouring words differ in about half of their bits', () => {
  let bits = 0;
  for (let i = 0; i < 1_000; i += 1) {
    let difference = hashWords(3, i) ^ hashWords(3, i + 1);
    for (; difference !== 0; difference &= difference - 1) bits += 1;
  }
  assert.ok(Math.abs(bits / 1_000 - 16) < 0.5, `${bits / 1_000} bits`);
});
