import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { trailFolder } from '../../../src/audit/trail-file.ts';
import { must } from '../../../src/base/assert.ts';
import { StartedService, sauda, temporaryFolder } from '../start/started-service.ts';
import { DELIVERY_ORDER } from './delivery-order.ts';

const CLIENTS = 8;
const folder = temporaryFolder();
const copies = temporaryFolder();
after(folder.remove);
after(copies.remove);

const order = { ...DELIVERY_ORDER, price: '1', remarks: '' };

test('a backup beside a busy service has a trail that agrees with its journal, and one with a damaged trail is said to be so', async () => {
  const data = folder.path;
  const service = await StartedService.start(data);
  const users = service.demoUsers();
  const { userId, vendorCode, apiKey, ...user } = must(
    users.find(({ totpSecret }) => totpSecret === undefined),
    'a demo user without one-time codes',
  );
  const password = createHash('sha256').update(user.password).digest('hex');
  const login = await service.call('login', { userId, password, vendorCode, apiKey });
  const { susertoken: jKey } = login.body.data as { susertoken: string };

  const settings = '{"log":"error"}\n';
  writeFileSync(join(data, 'sauda.json'), settings);
  const copy = join(copies.path, 'busy');
  let busy = true;
  const placing = Array.from({ length: CLIENTS }, async () => {
    while (busy) await service.call('placeOrder', { userId, jKey, ...order });
  });
  const backup = await sauda(['backup', copy, '--data', data]);
  busy = false;
  await Promise.all(placing);
  assert.equal(backup.code, 0, backup.stderr);
  assert.match(backup.stdout, /is whole there: .*\n.*audit is whole: .*; it agrees with the journal from record 1 to /);
  assert.equal(readFileSync(join(copy, 'sauda.json'), 'utf8'), settings);
  const verified = await sauda(['verify', '--data', copy]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.equal(await service.end('SIGTERM'), 0);

  const [name] = readdirSync(trailFolder(data));
  const path = join(trailFolder(data), must(name, 'a file of the trail'));
  writeFileSync(path, readFileSync(path, 'latin1').replace('"op":"placeOrder"', '"op":"cancelOrder"'), 'latin1');
  const other = await sauda(['backup', join(copies.path, 'damaged'), '--data', data]);
  assert.equal(other.code, 65);
  assert.match(other.stderr, /is whole there: .*\nDAMAGED .*audit/);
});
