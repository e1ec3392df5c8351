import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ORDER_CHECKS } from '../../src/core/broker/orders/admission.ts';

test('the checks of admission are documented in their order, with their rules', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/admission.md'), 'utf8');
  const rows = Array.from(text.matchAll(/^\| (\d+) \| ([^|]+) \| (R[\d.]+) \|/gm), ([, place, name, source]) => {
    return { place: Number(place), name, source };
  });
  const asked = ORDER_CHECKS.map(({ name, source }, index) => ({ place: index + 1, name, source }));
  assert.deepEqual(rows, asked);
  const spared = asked.filter((_, index) => ORDER_CHECKS[index]?.clientsOnly).map(({ place }) => place);
  assert.deepEqual(spared, [2, 4, 18, 19, 20, 21, 23, 24, 25, 27]);
  assert.match(text, /^Checks 2, 4, 18 to 21, 23 to 25 and 27 are not asked/m);
});
