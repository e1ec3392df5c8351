import assert from 'node:assert/strict';
import test from 'node:test';
import { RandomWeek } from './random-week.ts';

const RUNS = Number(process.env.SAUDA_SETTLEMENT_RUNS ?? 30);

test(`cash, shares, positions and charges of ${RUNS} random weeks are those of a second bookkeeper who knows the rules alone`, () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const run = new RandomWeek(seed);
    try {
      run.play();
    } catch (error) {
      throw new Error(`seed ${seed}, record ${run.world.state.seq}: ${String(error)}`, { cause: error });
    }
    for (const event of run.seen) seen.add(event);
  }
  for (const event of ['CashSettlement', 'Exercise', 'Assignment', 'Lapse', 'PhysicalSettlement', 'CloseOut']) {
    assert.ok(seen.has(event), `${event} happened`);
  }
  for (const event of [
    'PositionConverted',
    'DeliveryUnfunded',
    'SharesSettled',
    'ChargesPosted',
    'ConversionCharged',
  ]) {
    assert.ok(seen.has(event), `${event} happened`);
  }
});
