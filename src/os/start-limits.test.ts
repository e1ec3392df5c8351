import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const MODULE = new URL('./start-limits.ts', import.meta.url).href;
/**
 * Prints how large the room is after 30 MB of objects that live on were made, held and then free, in bytes. Objects
 * that are of no use at once come after them: while others move out, their old pages count as room too.
 */
const SCRIPT = `
import { getHeapSpaceStatistics } from 'node:v8';
import { setLimitsForOrders, setLimitsForStart } from '${MODULE}';
const kept = [];
const fill = () => {
  for (let i = 0; i < 300_000; i += 1) kept.push([i, i + 0.5, String(i)]);
  let length = 0;
  for (let i = 0; i < 5_000_000; i += 1) length += [i].length;
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
};
setLimitsForStart();
const held = fill();
setLimitsForOrders();
console.log(JSON.stringify([held, fill()]));
`;

test('the room for young objects stays as it is while it is held, and grows with what survives once it is free', () => {
  const flags = ['--max-semi-space-size=32', '--input-type=module', '-e', SCRIPT];
  const [held, free] = JSON.parse(execFileSync(process.execPath, flags).toString()) as number[];
  assert.ok(held !== undefined && free !== undefined);
  assert.ok(held <= 4_200_000, `${held} bytes held`);
  assert.ok(free >= 8_000_000, `${held} bytes held and ${free} free`);
});

/** A function that calls one of some 500 bytes of bytecode. V8 says whether it takes that one into it. */
const CALLS = `
import { setLimitsForOrders, setLimitsForStart } from '${MODULE}';
const mix = new Function('a', 'b', 'return ' + Array(30).fill('a * 3 ^ b >>> 7').join(' ^ '));
const run = () => { let sum = 0; for (let at = 0; at < 1e6; at += 1) sum = mix(sum, at) | 0; return sum; };
setLimitsForStart();
if (process.argv[1] === 'orders') setLimitsForOrders();
for (let round = 0; round < 20; round += 1) run();
`;

test('functions that are compiled after the start take in more bytecode of those that they call', () => {
  const saidOf = (of: string): string => {
    const flags = ['--trace-turbo-inlining', '--input-type=module', '-e', CALLS, of];
    return execFileSync(process.execPath, flags).toString();
  };
  assert.match(saidOf('start'), /exceeds bytecode limit/);
  assert.match(saidOf('orders'), /Budget used: 0\/4000 [\s\S]*\nInlining 0x/);
});
