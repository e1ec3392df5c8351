import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OrderStage } from '../../kit/wire/order-stage.ts';

/*
 * The outcomes that orders ask for by their remarks, as docs/outcomes.md has them: the acts of each part are carried
 * out, and every answer, frame and row that comes of them is compared, in its order.
 */

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'outcomes.md'), 'utf8');
const HEADING = '## The outcomes of remarks, step by step';
const [, PART = ''] = PAGE.split(HEADING);
const OUTCOMES = Array.from(
  (PART.split(/^## /m)[0] ?? '').matchAll(/^### (.+)\n\n```text\n([\s\S]*?)```$/gm),
  ([, title = '', body = '']) => ({ title, lines: body.trimEnd().split('\n') }),
);

test('the page has at least twenty outcomes of remarks', () => {
  assert.ok(OUTCOMES.length >= 20, String(OUTCOMES.length));
});

for (const { title, lines } of OUTCOMES) {
  test(`outcome: ${title}`, async () => {
    const stage = await OrderStage.open();
    const seen: string[] = [];
    try {
      for (const line of lines.filter((one) => one.startsWith('> '))) {
        seen.push(line, ...(await stage.act(line.slice(2))));
      }
    } finally {
      await stage.close();
    }
    assert.deepEqual(seen, lines);
  });
}

test('where outcomes cannot be asked for, remarks that begin with sim: are ordinary remarks', async () => {
  const stage = await OrderStage.open('off');
  const lines = [...(await stage.act('placeOrder B 10 LMT 7.20 sim:hold')), ...(await stage.act('wait 1000'))];
  assert.equal(lines.at(-1), 'orderBook A COMPLETE 10 of 10 at 7.15');
  assert.ok((await stage.act('placeOrder B 10 LMT 7.00 sim:nonsense')).includes('orderBook B OPEN 0 of 10'));
  await stage.close();
});
