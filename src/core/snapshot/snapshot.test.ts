import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloaded, stateFrom, storedParts } from '../../../test/kit/stored-state.ts';
import { linesOf } from '../../base/stored-tables.ts';
import { emptyState } from '../state.ts';
import { dumpHead, stateTables } from './snapshot.ts';

test('a snapshot of another version is not loaded', () => {
  assert.deepEqual(storedParts(reloaded(emptyState())), storedParts(emptyState()));
  const lines = [...linesOf(stateTables(emptyState()))];
  const head = dumpHead(emptyState()) as { version: number };
  for (const version of [head.version - 1, head.version + 1]) {
    const others = lines.with(1, JSON.stringify({ ...head, version }));
    assert.throws(() => stateFrom(others), new RegExp(`version ${version} cannot be loaded`));
  }
});
