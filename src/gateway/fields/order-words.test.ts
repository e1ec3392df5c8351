import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price, quantity } from '../../base/money.ts';
import type { OrderStatus, PriceType } from '../../core/order.ts';
import { reasonText, shownPrice } from './order-words.ts';

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

test('an order that would have traded with another of its account says so, whichever of the two ended', () => {
  for (const reason of ['SelfTrade', 'SelfTradeWithDesk'] as const) {
    const text = reasonText(reason, 'AB1234', { kind: 'equity' });
    assert.equal(text, '17080:The order could have resulted in self-trade');
  }
});
