import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { generateSync } from 'otplib';
import { type CommandResult, StartedService, sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();

after(async () => {
  await folder.remove();
});

/** What a client of the service does, signed in as the first demo user. */
interface Client {
  readonly userId: string;
  /** Places a purchase of one share 3 % below the market and gives its row of the order book. */
  readonly order: () => Promise<Record<string, string>>;
  readonly rows: () => Promise<readonly Record<string, string>[]>;
}

async function clientOf(service: StartedService): Promise<Client> {
  const [user] = await service.demoUsers();
  const { userId, password, totpSecret, vendorCode, apiKey } = user ?? assert.fail('there is a demo user');
  const digest = createHash('sha256').update(password).digest('hex');
  const TOTP = totpSecret === undefined ? '' : generateSync({ secret: totpSecret });
  const { body } = await service.call('login', { userId, password: digest, TOTP, vendorCode, apiKey });
  const who = { userId, jKey: (body.data as Record<string, string>).susertoken ?? '' };
  const rows = async () => (await service.call('orderBook', who)).body.data as Record<string, string>[];
  const order = async () => {
    const share = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
    const quote = (await service.call('getQuote', { ...who, ...share })).body.data as Record<string, string>;
    const price = (Math.round(Number(quote.lastTradedPrice) * 9.7) / 10).toFixed(1);
    const terms = { quantity: '1', price, product: 'I', transactionType: 'B', priceType: 'LMT', retention: 'DAY' };
    const placed = await service.call('placeOrder', { ...who, ...share, ...terms, remarks: '' });
    const { orderNumber } = placed.body.data as Record<string, string>;
    return (await rows()).find((row) => row.orderNumber === orderNumber) ?? assert.fail(JSON.stringify(placed.body));
  };
  return { userId, order, rows };
}

test('a kill switch stops a client of a running service, holds over a crash, and is lifted', async () => {
  const data = folder.path;
  let service = await StartedService.start(data);
  const run = async (...args: readonly string[]): Promise<CommandResult> =>
    sauda([...args, '--data', data, '--operator-port', new URL(service.operator).port]);
  let client = await clientOf(service);
  const { userId } = client;
  const resting = await client.order();
  assert.equal(resting.status, 'OPEN');

  const killed = await run('kill', 'account', userId, '--why', 'runaway program');
  assert.equal(killed.stdout.trim(), `the kill switch of ${userId} is on; open orders that it cancelled: 1`);
  const [row] = await client.rows();
  assert.deepEqual([row?.status, row?.rejectReason], ['CANCELED', 'Cancelled by the risk desk']);
  const refused = await client.order();
  assert.equal(refused.status, 'REJECTED');
  assert.match(refused.rejectReason ?? '', /^RED:RULE:\{Check kill switch\}Trading is blocked by the risk desk/);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  assert.match((await run('switches')).stdout, /^the kill switch of \w+ is on since .*: runaway program$/m);
  assert.match(service.output, /what operators hold up: 1; see sauda switches/);
  assert.equal((await run('halt', 'NSE', '--why', 'a drill')).stdout.trim(), 'trading on NSE is halted');
  assert.equal((await run('kill', 'account', userId, '--lift', '--why', 'mended')).code, 0);
  client = await clientOf(service);
  assert.equal((await client.order()).rejectReason, '16278:The markets have not been opened for trading.');
  assert.equal((await run('halt', 'NSE', '--lift', '--why', 'over')).stdout.trim(), 'trading on NSE is not halted');
  assert.equal((await client.order()).status, 'OPEN');
});
