import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price, quantity } from '../base/money.ts';
import type { OrderStatus, PriceType } from '../core/order.ts';
import { shownPrice } from './order-words.ts';

test('a refused market order never had a price, every other order shows its own', () => {
  const shown = (priceType: PriceType, status: OrderStatus) =>
    shownPrice(
      { priceType, retention: 'DAY', quantity: quantity(1), price: price(1_234_05), trigger: price(0) },
      status,
    );
  for (const type of ['MKT', 'SL-MKT'] as const) {
    assert.equal(shown(type, 'Rejected'), '0.00');
    assert.equal(shown(type, 'Complete'), '1234.05');
  }
  for (const type of ['LMT', 'SL-LMT'] as const) {
    assert.equal(shown(type, 'Rejected'), '1234.05');
    assert.equal(shown(type, 'Complete'), '1234.05');
  }
});
