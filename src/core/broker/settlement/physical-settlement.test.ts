import assert from 'node:assert/strict';
import test from 'node:test';
import { price, quantity } from '../../../base/money.ts';
import type { Derivative } from '../../instrument.ts';
import type { Side } from '../../order.ts';
import { deliveryOf, intrinsicValue, netOf } from './physical-settlement.ts';

const contract = (kind: 'CE' | 'PE' | 'F', strike = 1_240_00): Derivative => {
  const words = kind === 'F' ? { kind: 'future' } : { kind: 'option', optionType: kind, strike: price(strike) };
  return words as Derivative;
};
const LOT = quantity(500);
const SPOT = price(1_260_00);

test('delivery by contract and side at a close of 1260.00: the table of R7.2', () => {
  const cases: [Derivative, Side, [Side, number] | undefined][] = [
    [contract('F'), 'B', ['B', 1_260_00]],
    [contract('F'), 'S', ['S', 1_260_00]],
    [contract('CE'), 'B', ['B', 1_240_00]],
    [contract('CE'), 'S', ['S', 1_240_00]],
    [contract('PE', 1_300_00), 'B', ['S', 1_300_00]],
    [contract('PE', 1_300_00), 'S', ['B', 1_300_00]],
    [contract('PE'), 'B', undefined],
    [contract('PE'), 'S', undefined],
    [contract('CE', 1_300_00), 'B', undefined],
    [contract('CE', 1_260_00), 'B', undefined],
  ];
  for (const [one, side, expected] of cases) {
    const leg = deliveryOf(one, SPOT, side, LOT);
    assert.deepEqual(leg && [leg.side, leg.price], expected, JSON.stringify([one, side]));
  }
});

test('an option is worth the amount that it is in the money; a future is worth nothing beyond its marks', () => {
  const worth = [contract('CE'), contract('PE'), contract('PE', 1_300_00), contract('F')];
  assert.deepEqual(
    worth.map((one) => intrinsicValue(one, SPOT)),
    [20_00, 0, 40_00, 0],
  );
});

test('legs of one underlying net to shares and money, as in R7.3', () => {
  const leg = (side: Side, at: number, units = 500) => ({ side, units: quantity(units), price: price(at) });
  assert.deepEqual(netOf([leg('B', 1_240_00)]), { shares: 500, pays: 620_000_00 });
  assert.deepEqual(netOf([leg('B', 1_240_00), leg('S', 1_250_00)]), { shares: 0, pays: -5_000_00 });
  assert.deepEqual(netOf([leg('B', 1_240_00), leg('S', 1_260_00, 1_000)]), { shares: -500, pays: -640_000_00 });
  assert.deepEqual(netOf([]), { shares: 0, pays: 0 });
});
