import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderTerms, parseProtection } from './order-terms.ts';

const LIMIT = { priceType: 'LMT', retention: 'DAY', price: '850.40', quantity: '10' } as const;

test('consistent fields become terms in paise', () => {
  const terms = { priceType: 'LMT', retention: 'DAY', quantity: 10, price: 85_040, trigger: 0 };
  assert.deepEqual(orderTerms(LIMIT), terms);
  const stop = orderTerms({ ...LIMIT, priceType: 'SL-LMT', triggerPrice: '850' });
  assert.deepEqual(stop, { ...terms, priceType: 'SL-LMT', trigger: 85_000 });
});

test('a contradiction names its field: price, then trigger, then retention', () => {
  const field = (change: object) => {
    const found = orderTerms({ ...LIMIT, ...change });
    return 'field' in found ? found.field : 'none';
  };
  assert.equal(field({ price: '0', triggerPrice: '1' }), 'price');
  assert.equal(field({ priceType: 'MKT' }), 'price');
  assert.equal(field({ triggerPrice: '1' }), 'triggerPrice');
  assert.equal(field({ priceType: 'SL-LMT', retention: 'IOC' }), 'triggerPrice');
  assert.equal(field({ priceType: 'SL-LMT', retention: 'IOC', triggerPrice: '850' }), 'retention');
  assert.equal(field({ price: '850.405' }), 'price');
  assert.equal(field({ price: '850.4000' }), 'none');
  assert.equal(field({ retention: 'IOC' }), 'none');
});

test('a protection is read to four decimals of a percent and is never negative', () => {
  assert.equal(parseProtection('1'), 10_000);
  assert.equal(parseProtection('0.5'), 5_000);
  assert.equal(parseProtection('0.0001'), 1);
  assert.equal(parseProtection('0'), 0);
  assert.equal(parseProtection('-0'), 0);
  assert.equal(parseProtection('-1'), undefined);
});
