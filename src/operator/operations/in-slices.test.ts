import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnginePort } from '../../engine/port.ts';
import { inSlices } from './in-slices.ts';

/** An engine whose state no slice of these tests looks at. */
const engine = { read: (query: () => unknown) => query() } as unknown as Pick<EnginePort, 'read'>;

test('readings at the same time share the turns of the event loop: each turn has one slice of them all', async () => {
  const readings = 20;
  const slicesOfEach = 3;
  let running = readings;
  let slices = 0;
  const byTurn: number[] = [];
  const turn = (): void => {
    byTurn.push(slices);
    slices = 0;
    if (running > 0) setImmediate(turn);
  };
  setImmediate(turn);
  const read = async (): Promise<void> => {
    let taken = 0;
    await inSlices(engine, () => {
      slices += 1;
      taken += 1;
      return taken === slicesOfEach;
    });
    running -= 1;
  };
  await Promise.all(Array.from({ length: readings }, read));
  assert.equal(
    byTurn.reduce((sum, count) => sum + count, slices),
    readings * slicesOfEach,
  );
  // A turn is counted from one look to the next, which may fall before or behind its slice.
  assert.ok(Math.max(...byTurn) <= 2, `slices by turn: ${byTurn}`);
});

test('a reading that fails holds up no other one', async () => {
  const failing = inSlices(engine, () => {
    throw new Error('this reading fails');
  });
  const other = inSlices(engine, () => true);
  await assert.rejects(failing, /this reading fails/);
  await other;
});
