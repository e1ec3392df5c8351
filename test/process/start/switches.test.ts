import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { clientOf } from './demo-client.ts';
import { StartedService, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();

after(async () => {
  await folder.remove();
});

test('a kill switch stops a client of a running service, holds over a crash, and is lifted', async () => {
  const data = folder.path;
  let service = await StartedService.start(data);
  let client = await clientOf(service);
  const { userId } = client;
  const resting = await client.order();
  assert.equal(resting.status, 'OPEN');

  const killed = await service.command('kill', 'account', userId, '--why', 'runaway program');
  assert.equal(killed.stdout.trim(), `the kill switch of ${userId} is on; open orders that it cancelled: 1`);
  const [row] = await client.rows();
  assert.deepEqual([row?.status, row?.rejectReason], ['CANCELED', 'Cancelled by the risk desk']);
  const refused = await client.order();
  assert.equal(refused.status, 'REJECTED');
  assert.match(refused.rejectReason ?? '', /^RED:RULE:\{Check kill switch\}Trading is blocked by the risk desk/);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  assert.match((await service.command('switches')).stdout, /^the kill switch of \w+ is on since .*: runaway program$/m);
  assert.match(service.output, /what operators hold up: 1; see sauda switches/);
  assert.equal((await service.command('halt', 'NSE', '--why', 'a drill')).stdout.trim(), 'trading on NSE is halted');
  assert.equal((await service.command('kill', 'account', userId, '--lift', '--why', 'mended')).code, 0);
  client = await clientOf(service);
  assert.equal((await client.order()).rejectReason, '16278:The markets have not been opened for trading.');
  assert.equal(
    (await service.command('halt', 'NSE', '--lift', '--why', 'over')).stdout.trim(),
    'trading on NSE is not halted',
  );
  assert.equal((await client.order()).status, 'OPEN');
});
