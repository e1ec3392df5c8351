import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bodiesOf } from './trail-line.ts';
import { WaitingLines } from './waiting-lines.ts';

const text = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');

test('lines leave in the order in which things happened, none before the records that were decided before it are durable', () => {
  const body = fc.string({ unit: 'grapheme-ascii', maxLength: 3_000 });
  const happening = fc.oneof(
    fc.record({ what: fc.constant('record' as const), body: fc.option(body, { nil: undefined }) }),
    fc.record({ what: fc.constant('note' as const), body }),
    fc.record({ what: fc.constant('durable' as const), count: fc.nat({ max: 6 }) }),
    fc.record({ what: fc.constant('take' as const), givesBack: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.nat({ max: 5 }), fc.array(happening, { maxLength: 60 }), (start, happenings) => {
      const lines = new WaitingLines(start);
      /** Everything that happened and has not left, in order; a record without a line has no body. */
      let model: { readonly body: string | undefined; readonly record: number | undefined }[] = [];
      let decided = start;
      let durable = start;
      for (const happening of happenings) {
        if (happening.what === 'record') {
          decided += 1;
          model.push({ body: happening.body, record: decided });
        } else if (happening.what === 'note') {
          model.push({ body: happening.body, record: undefined });
          lines.note(happening.body, decided);
        } else if (happening.what === 'durable') {
          for (let left = happening.count; left > 0 && durable < decided; left -= 1) {
            durable += 1;
            lines.record(durable, model.find(({ record }) => record === durable)?.body);
          }
        } else {
          const late = model.findIndex(({ record }) => record !== undefined && record > durable);
          const ready = late < 0 ? model : model.slice(0, late);
          const bodies = ready.flatMap((line) => line.body ?? []);
          const taken = lines.take();
          assert.equal(text(taken), bodiesOf(bodies).toString('latin1'));
          model = late < 0 ? [] : model.slice(late);
          const held = model.filter(({ record }) => record === undefined);
          assert.equal(
            lines.length,
            held.reduce((sum, one) => sum + (one.body?.length ?? 0) + 1, 0),
          );
          // Memory comes back with other content.
          if (taken !== undefined && happening.givesBack) lines.giveBack(taken.fill(0).buffer);
        }
      }
    }),
  );
});
