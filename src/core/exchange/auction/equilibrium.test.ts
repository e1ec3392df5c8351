import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Price, Quantity } from '../../../base/money.ts';
import type { AuctionLevel } from '../../market.ts';
import { equilibrium } from './equilibrium.ts';

const BAND = { lower: 8_000 as Price, upper: 12_000 as Price };
const TERMS = { reference: 10_000 as Price, tick: 100 as Price, band: BAND };

/** Levels of `[rupees, units]`. */
function levels(...rows: readonly (readonly [rupees: number, units: number])[]): AuctionLevel[] {
  return rows.map(([rupees, units]) => ({ price: (rupees * 100) as Price, quantity: units as Quantity }));
}

describe('The equilibrium of an auction', () => {
  it('is the price of the worked example with limit orders', () => {
    const buys = levels([105, 14000], [104, 13500], [103, 9500], [102, 9800], [101, 7500], [100, 12500]);
    const sells = levels(
      [98, 5000],
      [99, 7500],
      [100, 9500],
      [101, 12500],
      [102, 8000],
      [103, 9500],
      [104, 6000],
      [105, 8500],
    );
    assert.deepEqual(equilibrium(buys, sells, TERMS), {
      price: 10_200,
      quantity: 42_500,
      demand: 46_800,
      supply: 42_500,
    });
  });

  it('is the price of the worked example with market orders, which count at the edges of the band', () => {
    const buys = levels([120, 200], [101, 500], [100.5, 300], [100, 400]);
    const sells = levels([80, 100], [99.5, 300], [100, 400], [100.5, 200], [101, 600]);
    const found = equilibrium(buys, sells, { ...TERMS, tick: 50 as Price });
    assert.deepEqual(found, { price: 10_050, quantity: 1_000, demand: 1_000, supply: 1_000 });
  });

  it('does not exist when nothing would trade', () => {
    assert.equal(equilibrium(levels([99, 10]), levels([100, 10]), TERMS), undefined);
    assert.equal(equilibrium(levels([99, 10]), [], TERMS), undefined);
    assert.equal(equilibrium([], [], TERMS), undefined);
  });

  it('is the reference when all orders are market orders, or when the reference lies between prices that tie', () => {
    assert.equal(equilibrium(levels([120, 10]), levels([80, 10]), TERMS)?.price, 10_000);
    assert.equal(equilibrium(levels([103, 10]), levels([99, 10]), TERMS)?.price, 10_000);
    assert.equal(equilibrium(levels([105, 10]), levels([102, 10]), TERMS)?.price, 10_200);
    assert.equal(equilibrium(levels([98, 10]), levels([95, 10]), TERMS)?.price, 9_800);
  });

  it('has the smallest imbalance before it is near the reference', () => {
    const buys = levels([103, 100], [100, 50]);
    const sells = levels([100, 100], [103, 50]);
    assert.deepEqual(equilibrium(buys, sells, TERMS), { price: 10_100, quantity: 100, demand: 100, supply: 100 });
  });

  it('is the lower of two prices that are equally near to a reference between ticks', () => {
    const terms = { ...TERMS, reference: 10_050 as Price };
    assert.equal(equilibrium(levels([102, 10]), levels([99, 10]), terms)?.price, 10_000);
  });

  it('lies inside the band', () => {
    const terms = { ...TERMS, band: { lower: 10_300 as Price, upper: 10_900 as Price } };
    assert.equal(equilibrium(levels([105, 10]), levels([99, 10]), terms)?.price, 10_300);
  });
});
