import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderNumber } from '../../base/ids.ts';
import { type Quantity, quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { AwaitedOutcomes } from './awaited-outcomes.ts';
import { isSetAside, partsOf, unitsToFill } from './order-scenario.ts';
import type { OutcomeDue } from './outcome-events.ts';

const lots = (units: number): Quantity => quantity(units);

test('units are parted into whole lots, the larger parts first, and into fewer parts where there are fewer lots', () => {
  assert.deepEqual(partsOf(10, 3, lots(1)), [4, 3, 3]);
  assert.deepEqual(partsOf(195, 2, lots(65)), [130, 65]);
  assert.deepEqual(partsOf(2, 5, lots(1)), [1, 1]);
  assert.deepEqual(partsOf(0, 5, lots(1)), []);
  for (const fills of [1, 2, 3, 7, 100]) {
    const parts = partsOf(6_500, fills, lots(65));
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      6_500,
    );
    assert.ok(parts.length <= fills && parts.every((part) => part > 0 && part % 65 === 0));
  }
});

test('a part is never more than the order, and a percentage is whole lots, one at least', () => {
  assert.equal(unitsToFill({ fill: lots(4) }, lots(10), lots(1)), 4);
  assert.equal(unitsToFill({ fill: lots(40) }, lots(10), lots(1)), 10);
  assert.equal(unitsToFill({ fillPercent: 50 }, lots(195), lots(65)), 65);
  assert.equal(unitsToFill({ fillPercent: 1 }, lots(130), lots(65)), 65);
  assert.equal(unitsToFill({ fills: 3 }, lots(10), lots(1)), 10);
  assert.equal(unitsToFill({ hold: true }, lots(10), lots(1)), 0);
});

test('an order is set aside for what it must not meet by itself, and for nothing else', () => {
  const aside = [{ fill: lots(1) }, { fillPercent: 5 }, { fills: 1 }, { hold: true }, { lateFill: 0 }] as const;
  for (const scenario of aside) assert.equal(isSetAside(scenario), true, JSON.stringify(scenario));
  const others = [{ reject: 'x' }, { cancelAfter: 1 }, { ackDelay: 1 }, { lostAnswer: true }] as const;
  for (const scenario of others) assert.equal(isSetAside(scenario), false, JSON.stringify(scenario));
});

test('awaited outcomes stand by their instants, then by their orders, and an order ends all of its own', () => {
  const awaited = new AwaitedOutcomes();
  const add = (order: number, outcome: OutcomeDue['outcome'], due: number) =>
    awaited.add({ order: order as OrderNumber, outcome, due: due as EpochMs });
  add(2, 'Cancel', 50);
  add(3, 'Cancel', 10);
  add(1, 'Cancel', 50);
  add(2, 'LateFill', 5);
  const shown = () => Array.from(awaited, ({ order, outcome, due }) => `${order} ${outcome} ${due}`);
  assert.deepEqual(shown(), ['2 LateFill 5', '3 Cancel 10', '1 Cancel 50', '2 Cancel 50']);
  assert.throws(() => add(3, 'Cancel', 99), /awaited once/);
  awaited.drop(3 as OrderNumber, 'LateFill');
  assert.equal(awaited.size, 4);
  awaited.drop(2 as OrderNumber);
  assert.deepEqual(shown(), ['3 Cancel 10', '1 Cancel 50']);
  assert.deepEqual([awaited.first?.order, awaited.of(2 as OrderNumber)], [3, []]);
});
