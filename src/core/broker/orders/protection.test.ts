import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RULES } from '../../../../test/kit/rules.ts';
import type { Tick } from '../../../base/ids.ts';
import { price } from '../../../base/money.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { Side } from '../../order.ts';
import { clampToBand, protectedPrice, slabProtection, stopLimit } from './protection.ts';

const WIDTHS = RULES.guards.at(0 as Tick);

function protect(side: Side, reference: number, percent: number, tick: number): number {
  return protectedPrice(side, price(reference), Math.round(percent * 10_000), price(tick));
}

test('the worked prices of market-rules R3.8 come out to the paisa', () => {
  assert.equal(protect('B', 85_040, 1, 5), 85_890);
  assert.equal(protect('S', 85_040, 1, 5), 84_190);
  assert.equal(protect('B', 12_055, 2, 5), 12_295);
  assert.equal(protect('S', 705, 2, 1), 691);
  assert.equal(protect('B', 2_383_370, 0.5, 10), 2_395_280);
  assert.equal(protect('S', 415, 5, 5), 395);
});

test('a protected price is exact, on the tick, and never beyond the protection', () => {
  const terms = fc.record({
    reference: fc.integer({ min: 1, max: 10_000_000_00 }),
    protection: fc.oneof(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 20 }).map((p) => p * 10_000),
    ),
    tick: fc.constantFrom(1, 5, 10, 100),
  });
  const exact = (side: Side, reference: number, protection: number, tick: number): number => {
    const unit = 1_000_000n * BigInt(tick);
    if (side === 'B') return Number((BigInt(reference) * BigInt(1_000_000 + protection)) / unit) * tick;
    return Number((BigInt(reference) * BigInt(1_000_000 - protection) + unit - 1n) / unit) * tick;
  };
  fc.assert(
    fc.property(terms, ({ reference, protection, tick }) => {
      const onTick = Math.max(tick, reference - (reference % tick));
      for (const side of ['B', 'S'] as const) {
        const limit = protectedPrice(side, price(onTick), protection, price(tick));
        assert.equal(limit, exact(side, onTick, protection, tick));
      }
    }),
    { numRuns: 2_000 },
  );
  assert.equal(protect('S', 1, 99.9999, 1), 1, 'a paisa less almost all of it is still worth a tick');
  assert.equal(protect('S', 100_00, 1, 5), 99_00, 'a price on the tick stays where it is');
  assert.equal(protect('B', 100_00, 250, 5), 200_00, 'a protection is 100 % at most');
});

test('the slabs of R3.8 end strictly below their boundaries', () => {
  const slab = (kind: InstrumentKind, reference: number) => slabProtection(WIDTHS, kind, price(reference)) / 10_000;
  assert.deepEqual(
    [slab('equity', 99_99), slab('equity', 100_00), slab('future', 499_99), slab('equity', 500_00)],
    [2, 1, 1, 0.5],
  );
  assert.deepEqual(
    [slab('option', 9_99), slab('option', 10_00), slab('option', 99_99), slab('option', 100_00)],
    [5, 3, 3, 2],
  );
  assert.deepEqual([slab('option', 499_99), slab('option', 500_00)], [2, 1]);
});

test('a stop without a limit gets one from its trigger, within the gap of R1.48', () => {
  const option = { kind: 'option', tick: price(5) } as const;
  const share = { kind: 'equity', tick: price(5) } as const;
  assert.equal(stopLimit(WIDTHS, 'B', price(18_000), 20_000, option), 18_360);
  assert.equal(stopLimit(WIDTHS, 'B', price(18_000), 500_000, option), 21_600);
  assert.equal(stopLimit(WIDTHS, 'S', price(18_000), 500_000, option), 14_400);
  assert.equal(stopLimit(WIDTHS, 'B', price(3_000), 900_000, option), 4_000);
  assert.equal(stopLimit(WIDTHS, 'B', price(85_000), 100_000, share), 87_550);
  assert.equal(stopLimit(WIDTHS, 'S', price(4_000), 100_000, share), 3_850);
});

test('a protected price stays inside the band and is one tick at least', () => {
  const band = { lower: price(90_00), upper: price(110_00) };
  assert.equal(clampToBand(price(120_00), band, price(5)), 110_00);
  assert.equal(clampToBand(price(80_00), band, price(5)), 90_00);
  assert.equal(clampToBand(price(0), { lower: price(0), upper: price(100) }, price(5)), 5);
});
