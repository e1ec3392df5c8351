import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const MODULE = new URL('./young-room.ts', import.meta.url).href;
/** Prints how large the room is after 30 MB of objects that live on were made, held and then free, in bytes. */
const SCRIPT = `
import { getHeapSpaceStatistics } from 'node:v8';
import { freeYoungRoom, holdYoungRoom } from '${MODULE}';
const kept = [];
const room = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
const fill = () => {
  for (let i = 0; i < 300_000; i += 1) kept.push([i, i + 0.5, String(i)]);
  return room();
};
holdYoungRoom();
const before = room();
const held = fill();
freeYoungRoom();
console.log(JSON.stringify([before, held, fill()]));
`;

test('the room for young objects stays as it is while it is held, and grows with what survives once it is free', () => {
  const flags = ['--max-semi-space-size=32', '--input-type=module', '-e', SCRIPT];
  const [before, held, free] = JSON.parse(execFileSync(process.execPath, flags).toString()) as number[];
  assert.ok(before !== undefined && held !== undefined && free !== undefined);
  assert.ok(held <= Math.max(before, 2_200_000), `${before} bytes before and ${held} held`);
  assert.ok(free >= 16_000_000 && free >= 4 * held, `${held} bytes held and ${free} free`);
});
