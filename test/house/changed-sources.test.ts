import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/**
 * Fault runs take a protection out of a copy of the source by its text, and many of them run before a release alone. So
 * the texts are looked for here: a change of the source that a control has to follow is seen at once.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;
const CHANGE = new RegExp(`file: (?<file>${TEXT}),\\s*from: (?<from>${TEXT}),`, 'g');

/** The text of a literal whose only escapes are of quotes, line ends and backslashes. */
function textOf(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}

test('each text that a fault run replaces stands in its file once', () => {
  let found = 0;
  const wrong: string[] = [];
  for (const path of globSync('test/{faults,process}/**/*.ts', { cwd: ROOT })) {
    for (const { groups } of readFileSync(join(ROOT, path), 'utf8').matchAll(CHANGE)) {
      found += 1;
      const [file, from] = [textOf(groups?.file ?? ''), textOf(groups?.from ?? '')];
      if (readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2) wrong.push(`${path}: ${file}: ${from}`);
    }
  }
  assert.ok(found > 20, `${found} changes`);
  assert.deepEqual(wrong, []);
});
