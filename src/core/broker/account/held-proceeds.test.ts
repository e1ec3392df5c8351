import assert from 'node:assert/strict';
import test from 'node:test';
import { type Paise, quantity } from '../../../base/money.ts';
import type { Position } from '../../account.ts';
import { heldByFill } from './held-proceeds.ts';

type Sale = Parameters<typeof heldByFill>[2];
type Shares = Parameters<typeof heldByFill>[0];

/** A sale of 10 shares for 1,000 paise, by the row of a day with these purchases and sales before it. */
function sale(bought = 0, sold = 0, gross = false): Sale {
  const row = { dayBuyQuantity: quantity(bought), daySellQuantity: quantity(sold) } as Position;
  return { row, gross, units: quantity(10), amount: 1_000 as Paise };
}

function shares(settled: number, pledged = 0): Shares {
  return { settled, pledged } as Shares;
}

function held(holding: Shares, rows: Parameters<typeof heldByFill>[1], of: Sale, gross: unknown = undefined): number {
  return heldByFill(holding, rows, of, (row) => row === gross);
}

test('the proceeds of shares that are not settled yet are held, to the unit', () => {
  assert.equal(held(undefined, [], sale()), 1_000);
  assert.equal(held(shares(9), [], sale()), 100);
  assert.equal(held(shares(10), [], sale()), 0);
  assert.equal(held(shares(12, 3), [], sale()), 100, 'pledged shares are not for sale');
});

test("held proceeds net shares bought today and shares sold before today's sale", () => {
  assert.equal(held(undefined, [], sale(4)), 600);
  assert.equal(held(undefined, [], sale(4, 3)), 900);
  assert.equal(held(undefined, [], sale(3, 4)), 1_000);
  assert.equal(held(shares(10), [sale(0, 6).row], sale(0, 6)), 600);
  assert.equal(held(shares(10), [sale(2, 6).row], sale()), 400, 'another listing took four');
  assert.equal(
    held(shares(10), [sale(0, 16).row], sale(0, 16)),
    1_000,
    'units sold beyond the holding are not counted twice',
  );
});

test('all proceeds of a trade-for-trade share are held', () => {
  assert.equal(held(shares(10), [], sale(10, 0, true)), 1_000);
});

test('a trade-for-trade listing of the ISIN nets nothing, and takes all that it sold from the shares held', () => {
  const { row } = sale(1, 10);
  assert.equal(held(shares(10), [row], sale()), 900);
  assert.equal(held(shares(10), [row], sale(), row), 1_000);
});
