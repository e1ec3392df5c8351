import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EnginePort, Unavailable } from '../../engine/port.ts';
import { LeasedEngine } from './leased-engine.ts';

function engineThat(reads: () => unknown): EnginePort {
  return { now: () => 7, submit: async () => ({}), read: reads, glance: reads } as unknown as EnginePort;
}

test('a question is answered under the lease, and refused when it has run out', () => {
  let holds = true;
  const engine = new LeasedEngine(
    engineThat(() => 'state'),
    () => holds,
  );
  assert.equal(
    engine.read(() => ''),
    'state',
  );
  holds = false;
  assert.throws(() => engine.read(() => ''), Unavailable);
});

test('an answer that waits is refused when the lease runs out meanwhile', async () => {
  let holds = true;
  const { promise, resolve } = Promise.withResolvers<string>();
  const engine = new LeasedEngine(
    engineThat(() => promise),
    () => holds,
  );
  const late = engine.read(() => '');
  holds = false;
  resolve('state');
  await assert.rejects(Promise.resolve(late), Unavailable);
});

test('commands go through without the lease: the lane alone decides about them', async () => {
  const engine = new LeasedEngine(
    engineThat(() => 'state'),
    () => false,
  );
  assert.deepEqual(await engine.submit({} as never), {});
  assert.equal(
    engine.glance(() => ''),
    'state',
  );
});
