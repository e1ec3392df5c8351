import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ceilToTick, floorToTick, price } from '../../../src/base/money.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { type ShareBandPercent, shareBandOn } from '../../../src/core/exchange/guards/share-band.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import { ExchangeHours } from '../../kit/exchange/exchange-hours.ts';
import { reloaded, storedParts } from '../../kit/stored-state.ts';

const [FRIDAY, MONDAY, WEDNESDAY] = ['2026-11-20', '2026-11-23', '2026-11-25'];
const GROUNDS = { by: 'asha', why: 'surveillance' } as const;

function opened() {
  const hours = new ExchangeHours(FRIDAY ?? '');
  hours.passTo(FRIDAY ?? '', '10:00');
  const small = hours.instrument('small share');
  const set = (percent: ShareBandPercent, instrument = small.id) =>
    hours.world.submit({ type: 'SetShareBand', instrument, percent, ...GROUNDS });
  const band = () => hours.market.band(small.id, hours.market.tickAt(hours.world.at));
  /** The edges of a percentage of the previous close, rounded inwards. */
  const edges = (percent: number) => {
    const close = hours.market.previousClose(small.id, hours.market.tickAt(hours.world.at));
    return {
      lower: ceilToTick((close * (100 - percent)) / 100, small.tick),
      upper: floorToTick((close * (100 + percent)) / 100, small.tick),
    };
  };
  return { hours, world: hours.world, small, set, band, edges };
}

test('a share has 20 % until an operator sets another band, which holds from the next trading day on', () => {
  const { hours, world, small, set, band, edges } = opened();
  assert.deepEqual(band(), edges(20));
  assert.equal(set(5).events.length, 1);
  assert.deepEqual(band(), edges(20), 'what rests today stays inside');
  assert.equal(set(5).events.length, 0, 'it is so already');
  hours.passTo(MONDAY ?? '', '09:20');
  const { lower, upper } = edges(5);
  const { lower: low, upper: high } = band();
  assert.ok(
    low <= lower && high >= upper && high < edges(10).upper,
    'at most a step wider, where the market is beyond',
  );
  assert.equal(hours.outcome(hours.place(small, 'LMT', { price: low })), 'taken');
  assert.match(
    hours.outcome(hours.place(small, 'LMT', { price: price(low - small.tick) })),
    /^RED:RULE:\{Check circuit limit including square off order\}/,
  );
  checkInvariants(world.state, hours.ports);
});

test('a band that was set again replaces the one to come, and the last of all stays', () => {
  const { hours, world, small, set, band, edges } = opened();
  set(2);
  set(10);
  hours.passTo(MONDAY ?? '', '08:00');
  assert.deepEqual(band(), edges(10));
  set(5);
  assert.equal(shareBandOn(world.state.shareBands, small.id, world.state.day), 10);
  set(20);
  hours.passTo(WEDNESDAY ?? '', '08:00');
  assert.deepEqual(band(), edges(20), '24 November is a holiday');
  assert.ok(world.state.shareBands.length <= 2, 'what is over is forgotten');
});

test('an instrument whose band slides, and one that is not a share, has no fixed band', () => {
  const { hours, set } = opened();
  for (const role of ['share', 'future', 'option'] as const) {
    const { reply } = set(5, hours.instrument(role).id);
    assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'BandNotFixed', role);
  }
});

test('a band is in the records, in a dump, and of an other share nothing changes', () => {
  const { world, set } = opened();
  const before = JSON.stringify(storedParts(world.state));
  assert.ok(!before.includes('shareBands'), 'a dump without any is as it was before there were some');
  set(2);
  const loaded = reloaded(world.state);
  assert.equal(stateHash(loaded), stateHash(world.state));
  const folded = emptyState();
  for (const record of world.records) applyRecord(folded, record);
  assert.equal(stateHash(folded), stateHash(world.state));
});
