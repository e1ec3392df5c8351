import assert from 'node:assert/strict';
import test from 'node:test';
import { ORDER_STATUSES, type OrderStatus } from '../../order.ts';
import { isChangeable, isFinal, isLive, ORDER_STEPS, type OrderStep, statusAfter } from './life-cycle.ts';

/** Every pair that may happen, written out; all others must throw. */
const ALLOWED: readonly (readonly [OrderStatus, OrderStep, OrderStatus])[] = [
  ['Pending', 'Rejected', 'Rejected'],
  ['Pending', 'Acknowledged', 'Open'],
  ['Pending', 'AcknowledgedAsStop', 'TriggerPending'],
  ['Pending', 'TakenForLater', 'AfterMarket'],
  ['AfterMarket', 'Replaced', 'AfterMarket'],
  ['AfterMarket', 'Released', 'Pending'],
  ['AfterMarket', 'Cancelled', 'Cancelled'],
  ['Open', 'Armed', 'TriggerPending'],
  ['Open', 'PartFilled', 'Open'],
  ['Open', 'Filled', 'Complete'],
  ['Open', 'Replaced', 'Open'],
  ['Open', 'ReplacedAsLimit', 'Open'],
  ['Open', 'Cancelled', 'Cancelled'],
  ['TriggerPending', 'Armed', 'TriggerPending'],
  ['TriggerPending', 'Triggered', 'Open'],
  ['TriggerPending', 'Replaced', 'TriggerPending'],
  ['TriggerPending', 'ReplacedAsLimit', 'Open'],
  ['TriggerPending', 'Cancelled', 'Cancelled'],
];

test('each status takes the steps of the table and no other', () => {
  for (const status of ORDER_STATUSES) {
    for (const step of ORDER_STEPS) {
      const row = ALLOWED.find(([from, by]) => from === status && by === step);
      if (row === undefined) assert.throws(() => statusAfter(status, step), /cannot be/, `${status} ${step}`);
      else assert.equal(statusAfter(status, step), row[2], `${status} ${step}`);
    }
  }
});

test('nothing follows a final status, and a stop never trades before its trigger', () => {
  for (const status of ORDER_STATUSES.filter(isFinal)) {
    for (const step of ORDER_STEPS) assert.throws(() => statusAfter(status, step), /cannot be/);
  }
  assert.throws(() => statusAfter('TriggerPending', 'PartFilled'), /cannot be/);
  assert.throws(() => statusAfter('TriggerPending', 'Filled'), /cannot be/);
  assert.deepEqual(ORDER_STATUSES.filter(isLive), ['Open', 'TriggerPending']);
  assert.deepEqual(ORDER_STATUSES.filter(isChangeable), ['AfterMarket', 'Open', 'TriggerPending']);
});
