import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState } from '../state.ts';
import { dumpState, loadState } from './snapshot.ts';

test('a dump of another version is not loaded', () => {
  const dump = JSON.parse(JSON.stringify(dumpState(emptyState()))) as { version: number };
  assert.deepEqual(dumpState(loadState(dump)), dumpState(emptyState()));
  for (const version of [dump.version - 1, dump.version + 1]) {
    assert.throws(() => loadState({ ...dump, version }), new RegExp(`version ${version} cannot be loaded`));
  }
});
