import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadedSources } from './loaded-sources.ts';
import { StartedService, temporaryFolder } from './started-service.ts';

const HOOK = pathToFileURL(join(import.meta.dirname, 'loaded-modules.mjs')).href;

test('a service on one machine loads nothing of the shared log and of its client', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const list = join(folder.path, 'loaded');
  const service = await StartedService.start(join(folder.path, 'data'), {
    NODE_OPTIONS: `--import ${HOOK}`,
    LOADED_MODULES: list,
  });
  assert.equal(await service.end('SIGTERM'), 0);
  const loaded = loadedSources(list);
  assert.ok(loaded.some((url) => url.includes('/src/app/start.ts')));
  assert.deepEqual(
    loaded.filter((url) => url.includes('@nats-io') || url.includes('/src/cluster/lanes/')),
    [],
  );
});
