import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareWithJournal, verifyWithJournal } from '../../../src/audit/reading/compare-with-journal.ts';
import { searchTrail } from '../../../src/audit/reading/search-trail.ts';
import { verifyTrail } from '../../../src/audit/reading/verify-trail.ts';
import { trailFolder } from '../../../src/audit/trail-file.ts';
import type { TrailLine } from '../../../src/audit/trail-line.ts';
import { must } from '../../../src/base/assert.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { examineBeside, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { StartedService, temporaryFolder } from '../start/started-service.ts';
import { DELIVERY_ORDER } from './delivery-order.ts';

const ORDERS = 40;
const folder = temporaryFolder();
after(folder.remove);

const order = { ...DELIVERY_ORDER, remarks: 'MARKER-IN-REMARKS' };

test('after a kill every acknowledged order has a line, the trail agrees with the journal, and no secret is in it', async () => {
  const data = folder.path;
  const service = await StartedService.start(data);
  const users = service.demoUsers();
  const user = must(
    users.find(({ totpSecret }) => totpSecret === undefined),
    'a demo user without one-time codes',
  );
  const { userId, vendorCode, apiKey } = user;
  const password = createHash('sha256').update(user.password).digest('hex');
  const wrong = await service.call('login', { userId, password: 'MARKER-WRONG', vendorCode, apiKey });
  assert.equal(wrong.status, 401);
  const typed = await service.call('login', { userId: 'MARKER-TYPED', password, TOTP: '1', vendorCode, apiKey });
  assert.equal(typed.status, 401);
  const login = await service.call('login', { userId, password, vendorCode, apiKey });
  const jKey = (login.body.data as { susertoken: string }).susertoken;
  assert.equal((await service.call('orderBook', { userId, jKey: 'MARKER-TOKEN' })).status, 401);

  // A line that a kill keeps from the disk is made from the journal, which knows no address: this one shall be there as
  // it was written.
  while (openingOf(userId) === undefined) await sleep(20);

  // Each is answered with a number, also those that the band rejects; the service is killed while they come.
  const told: number[] = [];
  const placing = Array.from({ length: ORDERS }, async (_, i) => {
    try {
      const answer = await service.call('placeOrder', { userId, jKey, ...order, price: i % 4 === 0 ? '1' : '1000' });
      const { orderNumber } = (answer.body.data ?? {}) as { orderNumber?: string };
      if (orderNumber !== undefined) told.push(Number(orderNumber));
      if (told.length === ORDERS / 2) await service.end('SIGKILL');
    } catch (error) {
      assert.ok(error instanceof TypeError, 'what was under way has no answer');
    }
  });
  await Promise.all(placing);
  await service.end('SIGKILL');
  const killed = verifyWithJournal(REAL_DISK, data, undefined);
  assert.equal(killed.damaged, false, killed.text);

  const next = await StartedService.start(data);
  assert.equal(await next.end('SIGTERM'), 0);
  const trail = verifyTrail(REAL_DISK, trailFolder(data));
  assert.deepEqual(trail.faults, []);
  const agreement = compareWithJournal(REAL_DISK, trail, examineBeside(REAL_DISK, journalPaths(data)).stored);
  assert.deepEqual([agreement.faults, agreement.later, agreement.lost], [[], 0, 0]);

  const lines = [...searchTrail(REAL_DISK, trailFolder(data), { user: userId })];
  const named = new Set(lines.map((line) => line.order));
  assert.ok(told.length >= ORDERS / 2);
  for (const number of told) assert.ok(named.has(number), `order ${number} was acknowledged and has no line`);
  const opening = must(openingOf(userId), 'the login');
  assert.deepEqual([opening.vendor, opening.address], [vendorCode, '127.0.0.1']);
  assert.ok(lines.some(({ kind, code }) => kind === 'Login' && code === 401));

  const names = readdirSync(trailFolder(data));
  const text = names.map((name) => readFileSync(join(trailFolder(data), name), 'latin1')).join('');
  for (const secret of ['MARKER', jKey, password, user.password, apiKey]) {
    assert.ok(!text.includes(secret), `${secret} is in the trail`);
  }
});

/** The line of the login that succeeded. */
function openingOf(user: string): TrailLine | undefined {
  for (const line of searchTrail(REAL_DISK, trailFolder(folder.path), { user })) {
    if (line.kind === 'Login' && line.code === 200) return line;
  }
  return undefined;
}
