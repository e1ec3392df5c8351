import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvariantError } from '../../base/assert.ts';
import type { RunningEngine } from '../../engine/start-engine.ts';
import { laterEngine } from './later-engine.ts';

test('an engine that is made later is asked as itself, and not before it is made', () => {
  let made: RunningEngine | undefined;
  const recovered = {} as RunningEngine['recovered'];
  const later = laterEngine(recovered, () => made);
  const { engine } = later;
  assert.equal(later.recovered, recovered);
  assert.throws(() => engine.now(), InvariantError);
  assert.throws(() => later.head(), InvariantError);
  const own = {
    at: 7,
    feed: 'the feed',
    now() {
      return this.at;
    },
  };
  made = { engine: own, head: () => ({ seq: 3 }) } as unknown as RunningEngine;
  assert.equal(engine.now(), 7);
  assert.equal(engine.feed, 'the feed');
  assert.equal(later.head().seq, 3);
});
