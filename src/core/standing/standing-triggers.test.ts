import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import { type StandingTrigger, wayTo } from './standing-trigger.ts';
import { StandingTriggers } from './standing-triggers.ts';

const ITC = 4 as InstrumentId;
const SBI = 8 as InstrumentId;

function trigger(number: number, price: number, last = 100, instrument = ITC): StandingTrigger {
  const way = wayTo(price as Price, last as Price);
  assert.ok(way);
  return { owner: 'Gtt', number, leg: 0, instrument, way, price: price as Price };
}

function reach(lowest: number, highest: number) {
  return { lowest, highest, until: 9 as Tick };
}

test('a last price reaches the triggers up to it, those that come first in front, and at one price by number', () => {
  const standing = new StandingTriggers();
  for (const one of [trigger(3, 105), trigger(2, 103), trigger(1, 105), trigger(4, 95), trigger(5, 110)]) {
    standing.arm(one);
  }
  const reached = (last: number) => standing.reachedBy(ITC, last as Price).map(({ number }) => number);
  assert.deepEqual([reached(100), reached(103), reached(105), reached(120)], [[], [2], [2, 1, 3], [2, 1, 3, 5]]);
  assert.deepEqual([reached(95), reached(96)], [[4], []]);
  assert.deepEqual(standing.reachedBy(SBI, 105 as Price), []);
});

test('a range of prices is reached when it comes to a trigger, and by the last trade of the users too', () => {
  const standing = new StandingTriggers();
  standing.arm(trigger(1, 105));
  standing.arm(trigger(2, 95));
  const isReached = (lowest: number, highest: number, own?: number) =>
    standing.isReached(ITC, reach(lowest, highest), own as Price | undefined);
  assert.deepEqual([isReached(96, 104), isReached(96, 105), isReached(95, 104)], [false, true, true]);
  assert.deepEqual([isReached(96, 104, 105), isReached(96, 104, 95), isReached(96, 104, 100)], [true, true, false]);
  assert.equal(standing.isReached(SBI, reach(0, 1_000), undefined), false);
});

test('an instrument is known while anything waits for its price', () => {
  const standing = new StandingTriggers();
  const [one, other] = [trigger(1, 105), trigger(2, 205, 100, SBI)];
  standing.arm(one);
  standing.arm(other);
  assert.deepEqual([...standing.instruments()], [ITC, SBI]);
  standing.disarm({ ...one });
  assert.deepEqual([[...standing.instruments()], standing.has(ITC), standing.isArmed(one)], [[SBI], false, false]);
  assert.throws(() => standing.disarm(one), /only an armed trigger/);
  assert.throws(() => standing.arm({ ...other }), /armed once/);
  assert.deepEqual([...standing.all()], [other]);
});

test('instruments come by their ids, however they were armed, also those that come while they are asked for', () => {
  const standing = new StandingTriggers();
  const on = (id: number): StandingTrigger => trigger(id, 105, 100, id as InstrumentId);
  for (const id of [8, 2, 6, 4]) standing.arm(on(id));
  standing.disarm(on(2));
  standing.arm(on(2));
  assert.deepEqual([...standing.instruments()], [2, 4, 6, 8]);
  const seen: number[] = [];
  for (const id of standing.instruments()) {
    seen.push(id);
    if (id !== 4) continue;
    for (const gone of [2, 4, 6]) standing.disarm(on(gone));
    for (const more of [1, 7]) standing.arm(on(more));
  }
  assert.deepEqual(seen, [2, 4, 7, 8]);
  assert.deepEqual(
    Array.from(standing.all(), ({ instrument }) => instrument),
    [1, 7, 8],
  );
});

test('it agrees with a plain list of triggers under random arming and disarming', () => {
  const seed = 19;
  const random = new Random(seed);
  const standing = new StandingTriggers();
  const plain: StandingTrigger[] = [];
  for (let number = 1; number <= 2_000; number += 1) {
    if (plain.length > 0 && random.chance(45)) {
      const [gone] = plain.splice(random.below(plain.length), 1);
      if (gone) standing.disarm(gone);
    } else {
      const price = random.between(80, 120);
      const added = trigger(number, price === 100 ? 99 : price, 100, random.pick([ITC, SBI]));
      plain.push(added);
      standing.arm(added);
    }
    const last = random.between(75, 125) as Price;
    const expected = plain
      .filter(({ instrument, way, price }) => instrument === ITC && (way === 'Rising' ? price <= last : price >= last))
      .sort((a, b) => Math.abs(a.price - 100) - Math.abs(b.price - 100) || a.number - b.number);
    assert.deepEqual(standing.reachedBy(ITC, last), expected, `seed ${seed}, step ${number}`);
    assert.equal(standing.isReached(ITC, reach(last, last), undefined), expected.length > 0, `seed ${seed}`);
  }
});
