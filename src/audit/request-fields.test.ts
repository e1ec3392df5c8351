import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderFields } from './request-fields.ts';

test('a line notes order numbers of 14 and of 16 digits', () => {
  for (const orderNumber of ['26112100000001', '2611210000000001']) {
    assert.equal(orderFields({ orderNumber }), `,"what":{"orderNumber":"${orderNumber}"}`);
  }
});

test('a line leaves out a field that does not look as its kind does: it may be a secret', () => {
  const body = { orderNumber: '26112100000000001', price: '1e5', product: 'S3cret!', jKey: 'token', quantity: '10' };
  assert.equal(orderFields(body), ',"what":{"quantity":"10"}');
});
