import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedFrames, textFrame } from './text-frame.ts';

test('joined frames are the bytes of each text in order, and say how many they are', () => {
  for (const lengths of [[], [0], [5, 126, 300], [70_000, 1, 20_000, 3], Array.from({ length: 200 }, () => 500)]) {
    const texts = lengths.map((length, index) => 'é'.repeat(index % 2) + 'x'.repeat(length));
    const joined = joinedFrames(texts);
    assert.deepEqual(
      Buffer.concat(joined.map(({ bytes }) => bytes)),
      Buffer.concat(texts.map((text) => textFrame(text).bytes)),
    );
    assert.equal(
      joined.reduce((sum, { count }) => sum + count, 0),
      texts.length,
    );
    assert.ok(joined.every(({ bytes, count }) => count === 1 || bytes.length < 100_000));
  }
});
