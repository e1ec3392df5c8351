/**
 * Ten branches of a service that trades meanwhile: each is whole, two go on by themselves with other sizes, all are
 * compared, and the parent answers and stays whole. Then commands are killed at any moment.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { branch } from '../../../src/app/branches/branch-folder.ts';
import { compare } from '../../../src/app/branches/compare-folders.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { clientOf } from '../../process/start/demo-client.ts';
import { environment, LAUNCHER, StartedService, temporaryFolder } from '../../process/start/started-service.ts';
import { trials } from '../trials.ts';

const BRANCHES = 10;
const MOST_LIFE_MS = 1_500;

const { path: scratch, remove } = temporaryFolder();
const parent = join(scratch, 'parent');
const services: StartedService[] = [];
after(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')));
  await remove();
});

async function started(folder: string): Promise<StartedService> {
  const service = await StartedService.start(folder);
  services.push(service);
  return service;
}

const SHARE = {
  exchange: 'NSE',
  tradingSymbol: 'RELIANCE-EQ',
  transactionType: 'B',
  priceType: 'MKT',
  retention: 'DAY',
};

test('ten branches of a running service are whole, go on by themselves, and are compared', async () => {
  const service = await started(parent);
  const client = await clientOf(service);
  await client.order();
  let isOver = false;
  let placed = 0;
  const trading = (async () => {
    for (; !isOver; placed += 1) await client.order();
  })();
  const names = Array.from({ length: BRANCHES }, (_, number) => join(scratch, `branch-${number}`));
  for (const to of names) {
    const before = placed;
    await branch({ from: parent, to, by: 'desk', why: 'a trial' });
    // The trader has turns of this process's event loop too.
    while (placed === before) await sleep(5);
  }
  isOver = true;
  await trading;
  for (const folder of [...names, parent]) assert.equal(verifyJournal(folder).damage, undefined, folder);
  const charges: (string | undefined)[] = [];
  for (const [number, quantity] of ['3', '5'].entries()) {
    const trader = await clientOf(await started(names[number] ?? ''));
    // Intraday orders are refused in the last minutes of a day, at which this may run too.
    const words = { ...SHARE, product: 'C', quantity, price: '0', remarks: 'a size' };
    const { body } = await trader.call('placeOrder', words);
    assert.equal(body.status, 'success', JSON.stringify(body));
    charges.push(((await trader.call('getResults')).body.data as Record<string, string>).charges);
    assert.equal(verifyJournal(names[number] ?? '').damage, undefined);
  }
  const { since, folders } = await compare({ folders: names, user: client.userId });
  assert.ok(since > 0);
  const rows = folders.map(({ users: [row] }) => row ?? assert.fail('each has the user'));
  assert.deepEqual(
    rows.map(({ fills }) => fills),
    names.map((_, number) => (number < charges.length ? 1 : 0)),
    'its own order alone',
  );
  assert.deepEqual(
    rows.slice(0, charges.length).map((row) => (row.charges / 100).toFixed(2)),
    charges,
    'nothing else was charged on this day',
  );
  assert.ok((await client.rows()).length > placed, 'the parent answers');
});

test('a branch whose command was killed is whole or not there, and the next command makes it', async (t) => {
  await trials(t, 'F05', 3, async (random, number) => {
    const to = join(scratch, `killed-${number}`);
    const words = [LAUNCHER, 'branch', parent, to];
    const child = spawn(process.execPath, words, { env: environment(), stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await sleep(random.below(MOST_LIFE_MS));
    child.kill('SIGKILL');
    await ended;
    if (!existsSync(to)) await branch({ from: parent, to, by: 'desk', why: 'again' });
    assert.equal(verifyJournal(to).damage, undefined);
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.startsWith(`.killed-${number}`)),
      [],
    );
    return 0;
  });
});
