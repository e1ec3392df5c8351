import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { must } from '../../../base/assert.ts';
import type { IstDay } from '../../../base/time.ts';
import { PER_UNIT } from '../fixed-point.ts';
import { ALL_WORLDS, HELD } from '../worlds.ts';
import { type ContractRisk, NO_RISK } from './contract-risk.ts';
import { ExpiryLadder } from './expiry-ladder.ts';

/** An expiry: its delta, and its rate, both in whole units, so that no charge is rounded. */
const rungs = fc.array(fc.record({ delta: fc.integer({ min: -6, max: 6 }), rate: fc.integer({ min: 1, max: 4 }) }), {
  minLength: 1,
  maxLength: 5,
});
const REACH = 40;

function riskOf(place: number, rate: number, delta: number): ContractRisk {
  return { ...NO_RISK, kind: 'option', expiryDay: (20_000 + place) as IstDay, calendarRate: rate * PER_UNIT, delta };
}

test('the calendar charge bends down nowhere but beside a turn', () => {
  fc.assert(
    fc.property(rungs, fc.nat({ max: 4 }), fc.constantFrom(-2, -1, 1, 3), (drawn, own, delta) => {
      const ladder = new ExpiryLadder(ALL_WORLDS);
      const placed = drawn.map(({ rate }, place) => ladder.rungOf(riskOf(place, rate, 0)));
      for (const [place, { delta: held, rate }] of drawn.entries()) {
        ladder.add(HELD, must(placed[place], 'a rung'), riskOf(place, rate, 1), held * PER_UNIT);
      }
      const rung = must(placed[own % placed.length], 'a rung');
      const charge = (units: number): number => ladder.calendarCharge(HELD, rung, units * delta * PER_UNIT);
      const turns: number[] = [];
      ladder.addTurns(HELD, rung, delta * PER_UNIT, turns);
      assert.ok(turns.length < drawn.length, 'fewer turns than expiries');
      for (let units = -REACH; units <= REACH; units += 1) {
        const bend = charge(units - 1) + charge(units + 1) - 2 * charge(units);
        const isBeside = turns.some((turn) => Math.abs(turn - units) < 1);
        assert.ok(bend >= 0 || isBeside, `bends down at ${units}, turns at ${turns}`);
      }
    }),
    { numRuns: 3_000 },
  );
});
