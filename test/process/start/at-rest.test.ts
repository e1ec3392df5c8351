import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadedSources } from './loaded-sources.ts';
import { StartedService, temporaryFolder } from './started-service.ts';

const HOOK = pathToFileURL(join(import.meta.dirname, 'loaded-modules.mjs')).href;
/** Parts that a start leaves to those who ask for them. */
const LATER =
  /\/node_modules\/(fastify|ajv|@platformatic)\/|\/typebox\/build\/compile\/|\/src\/(trader|mcp)\/|\/client\//;

test('a start loads neither the operator’s routes nor the compiler of checks nor other commands; who asks gets them', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const list = join(folder.path, 'loaded');
  const service = await StartedService.start(join(folder.path, 'data'), {
    NODE_OPTIONS: `--import ${HOOK}`,
    LOADED_MODULES: list,
  });
  const loaded = (): string[] => loadedSources(list);
  assert.ok(loaded().some((url) => url.includes('/src/app/start.ts')));
  assert.deepEqual(
    loaded().filter((url) => LATER.test(url)),
    [],
  );
  const asked = await Promise.all(Array.from({ length: 8 }, () => fetch(`${service.operator}/readyz`)));
  assert.deepEqual(
    asked.map(({ status }) => status),
    Array.from({ length: 8 }, () => 200),
  );
  const routes = loaded().filter((url) => url.endsWith('/src/operator/http/operator-server.ts'));
  assert.equal(routes.length, 1, 'all who ask at once have the routes loaded once');
  const refused = await service.call('login', { userId: 'NOBODY1', password: 'x' });
  assert.equal(refused.status, 400);
  assert.ok(loaded().some((url) => url.includes('/typebox/build/compile/')));
  assert.equal(await service.end('SIGTERM'), 0);
  assert.doesNotMatch(service.output, /Warning/);
});
