import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from './openapi.ts';

test('every reference of the document leads somewhere and every operation has a name of its own', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument('on')));
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

test('a key against placing twice is a header of the operations that place orders, and slices are answers where they are turned on', () => {
  for (const slicing of ['on', 'off'] as const) {
    const { paths } = JSON.parse(JSON.stringify(openApiDocument(slicing)));
    const withKey = Object.keys(paths).filter((path) => paths[path].post?.parameters !== undefined);
    assert.deepEqual(withKey.sort(), [
      '/basketOrder',
      '/placeAMO',
      '/placeAfterMarketOrder',
      '/placeGttOrder',
      '/placeOrder',
    ]);
    assert.equal(paths['/placeOrder'].post.parameters[0].name, 'Idempotency-Key');
    const { data } = paths['/placeOrder'].post.responses[200].content['application/json'].schema.properties;
    assert.equal('anyOf' in data, slicing === 'on');
  }
});

test('every pattern of the document is one that validators of other languages can read', () => {
  const patterns: string[] = [];
  JSON.stringify(openApiDocument('on'), (key, value) => {
    if (key === 'pattern') patterns.push(value);
    return value;
  });
  assert.ok(patterns.length > 10);
  for (const pattern of patterns) assert.doesNotMatch(pattern, /\\u|\(\?[=!<]/, pattern);
});
