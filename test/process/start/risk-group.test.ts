import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { clientOf } from './demo-client.ts';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();

after(async () => {
  await folder.remove();
});

test('a risk group holds back a client of a running service, also after a crash, until it is lifted', async () => {
  const data = folder.path;
  let service = await StartedService.start(data);
  let client = await clientOf(service);
  const { userId } = client;
  assert.equal((await client.order()).status, 'OPEN');

  const capped = await service.command(
    'user',
    'risk-group',
    userId,
    '--group',
    'NOVICE',
    '--cap',
    '1',
    '--why',
    'form 9',
  );
  const words = 'they are of the risk group NOVICE: C, M, I on NSE, BSE, NFO, BFO, in cash up to INR 1.00';
  assert.ok(capped.stdout.trim().endsWith(words), capped.stdout + capped.stderr);
  const above = await client.order();
  assert.match(
    above.rejectReason ?? '',
    new RegExp(`^RED:RULE:\\{Check single order value\\}Current:INR .* Set:INR 1\\.00 for C-${userId} \\[NOVICE\\]$`),
  );
  assert.equal((await service.command('user', 'risk-group', userId, '--products', 'C', '--why', 'form 10')).code, 0);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  client = await clientOf(service);
  const listed = JSON.parse((await service.command('users', '--json')).stdout) as {
    userId: string;
    riskGroup?: object;
  }[];
  const exchanges = ['NSE', 'BSE', 'NFO', 'BFO'];
  const group = { name: 'NOVICE', orderValueCap: '1.00', products: ['C'], exchanges };
  assert.deepEqual(listed.find((row) => row.userId === userId)?.riskGroup, group);
  const rows = await client.rows();
  assert.deepEqual(
    rows.map(({ status, rejectReason }) => [status, rejectReason?.trim()]),
    [
      ['OPEN', ''],
      ['REJECTED', above.rejectReason],
    ],
    'resting orders rest, and given answers stay',
  );
  const refused = await client.order();
  assert.equal(refused.rejectReason, 'ORA:Product Intraday not enabled on exchange NSE');
  const why = await sauda(['why', refused.orderNumber ?? '', '--data', data]);
  assert.match(why.stdout, /the product and the exchange are enabled for the client/);
  assert.equal((await service.command('user', 'risk-group', userId, '--lift', '--why', 'asked')).code, 0);
  assert.equal((await client.order()).status, 'OPEN');
});
