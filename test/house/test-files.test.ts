import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testFilesOf } from '../kit/run-together.ts';

/* `npm test` names folders: of those whose files run together it names `test/together` alone. */

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The files that run together in one process. */
function together(): string[] {
  const calls = globSync('test/together/*.test.ts', { cwd: ROOT }).map(read);
  const folders = calls.flatMap((text) => [...text.matchAll(/'([^']+)'/g)].map(([, folder = '']) => folder));
  return testFilesOf(folders.filter((folder) => !folder.startsWith('.')));
}

/** The files that `npm test` runs in a process each. */
function apart(): string[] {
  const { test: command } = JSON.parse(read('package.json')).scripts as { test: string };
  const patterns = [...command.matchAll(/"([^"]+)"/g)].map(([, pattern = '']) => pattern);
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
}

test('npm test runs every test file, and each of them once', () => {
  const all = globSync('{src,test,sim,web/src}/**/*.test.ts', { cwd: ROOT });
  assert.ok(all.length > 600, `${all.length} test files`);
  assert.deepEqual([...together(), ...apart()].sort(), all.sort());
});

test('files that run together have no hook that would be of all their tests', () => {
  const files = together();
  assert.ok(files.length > 300, `${files.length} files run together`);
  const hooks = files.filter((path) => /^(?:beforeEach|afterEach|mock\.timers\.enable)\(/m.test(read(path)));
  assert.deepEqual(hooks, []);
});
