import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bodiesOf } from './line.ts';
import { WaitingLines } from './waiting-lines.ts';

const text = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');

test('lines leave in their order, none before its record is durable', () => {
  const body = fc.string({ unit: 'grapheme-ascii', maxLength: 3_000 });
  const addition = fc.record({ body, named: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.oneof(addition, fc.nat({ max: 20 }))), (steps) => {
      const lines = new WaitingLines();
      let seq = 0;
      let waiting: { body: string; seq: number }[] = [];
      for (const step of steps) {
        if (typeof step === 'object') {
          if (step.named) seq += 1;
          lines.add(step.body, step.named ? seq : 0);
          waiting.push({ body: step.body, seq: step.named ? seq : 0 });
          continue;
        }
        const late = waiting.findIndex((line) => line.seq > step);
        const ready = late < 0 ? waiting : waiting.slice(0, late);
        const taken = lines.take(step);
        assert.equal(text(taken), bodiesOf(ready.map((line) => line.body)).toString('latin1'));
        // Every other time its memory comes back, with whatever stands there by then.
        if (taken !== undefined && step % 2 === 0) lines.giveBack(taken.fill(0).buffer);
        waiting = late < 0 ? [] : waiting.slice(late);
      }
    }),
  );
});
