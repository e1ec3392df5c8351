/** `sauda modify` on stops that wait for a session: each stays the stop that it is. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StartedService, temporaryFolder } from '../start/started-service.ts';
import { TraderLines } from './trader-lines.ts';

const folder = temporaryFolder();
const trader = new TraderLines(folder.path);
let service: StartedService;

before(async () => {
  service = await StartedService.start(trader.data, {
    SAUDA_HOURS: 'exchange',
    SAUDA_CLOCK: '2026-11-20T17:00:00',
    SAUDA_SPEED: '0',
  });
  const login = await trader.run(`login --demo SD1001 --url ${service.base.replace(/\/V1$/, '')}`);
  assert.match(login.printed, /^logged in as SD1001/);
});
after(async () => {
  await service.end('SIGKILL');
  await folder.remove();
});

/** Places a stop and gives its order the changes, one after the other; returns the terms after each. */
async function termsAfter(stop: string, changes: readonly string[]): Promise<readonly string[]> {
  const order = /^order (\d{16}) waits for the next session/.exec((await trader.run(stop)).printed)?.[1] ?? '';
  const seen: string[] = [];
  for (const change of changes) {
    const { refused } = await trader.run(`modify ${order} ${change}`);
    const row = (await trader.rows('orders')).find(({ orderNumber }) => orderNumber === order);
    seen.push(refused || `${row?.priceType} ${row?.quantity} ${row?.price} ${row?.triggerPrice}`);
  }
  return seen;
}

test('a stop-limit that waits for a session stays one at a new quantity, limit and trigger', async () => {
  const seen = await termsAfter('buy ITC 10 @ 281 --stop 280', ['--quantity 5', '@ 280.50', '--stop 279', '--market']);
  assert.deepEqual(seen, [
    'SL-LMT 5 281.00 280.00',
    'SL-LMT 5 280.50 280.00',
    'SL-LMT 5 280.50 279.00',
    'SL-MKT 5 0.00 279.00',
  ]);
});

test('a stop at market that waits for a session stays one at a new quantity, trigger and limit', async () => {
  const seen = await termsAfter('buy ITC 10 --stop 280', ['--quantity 5', '--stop 279', '@ 281']);
  assert.deepEqual(seen, ['SL-MKT 5 0.00 280.00', 'SL-MKT 5 0.00 279.00', 'SL-LMT 5 281.00 279.00']);
});
