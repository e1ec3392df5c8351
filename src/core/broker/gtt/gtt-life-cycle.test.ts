import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvariantError } from '../../../base/assert.ts';
import { GTT_STATUSES } from './gtt.ts';
import { type GttStep, gttStatusAfter, isGttLive } from './gtt-life-cycle.ts';

const STEPS: readonly GttStep[] = ['Modified', 'Triggered', 'Placed', 'Refused', 'Cancelled', 'Expired'];

test('a GTT takes these steps and no others', () => {
  const taken: string[] = [];
  for (const from of GTT_STATUSES) {
    for (const step of STEPS) {
      try {
        taken.push(`${from} ${step} ${gttStatusAfter(from, step)}`);
      } catch (error) {
        assert.ok(error instanceof InvariantError);
      }
    }
  }
  assert.deepEqual(taken, [
    'Active Modified Active',
    'Active Triggered Triggered',
    'Active Cancelled Cancelled',
    'Active Expired Expired',
    'Triggered Placed Fired',
    'Triggered Refused Refused',
    'Triggered Cancelled Cancelled',
  ]);
  assert.deepEqual(GTT_STATUSES.filter(isGttLive), ['Active', 'Triggered']);
});
