import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextBytes } from './text-bytes.ts';

const END = 10;

test('texts leave as they came, also when memory comes back with other content', () => {
  const text = fc.record({
    letter: fc.integer({ min: 97, max: 122 }),
    length: fc.constantFrom(0, 1, 1_000, 60_000, 150_000),
  });
  const take = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), comesBack: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.oneof(text, take), { maxLength: 40, size: 'max' }), (steps) => {
      const bytes = new TextBytes();
      let model = '';
      for (const step of steps) {
        if ('letter' in step) {
          const added = String.fromCharCode(step.letter).repeat(step.length);
          bytes.add(added, 'latin1', END);
          model += `${added}\n`;
        } else {
          const length = Math.floor(model.length * step.share);
          const taken = bytes.take(length);
          assert.equal(Buffer.from(taken).toString('latin1'), model.slice(0, length));
          model = model.slice(length);
          const moved = structuredClone(taken, { transfer: [taken.buffer] });
          if (step.comesBack) bytes.giveBack(moved.fill(0).buffer);
        }
        assert.equal(bytes.length, model.length);
      }
      assert.equal(Buffer.from(bytes.takeAll()).toString('latin1'), model);
    }),
  );
});

test('memory that came back is used again when it is neither too small nor too large', () => {
  const bytes = new TextBytes();
  const takenWith = (spare: number): number => {
    bytes.giveBack(new ArrayBuffer(spare));
    bytes.add('x', 'latin1', END);
    return bytes.take(2).buffer.byteLength;
  };
  takenWith(100_000);
  assert.equal(takenWith(200_000), 100_000, 'what came back the time before is the room by now');
  assert.equal(takenWith(1_000), 2, 'a copy');
  assert.equal(takenWith(8 * 1024 * 1024), 2, 'a copy');
});
