import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedText } from '../../client/generate.ts';

test('the types of the client are those of the schemas: npm run generate --workspace client writes them', () => {
  const file = join(import.meta.dirname, '..', '..', 'client', 'src', 'generated', 'operations.ts');
  assert.equal(readFileSync(file, 'utf8'), generatedText());
});
