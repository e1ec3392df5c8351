import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sauda } from '../../../client/src/sauda.ts';
import { freePorts } from '../../kit/cluster/free-ports.ts';
import { StartedService, sauda, temporaryFolder } from '../../process/start/started-service.ts';
import { longRun } from '../trials.ts';

const EXIT_IN_USE = 75;
const EXIT_CONFIG = 78;
const SYMBOLS = [
  'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty',
  'NSE,999994,1,ZZTEST-EQ,Zz Test,INE000A00002,0.05,',
];
/** Long, so that a leader on a busy machine keeps its place. In milliseconds. */
const SILENCE_MS = 4_000;
const WAIT_MS = 60_000;

const scratch = temporaryFolder();
const folders = [join(scratch.path, 'one'), join(scratch.path, 'two')] as const;
const [one, two] = folders;
const file = join(scratch.path, 'desk.json');
const running = new Set<StartedService>();

after(async () => {
  await Promise.all([...running].map((service) => service.end('SIGKILL')));
  await scratch.remove();
});

/** Places an order as the first demo user, and gives the remarks of all orders of the book. */
async function trade(url: string, remarks: string): Promise<readonly (string | undefined)[]> {
  const client = new Sauda({ url: [url.replace(/\/V1$/, '')], userId: 'SD1001' });
  await client.demoLogin();
  const terms = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', transactionType: 'B', priceType: 'MKT' } as const;
  await client.orders.place({ ...terms, product: 'I', quantity: 1, remarks });
  return (await client.orders.list()).map((row) => row.remarks).sort();
}

longRun('a service of one machine becomes a cluster and one machine again, with every order', async () => {
  const ports = await freePorts(4);
  const urlOf = (rank: number): string => `http://127.0.0.1:${ports[2 * rank]}`;
  const members = ['one', 'two'].map((name, rank) => ({ name, publicUrl: urlOf(rank) }));
  writeFileSync(file, JSON.stringify({ name: 'desk', members, log: { folder: 'log' }, silenceMs: SILENCE_MS }));
  const start = async (rank: 0 | 1, settings: Readonly<Record<string, string>> = {}): Promise<StartedService> => {
    const service = await StartedService.start(folders[rank], settings);
    running.add(service);
    return service;
  };
  const startMember = (rank: 0 | 1): Promise<StartedService> => {
    const own = { SAUDA_PORT: String(ports[2 * rank]), SAUDA_OPERATOR_PORT: String(ports[2 * rank + 1]) };
    return start(rank, { ...own, SAUDA_CLUSTER: file, SAUDA_MEMBER: members[rank]?.name ?? '' });
  };
  const cluster = (...words: readonly string[]) => sauda(['cluster', ...words, '--cluster', file]);

  const alone = await start(0);
  assert.deepEqual(await trade(alone.base, 'alone'), ['alone']);
  assert.equal((await cluster('init', '--from', one)).code, EXIT_IN_USE);
  assert.equal(await alone.end('SIGTERM'), 0);
  const begun = await cluster('init', '--from', one);
  assert.equal(begun.code, 0, begun.stderr);
  assert.match(begun.stdout, /^The cluster begins with the \d+ records of /m);
  const again = await cluster('init', '--from', one);
  assert.match(again.stdout, /^The cluster had begun with the \d+ records of /m);
  await assert.rejects(start(0), new RegExp(`ended with ${EXIT_CONFIG} [^]*archive of a member of the cluster desk`));

  const first = await startMember(0);
  const made = await sauda(['cluster', 'provision', two, '--data', one]);
  assert.match(made.stdout, /its history up to record \d+/, made.stderr);
  assert.deepEqual(await trade(first.base, 'led by one'), ['alone', 'led by one']);
  assert.equal((await cluster('end', '--data', one)).code, EXIT_IN_USE);
  writeFileSync(join(scratch.path, 'symbols.csv'), `${SYMBOLS.join('\n')}\n`);
  const imported = await sauda(['instruments', 'import', join(scratch.path, 'symbols.csv'), '--data', one]);
  assert.equal(imported.code, 0, imported.stderr);

  const second = startMember(1);
  await until(async () => (await fetch(`${urlOf(1)}/readyz?follower=ok`).catch(() => undefined))?.ok === true);
  assert.equal(textOf(join(two, 'instruments.json')), textOf(join(one, 'instruments.json')));
  await until(async () => /"op":"placeOrder".*127\.0\.0\.1/.test(linesOfOne()));
  await first.end('SIGKILL');
  assert.deepEqual(await trade((await second).base, 'led by two'), ['alone', 'led by one', 'led by two']);
  await (await second).end('SIGTERM');

  const behind = await cluster('end', '--data', one);
  assert.match(behind.stderr, /one ends at record \d+, and the lanes go on to \d+/);
  const ended = await cluster('end', '--data', two);
  assert.equal(ended.code, 0, ended.stderr);
  await assert.rejects(startMember(0), new RegExp(`ended with ${EXIT_CONFIG} [^]*the cluster was ended`));
  const verified = await sauda(['verify', '--data', two]);
  assert.match(verified.stdout, /audit-copies\/one is whole: .*; the copy of another member/, verified.stderr);
  const last = await start(1);
  assert.deepEqual(await trade(last.base, 'alone again'), ['alone', 'alone again', 'led by one', 'led by two']);
});

/** The audit trail of the first member as the second one has a copy of it. */
function linesOfOne(): string {
  const folder = join(two, 'audit-copies', 'one');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => textOf(join(folder, name))).join('');
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `${holds}`);
    await sleep(100);
  }
}
