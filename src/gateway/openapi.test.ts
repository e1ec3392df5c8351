import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from './openapi.ts';

test('every reference of the document leads somewhere and every operation has a name of its own', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const names: string[] = [];
  for (const methods of Object.values(document.paths) as Record<string, { operationId: string }>[]) {
    for (const { operationId } of Object.values(methods)) names.push(operationId);
  }
  assert.equal(new Set(names).size, names.length);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  assert.ok(references.length > 0);
  for (const [, path = ''] of references) {
    const target = path.split('/').reduce((inside, key) => inside?.[key], document);
    assert.ok(target, path);
  }
});

test('every pattern of the document is one that validators of other languages can read', () => {
  const patterns: string[] = [];
  JSON.stringify(openApiDocument(), (key, value) => {
    if (key === 'pattern') patterns.push(value);
    return value;
  });
  assert.ok(patterns.length > 10);
  for (const pattern of patterns) assert.doesNotMatch(pattern, /\\u|\(\?[=!<]/, pattern);
});
