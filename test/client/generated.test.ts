import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedText } from '../../client/generate.ts';

test('the type of an amount says whether it may be blank or finer than a paisa', () => {
  const lines = generatedText()
    .split('\n')
    .map((line) => line.trim());
  for (const line of [
    'readonly availableMargin: Rupees;',
    'readonly triggerPrice?: Rupees;',
    "readonly cfBuyAmt: Rupees | '';",
    "readonly upperCircuit: Rupees | '';",
    "readonly firedPrice: Rupees | '';",
    'readonly gst: FineRupees;',
    'readonly sellAmount: FineRupees;',
    'readonly delta: string;',
  ]) {
    assert.ok(lines.includes(line), line);
  }
  assert.ok(!lines.includes('readonly firedPrice: Rupees;'));
});

test('the types of the client are those of the schemas: npm run generate --workspace client writes them', () => {
  const file = join(import.meta.dirname, '..', '..', 'client', 'src', 'generated', 'operations.ts');
  assert.equal(readFileSync(file, 'utf8'), generatedText());
});
