import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const MODULE = new URL('./young-room.ts', import.meta.url).href;
/**
 * Prints how large the room is after 30 MB of objects that live on were made, held and then free, in bytes. Objects
 * that are of no use at once come after them: while others move out, their old pages count as room too.
 */
const SCRIPT = `
import { getHeapSpaceStatistics } from 'node:v8';
import { freeYoungRoom, holdYoungRoom } from '${MODULE}';
const kept = [];
const fill = () => {
  for (let i = 0; i < 300_000; i += 1) kept.push([i, i + 0.5, String(i)]);
  let length = 0;
  for (let i = 0; i < 5_000_000; i += 1) length += [i].length;
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
};
holdYoungRoom();
const held = fill();
freeYoungRoom();
console.log(JSON.stringify([held, fill()]));
`;

test('the room for young objects stays as it is while it is held, and grows with what survives once it is free', () => {
  const flags = ['--max-semi-space-size=32', '--input-type=module', '-e', SCRIPT];
  const [held, free] = JSON.parse(execFileSync(process.execPath, flags).toString()) as number[];
  assert.ok(held !== undefined && free !== undefined);
  assert.ok(held <= 4_200_000, `${held} bytes held`);
  assert.ok(free >= 8_000_000, `${held} bytes held and ${free} free`);
});
