import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { generateSync } from 'otplib';
import { firstTrade } from '../../../src/operator/cli/reports/start-report.ts';
import {
  type DemoUser,
  environment,
  LAUNCHER,
  PROJECT,
  StartedService,
  sauda,
  temporaryFolder,
} from './started-service.ts';

const folder = temporaryFolder();
let service: StartedService;

before(async () => {
  service = await StartedService.start(folder.path);
});

after(async () => {
  await folder.remove();
});

function loginBody(user: DemoUser): Record<string, string> {
  return {
    userId: user.userId,
    password: createHash('sha256').update(user.password).digest('hex'),
    TOTP: user.totpSecret === undefined ? '' : generateSync({ secret: user.totpSecret }),
    vendorCode: user.vendorCode,
    apiKey: user.apiKey,
  };
}

/** The shares of an account by their symbols on NSE. */
async function sharesOf(of: StartedService, who: Record<string, unknown>): Promise<string[]> {
  const { body } = await of.call('holdings', who);
  const rows = body.data as { exchange: string; tradingSymbol: string }[];
  return rows.filter(({ exchange }) => exchange === 'NSE').map(({ tradingSymbol }) => tradingSymbol);
}

async function login(user: DemoUser): Promise<string> {
  const { status, body } = await service.call('login', loginBody(user));
  assert.equal(status, 200, JSON.stringify(body));
  const { susertoken } = body.data as Record<string, string>;
  assert.match(susertoken ?? '', /^[0-9a-f]{64}$/);
  return susertoken ?? '';
}

test('a first start prints addresses, the credentials of three users and what to try', async () => {
  const shown = await sauda(['demo', 'credentials', '--json', '--data', folder.path]);
  assert.deepEqual(JSON.parse(shown.stdout), service.demoUsers(), 'the command prints them again');
  for (const user of service.demoUsers()) {
    for (const word of Object.values(user)) assert.ok(service.output.includes(word), word);
  }
  assert.match(service.output, /TOTP now +\d{6}/);
  const address = service.base.replace(/\/V1$/, '');
  for (const line of firstTrade(address, folder.path)) assert.ok(service.output.includes(line), line);
});

test('the address that a start prints first serves the terminal, with all that its page names', async () => {
  const address = /https?:\/\/\S+/.exec(service.output)?.[0] ?? '';
  const origin = service.base.replace(/\/V1$/, '');
  assert.equal(address, `${origin}/`);
  const page = await fetch(address);
  const named = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(named.some((path) => path.endsWith('.js')) && named.some((path) => path.endsWith('.css')), named.join(' '));
  for (const path of named) {
    const file = await fetch(origin + path);
    assert.equal(file.status, 200, path);
    await file.arrayBuffer();
  }
});

test('the terminal logs a demo user of this machine in without credentials', async () => {
  const users = await service.call('demoUsers', {});
  assert.deepEqual(
    (users.body.data as { userId: string }[]).map(({ userId }) => userId),
    ['SD1001', 'SD1002', 'SD1003'],
  );
  const entered = await service.call('demoLogin', { userId: 'SD1002' });
  const { susertoken: jKey } = entered.body.data as { susertoken: string };
  assert.equal((await service.call('limit', { userId: 'SD1002', jKey })).status, 200);
});

test("both ports say that the service is live and ready, and only the operator's has metrics", async () => {
  const origin = service.base.replace(/\/V1$/, '');
  for (const address of [origin, service.operator]) {
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(address + path)).status, 200, address + path);
  }
  const metrics = await fetch(`${service.operator}/metrics`);
  assert.match(await metrics.text(), /^sauda_journal_records_total \d+$/m);
  const elsewhere = await fetch(`${origin}/metrics`);
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('x-market')], [404, 'simulated']);
});

test('every demo user can log in with the printed credentials and has 10 lakh rupees and holdings', async () => {
  for (const user of service.demoUsers()) {
    const jKey = await login(user);
    const who = { userId: user.userId, jKey };
    const limit = await service.call('limit', who);
    assert.equal(limit.status, 200, JSON.stringify(limit.body));
    assert.equal((limit.body.data as Record<string, string>).cash, '1000000.00');
    assert.equal((await sharesOf(service, who)).length, 3);
    assert.equal((await service.call('logout', who)).status, 200);
    assert.equal((await service.call('limit', who)).status, 401);
  }
});

test("the README's first trade works as printed", async () => {
  const origin = service.base.replace(/\/V1$/, '');
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  const block = /```sh\n(eval [\s\S]*?)```/.exec(readme)?.[1];
  assert.match(block ?? '', /http:\/\/127\.0\.0\.1:8080/);
  const script = (block ?? '').replaceAll('http://127.0.0.1:8080', origin);
  const env = environment({ SAUDA_DATA: service.data });
  const path = `${join(PROJECT, 'node_modules', '.bin')}:${env.PATH}`;
  const run = promisify(execFile);
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: PROJECT,
    env: { ...env, PATH: path },
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: string; data: Record<string, string>[] });
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['success', 'success', 'success', 'success'],
    stdout + stderr,
  );
  const trades = answers.at(-1)?.data ?? [];
  const filled = trades.reduce((sum, trade) => sum + Number(trade.fillQuantity), 0);
  assert.equal(filled, 10, stdout);
});

test('the secrets are readable by their owner only, and stand in no other file', async () => {
  for (const name of ['demo-users.json', 'secret.key', 'operator.token']) {
    assert.equal(statSync(join(service.data, name)).mode & 0o777, 0o600, name);
  }
  const folder = join(service.data, 'journal');
  const journal = readdirSync(folder);
  assert.ok(journal.length > 0);
  const bytes = Buffer.concat(journal.map((name) => readFileSync(join(folder, name)))).toString('latin1');
  assert.ok(bytes.includes('SD1001'), 'the journal is what is looked at');
  for (const { password, totpSecret, apiKey } of service.demoUsers()) {
    const secrets = [password, createHash('sha256').update(password).digest('hex'), totpSecret ?? apiKey, apiKey];
    for (const secret of secrets) assert.equal(bytes.includes(secret), false);
  }
});

test('a second service on the same data folder is refused', async () => {
  const second = await sauda(['start', '--port', '0', '--operator-port', '0', '--data', service.data]);
  assert.equal(second.code, 75, second.stderr);
  assert.match(second.stderr, /in use/);
});

test('a start whose port is in use names the setting that moves it, and leaves a folder with nothing to repair', async () => {
  const other = temporaryFolder();
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const port = String((taken.address() as AddressInfo).port);
  try {
    const refused = await sauda(['start', '--port', '0', '--operator-port', port, '--data', other.path]);
    assert.equal(refused.code, 69, refused.stderr);
    const setting = '--operator-port or SAUDA_OPERATOR_PORT names another one';
    assert.match(refused.stderr, new RegExp(`^sauda: the operator's port ${port} is in use: ${setting}$`, 'm'));
    const next = await StartedService.start(other.path);
    assert.doesNotMatch(next.output, /not closed in order|made from the journal/);
    assert.equal(await next.end('SIGTERM'), 0);
  } finally {
    taken.close();
    await other.remove();
  }
});

test('an operator adds a user with money and shares, who can log in', async () => {
  const named = ['add', 'AB1234', '--name', 'A. B.', '--email', 'a@example.com'];
  const added = await service.command('user', ...named, '--no-totp');
  assert.equal(added.code, 0, added.stderr);
  const word = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(added.stdout)?.[1] ?? '';
  assert.equal((await service.command('user', 'deposit', 'AB1234', '50000.50')).code, 0);
  assert.equal((await service.command('user', 'credit', 'AB1234', 'ITC-EQ', '7', '--price', '400')).code, 0);
  const user = { userId: 'AB1234', password: word('password'), vendorCode: word('vendorCode'), apiKey: word('apiKey') };
  const who = { userId: 'AB1234', jKey: await login(user) };
  const limit = (await service.call('limit', who)).body.data as Record<string, string>;
  assert.equal(limit.payin, '50000.50');
  assert.deepEqual(await sharesOf(service, who), ['ITC-EQ']);
  const again = await service.command('user', ...named);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /exists already/);
});

test('verify finds the journal of the running service whole', async () => {
  const verified = await sauda(['verify', '--data', service.data]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /is whole/);
});

test('an address that is taken is reported', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  assert.ok(typeof address === 'object' && address !== null);
  const other = temporaryFolder();
  try {
    const refused = await sauda([
      'start',
      '--port',
      String(address.port),
      '--operator-port',
      '0',
      '--data',
      other.path,
    ]);
    assert.equal(refused.code, 69, refused.stderr);
    assert.match(refused.stderr, new RegExp(`${address.port}`));
    const next = await StartedService.start(other.path);
    for (const { password } of next.demoUsers()) assert.ok(next.output.includes(password), 'nobody has seen it');
    assert.match(next.output, /A first trade:/);
    assert.equal(await next.end('SIGTERM'), 0);
  } finally {
    taken.close();
    await other.remove();
  }
});

test('a bad master is refused with its line numbers and nothing is taken over', async () => {
  const file = join(service.data, 'bad.csv');
  writeFileSync(
    file,
    'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty\nNSE,x,1,A-EQ,A,INE000A01001,0.05,0\n',
  );
  const refused = await sauda(['instruments', 'import', file, '--data', service.data]);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /line 2/);
  assert.equal(existsSync(join(service.data, 'instruments.json')), false);
});

test('after a kill and after an orderly end everything is there again, and secrets are not printed', async () => {
  const user = service.demoUsers()[0];
  assert.ok(user);
  const who = { userId: user.userId, jKey: await login(user) };
  const books = async (): Promise<string> => {
    const answers = [
      await service.call('orderBook', who),
      await service.call('tradeBook', who),
      await service.call('holdings', who),
    ];
    return JSON.stringify(answers.map(({ body }) => body.data));
  };
  const seen = await books();
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const ended = await service.end(signal);
    assert.equal(ended, signal === 'SIGKILL' ? 'SIGKILL' : 0, service.output);
    service = await StartedService.start(folder.path);
    assert.equal(service.output.includes(user.password), false, 'secrets are printed by the first start only');
    assert.equal(await books(), seen, `after ${signal}`);
  }
});

test('another seed and other hours than those of the first start are refused', async () => {
  for (const [flag, value] of [
    ['--seed', '2'],
    ['--hours', 'exchange'],
  ] as const) {
    const refused = await sauda(['start', flag, value, '--port', '0', '--operator-port', '0', '--data', folder.path]);
    assert.equal(refused.code, 78);
    assert.match(refused.stderr, /was first started with/);
  }
});

test('demo users keep the service on loopback', async () => {
  const other = temporaryFolder();
  try {
    const refused = await sauda([
      'start',
      '--host',
      '0.0.0.0',
      '--insecure',
      '--port',
      '0',
      '--operator-port',
      '0',
      '--data',
      other.path,
    ]);
    assert.equal(refused.code, 78, refused.stderr);
    assert.match(refused.stderr, /loopback/);
    assert.match(refused.stderr, /SAUDA_DEMO=off/);
    const open = await StartedService.start(other.path, {
      SAUDA_DEMO: 'off',
      SAUDA_HOST: '0.0.0.0',
      SAUDA_INSECURE: 'on',
      SAUDA_HOURS: 'exchange',
    });
    assert.match(open.output, /hours exchange/);
    assert.doesNotMatch(open.output, /demo/i);
    const none = await sauda(['demo', 'credentials', '--json', '--data', other.path]);
    assert.equal(none.code, 1);
    assert.equal(none.stdout, '');
    assert.match(none.stderr, /has no demo users/);
    assert.equal(await open.end('SIGTERM'), 0);
  } finally {
    await other.remove();
  }
});

test('a lost key file is reported and not replaced', async () => {
  assert.equal(await service.end('SIGINT'), 0, 'an orderly end');
  const [key, kept] = [join(folder.path, 'secret.key'), join(folder.path, 'kept')];
  renameSync(key, kept);
  const refused = await sauda(['start', '--port', '0', '--operator-port', '0', '--data', folder.path]);
  assert.equal(refused.code, 78);
  assert.match(refused.stderr, /secret\.key/);
  renameSync(kept, key);
  service = await StartedService.start(folder.path);
});

test('a first start that is killed at random moments ends with three users all the same', async () => {
  const other = temporaryFolder();
  try {
    const env = environment({ SAUDA_PORT: '0', SAUDA_OPERATOR_PORT: '0', SAUDA_DATA: other.path });
    for (const afterMs of [150, 400, 700, 1_000]) {
      const child = execFile(process.execPath, [LAUNCHER, 'start'], { env });
      const gone = new Promise((resolve) => child.on('exit', resolve));
      setTimeout(() => child.kill('SIGKILL'), afterMs);
      await gone;
    }
    const last = await StartedService.start(other.path);
    const users = last.demoUsers();
    assert.equal(new Set(users.map(({ userId }) => userId)).size, 3);
    for (const user of users) {
      const { status, body } = await last.call('login', loginBody(user));
      assert.equal(status, 200, JSON.stringify(body));
      const who = { userId: user.userId, jKey: (body.data as Record<string, string>).susertoken };
      const limit = (await last.call('limit', who)).body.data as Record<string, string>;
      assert.equal(limit.cash, '1000000.00');
      assert.equal((await sharesOf(last, who)).length, 3);
    }
    assert.equal(await last.end('SIGTERM'), 0);
    // Not sooner: the last thing that a first start writes is that it has shown the users.
    const names = readdirSync(other.path);
    assert.ok(!names.some((name) => name.endsWith('.new')), names.join());
  } finally {
    await other.remove();
  }
});
