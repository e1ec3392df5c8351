import assert from 'node:assert/strict';
import test from 'node:test';
import type { Event } from '../../event.ts';
import { Floor } from '../book/floor-fixture.ts';
import type { Phase } from '../phase.ts';

function phasesMet({ events }: Floor): Phase[] {
  return events.flatMap((event) => (event.type === 'PhaseMet' ? [event.phase] : []));
}

/** The orders that ended, with their reasons. */
function ended({ events }: Floor): string[] {
  const cancelled = events.filter((event): event is Extract<Event, { type: 'OrderCancelled' }> => {
    return event.type === 'OrderCancelled';
  });
  return cancelled.map(({ order, reason }) => `${order - 26_112_100_000_000} ${reason}`);
}

/** A bid, an offer and two stops: the orders 1 to 4. */
function continuous(): Floor {
  const floor = new Floor();
  floor.place(1, 'B', 95, 10);
  floor.place(2, 'S', 105, 10);
  floor.place(3, 'B', 110, 10, { trigger: 108 as never });
  floor.place(4, 'S', 90, 10, { trigger: 92 as never });
  return floor;
}

test('stops end with continuous trading, and limit orders go on', () => {
  const floor = continuous();
  floor.meet('ClosingReference');
  assert.deepEqual(phasesMet(floor), ['ClosingReference']);
  assert.deepEqual(ended(floor), ['3 SessionEnd', '4 SessionEnd']);
  assert.deepEqual([floor.book.hasStops(), floor.book.hasResting()], [false, true]);
});

test('the end of trading ends every order at once, whatever phases were missed', () => {
  for (const phase of ['Closed', 'PostClose'] as const) {
    const floor = continuous();
    floor.meet(phase);
    assert.deepEqual(phasesMet(floor), [phase]);
    assert.deepEqual(ended(floor).sort(), ['1 SessionEnd', '2 SessionEnd', '3 SessionEnd', '4 SessionEnd']);
    assert.equal(floor.book.hasInterest(), false);
  }
});

test('a single order that gathered meets each milestone on its way', () => {
  const floor = new Floor();
  floor.meet('PreOpen');
  floor.place(1, 'B', 95, 10);
  floor.meet('Continuous');
  assert.deepEqual(phasesMet(floor), ['PreOpenMatching', 'Continuous']);
  assert.deepEqual(ended(floor), []);
  floor.meet('ClosingLimitOnly');
  assert.deepEqual(phasesMet(floor), ['ClosingReference', 'ClosingEntry', 'ClosingLimitOnly']);
  floor.meet('Closed');
  assert.deepEqual(phasesMet(floor), ['Closed']);
  assert.deepEqual(ended(floor), ['1 SessionEnd']);
});

test('a closing auction begins without the orders outside its band', () => {
  const floor = continuous();
  floor.band = { lower: 90 as never, upper: 104 as never };
  floor.meet('ClosingEntry');
  assert.deepEqual(ended(floor), ['3 SessionEnd', '4 SessionEnd', '2 OutsideBand']);
});

test('an armed stop meets the phases too, and a book without orders only the present one', () => {
  const stop = new Floor();
  stop.place(3, 'B', 110, 10, { trigger: 108 as never });
  stop.meet('ClosingEntry');
  assert.deepEqual(phasesMet(stop), ['ClosingReference', 'ClosingEntry']);
  const empty = new Floor();
  empty.meet('ClosingMatching');
  assert.deepEqual(phasesMet(empty), ['ClosingMatching']);
  empty.meet('ClosingMatching');
  assert.deepEqual(empty.events, []);
});

test('an auction that is stopped, or whose time has passed, is not made up for', () => {
  for (const missed of [true, false]) {
    const floor = new Floor();
    floor.meet('ClosingEntry');
    floor.place(1, 'B', 101, 10);
    floor.place(2, 'S', 99, 10);
    floor.stopped = !missed;
    floor.meet(missed ? 'PostClose' : 'ClosingMatching');
    assert.deepEqual(floor.trades(), []);
    assert.deepEqual(ended(floor), missed ? ['1 SessionEnd', '2 SessionEnd'] : ['1 AuctionEnd', '2 AuctionEnd']);
  }
});
