import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import test from 'node:test';
import { lowerBackgroundPriority } from './background-threads.ts';

/** The `nice` values of the threads of this process, by their names. */
function priorities(): ReadonlyMap<string, readonly number[]> {
  const threads = readdirSync('/proc/self/task');
  const named = Map.groupBy(threads, (thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim());
  return new Map(Array.from(named, ([name, own]) => [name, own.map((thread) => getPriority(Number(thread)))]));
}

test('the threads in which V8 compiles and collects garbage get a lower priority, and no others', () => {
  const before = priorities();
  lowerBackgroundPriority(7);
  const after = priorities();
  const background = [...after.keys()].filter((name) => name.includes('V8Worker'));
  assert.ok(background.length > 0, `none among ${[...after.keys()].join(', ')}`);
  for (const [name, values] of after) {
    const expected = background.includes(name) ? values.map(() => 7) : before.get(name);
    assert.deepEqual(values, expected, name);
  }
});
