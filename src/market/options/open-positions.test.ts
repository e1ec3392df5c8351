import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { InstrumentId } from '../../base/ids.ts';
import { istInstant } from '../../base/time.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { calendarHours } from '../session/sessions.ts';
import { civil } from '../synthetic/fixture.ts';
import { SyntheticMarket } from '../synthetic/synthetic-market.ts';
import { crowding } from '../synthetic/trades/crowding.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const instruments = data.master();

function marketOf(seed: number): SyntheticMarket {
  const calendar = calendarHours(data);
  const contractsOn = instruments.contractsOn.bind(instruments);
  return new SyntheticMarket({ seed, regime: 'exchange', instruments, facts: data.facts, calendar, contractsOn });
}

/** Open interest over the limit, by share of NSE. */
function useOf(market: SyntheticMarket, day: ReturnType<typeof civil>): Map<InstrumentId, number> {
  const found = new Map<InstrumentId, number>();
  for (const id of instruments.sharesWithContracts()) {
    if (instruments.get(id)?.exchange !== 'NSE') continue;
    const positions = market.marketWidePositions(id, day);
    assert.ok(positions !== undefined && positions.limit > 0, `${id}`);
    found.set(id, positions.openInterest / positions.limit);
  }
  return found;
}

const DAYS = [civil(2026, 10, 12), civil(2026, 11, 9), civil(2026, 12, 7)];

test('a few of the shares with contracts are beyond their limit on an ordinary day, and not the same ones for ever', () => {
  for (const seed of [1, 2, 3]) {
    const market = marketOf(seed);
    const beyond = DAYS.map((day) => {
      const use = [...useOf(market, day)].sort(([, a], [, b]) => a - b);
      assert.equal(use.length, 208);
      const median = use[104]?.[1] as number;
      assert.ok(median > 0.27 && median < 0.38, `the median share uses ${median} of its limit, a real one 0.35`);
      const tenth = use[187]?.[1] as number;
      assert.ok(tenth > 0.5 && tenth < 0.85, `one share in ten uses more than ${tenth}, of real ones 0.75`);
      return use.filter(([, part]) => part > 0.95).map(([id]) => id);
    });
    assert.ok(
      beyond.every((shares) => shares.length <= 8),
      `seed ${seed}: ${beyond.map(({ length }) => length)}`,
    );
    assert.ok(new Set(beyond.map(String)).size > 1, `seed ${seed}: the same shares every month`);
  }
});

test('open interest on a share counts both exchanges together, and is the sum that quotes show when futures alone count', () => {
  const market = marketOf(1);
  const [day] = DAYS as [(typeof DAYS)[number]];
  const reliance = instruments.find('NSE', 'RELIANCE-EQ', istInstant(day));
  assert.ok(reliance !== undefined);
  const twin = data.facts.twinOf(reliance.id) as InstrumentId;
  const here = market.marketWidePositions(reliance.id, day);
  assert.ok(here !== undefined);
  assert.deepEqual(market.marketWidePositions(twin, day), here);
  const shown = [reliance.id, twin].flatMap((id) =>
    [...instruments.contractsOn(id, istInstant(day))].map((contract) => {
      return { kind: contract.kind, units: market.openInterest(contract.id, market.tickAt(istInstant(day))) };
    }),
  );
  const futures = shown.filter(({ kind }) => kind === 'future').reduce((sum, { units }) => sum + units, 0);
  const all = shown.reduce((sum, { units }) => sum + units, 0);
  assert.ok(here.openInterest > futures && here.openInterest < all, `${futures} < ${here.openInterest} < ${all}`);
  assert.ok(
    futures > 80e6 && futures < 180e6,
    `RELIANCE has ${futures} units of futures open, the near month of a real one 95 million`,
  );
});

test('a market without its contracts, and a share without delivery on record, have no limit', () => {
  const [day] = DAYS as [(typeof DAYS)[number]];
  const without = new SyntheticMarket({
    seed: 1,
    regime: 'exchange',
    instruments,
    facts: data.facts,
    calendar: calendarHours(data),
  });
  const nifty = instruments.find('NSE', 'NIFTY', istInstant(day));
  const reliance = instruments.find('NSE', 'RELIANCE-EQ', istInstant(day));
  assert.ok(nifty !== undefined && reliance !== undefined);
  assert.equal(without.marketWidePositions(reliance.id, day), undefined);
  assert.equal(marketOf(1).marketWidePositions(nifty.id, day), undefined);
});

test('the crowding of a share moves slowly about what is measured of it', () => {
  const first = civil(2026, 1, 1);
  const logarithms: number[] = [];
  for (let seed = 1; seed <= 60; seed += 1) {
    const on = (day: number) => crowding(seed, { delivered: 0.5, openDays: 9.9 }, (first + day) as typeof first);
    for (let day = 0; day < 365; day += 5) {
      logarithms.push(Math.log(on(day)));
      assert.ok(Math.abs(on(day + 1) / on(day) - 1) < 0.06, `seed ${seed} day ${day}`);
    }
  }
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / logarithms.length;
  const deviation = Math.sqrt(logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0) / logarithms.length);
  assert.ok(Math.abs(mean) < 0.05 && Math.abs(deviation - 0.165) < 0.025, `mean ${mean}, deviation ${deviation}`);
});
