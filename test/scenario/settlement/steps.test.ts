import assert from 'node:assert/strict';
import test from 'node:test';
import type { IstDay } from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { DAY_END_STEPS } from '../../../src/core/broker/settlement/day-end-steps.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import { NIFTY, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { CRORE, Day } from '../../kit/settlement/day.ts';
import { NIFTY_24000_CALL, RELIANCE_1240_CALL, RELIANCE_1250_CALL } from '../../kit/settlement/expiring.ts';
import { reloaded } from '../../kit/stored-state.ts';

/**
 * An expiry day with something for every step: open orders, an intraday short, deliveries, unsettled shares that are
 * sold, futures, contracts that expire.
 */
function expiryDay(): Day {
  const day = Day.charged();
  const { world } = day;
  const [one, two] = ['AB1234', 'CD1234'].map((name) => world.user(name, CRORE));
  assert.ok(one !== undefined && two !== undefined);
  world.give(two, RELIANCE.id, 700, 700_000_00);
  day.quote(NIFTY.id, 24_100);
  day.quote(RELIANCE.id, 1_250);
  day.quote(NIFTY_FUTURE.id, 24_200);
  day.quote(NIFTY_24000_CALL.id, 200);
  day.quote(RELIANCE_1240_CALL.id, 25);
  day.quote(RELIANCE_1250_CALL.id, 20);
  day.trade({ by: one, of: RELIANCE.id, side: 'B', units: 30, at: 1_250_00, product: 'C' });
  day.trade({ by: one, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  day.next();
  day.trade({ by: one, of: NIFTY_24000_CALL.id, side: 'B', units: 65, at: 200_00 });
  day.trade({ by: two, of: RELIANCE_1250_CALL.id, side: 'S', units: 500, at: 20_00 });
  day.trade({ by: two, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 24_200_00 });
  day.trade({ by: two, of: RELIANCE.id, side: 'S', units: 100, at: 1_250_00, product: 'C' });
  day.trade({ by: one, of: RELIANCE.id, side: 'S', units: 10, at: 1_250_00, product: 'C' });
  day.trade({ by: one, of: RELIANCE.id, side: 'S', units: 50, at: 1_250_00, product: 'I' });
  day.trade({ by: two, of: NIFTY_FUTURE.id, side: 'B', units: 130, at: 24_200_00, product: 'I' });
  world.place({ by: one, of: RELIANCE.id, side: 'B', units: 10, at: 1_200_00, product: 'C' });
  day.quote(RELIANCE.id, 1_260);
  day.quote(NIFTY_FUTURE.id, 24_260);
  return day;
}

test('every step does its part once: the same command again does nothing, and none comes before its turn', () => {
  const day = expiryDay();
  const { world } = day;
  for (const [index, step] of DAY_END_STEPS.entries()) {
    for (const later of DAY_END_STEPS.slice(index + 1)) {
      assert.deepEqual(day.step(later), [], `${later} waits for ${step}`);
    }
    const events = day.step(step);
    assert.ok(events.length > 1, `${step} had something to do`);
    const hash = stateHash(world.state);
    for (const earlier of DAY_END_STEPS.slice(0, index + 1)) {
      assert.deepEqual(day.step(earlier), [], `${earlier} is done`);
      assert.deepEqual(
        world.submit({ type: 'EndDay', day: (world.state.day - 1) as IstDay, step: earlier }).events,
        [],
      );
    }
    assert.equal(stateHash(world.state), hash);
  }
  world.nextDay();
  day.check();
});

test('a day does not begin before the one before it has ended', () => {
  const day = expiryDay();
  const next = (day.world.state.day + 1) as IstDay;
  assert.throws(() => day.world.submit({ type: 'RollDay', day: next }), /when the one before has ended/);
});

test('a process that dies between any two steps comes back to the same state and goes on to the same end', () => {
  const whole = expiryDay();
  whole.next();
  const end = stateHash(whole.world.state);
  for (let done = 0; done <= DAY_END_STEPS.length; done += 1) {
    const day = expiryDay();
    for (const step of DAY_END_STEPS.slice(0, done)) day.step(step);
    const live = day.world.state;
    const replayed = emptyState();
    for (const record of day.world.records) applyRecord(replayed, record);
    assert.equal(stateHash(replayed), stateHash(live), `replay after ${done} steps`);
    const loaded = reloaded(live);
    assert.equal(stateHash(loaded), stateHash(live), `snapshot after ${done} steps`);
    for (const state of [replayed, loaded]) {
      day.world.state = state;
      day.world.at = live.at;
      day.world.nextDay();
      assert.equal(stateHash(day.world.state), end, `the end after ${done} steps`);
    }
  }
});

test('the order of the records is that of R7.5', () => {
  const day = expiryDay();
  day.next();
  const steps = day.world.records.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'DayEndReached' ? [event.step] : [])),
  );
  assert.deepEqual(steps, [...DAY_END_STEPS, ...DAY_END_STEPS]);
});
