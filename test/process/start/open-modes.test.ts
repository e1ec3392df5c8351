import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
after(folder.remove);

test('a start refuses secrets that others can read, and warns of a data folder that others can enter', async () => {
  const data = folder.path;
  const first = await StartedService.start(data);
  assert.doesNotMatch(first.output, /others can enter/);
  assert.equal(await first.end('SIGTERM'), 0);
  for (const name of ['secret.key', 'operator.token', 'demo-users.json']) {
    const path = join(data, name);
    chmodSync(path, 0o640);
    const refused = await sauda(['start', '--port', '0', '--operator-port', '0', '--data', data]);
    assert.equal(refused.code, 78, refused.stderr);
    assert.ok(
      refused.stderr.includes(`${path} can be read by users other than its owner: forbid that`),
      refused.stderr,
    );
    chmodSync(path, 0o600);
  }
  chmodSync(data, 0o710);
  const service = await StartedService.start(data);
  assert.match(service.output, /others can enter .*: take that away with chmod go= /);
  assert.equal(await service.end('SIGTERM'), 0);
});
