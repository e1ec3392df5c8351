import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  type DemoUser,
  environment,
  LAUNCHER,
  PROJECT,
  StartedService,
  sauda,
  temporaryFolder,
} from '../process/start/started-service.ts';

/*
 * The command as an agent's program runs it: a process that speaks over its standard input and output, and trades on a
 * started service.
 */

const folder = temporaryFolder();
let service: StartedService;
let user: DemoUser;

before(async () => {
  service = await StartedService.start(folder.path);
  const known = service.demoUsers().find(({ totpSecret }) => totpSecret !== undefined);
  assert.ok(known);
  user = known;
});

after(() => folder.remove());

function credentials(): Record<string, string> {
  const { userId, password, totpSecret = '', vendorCode, apiKey } = user;
  return {
    SAUDA_URL: service.base,
    SAUDA_USER: userId,
    SAUDA_PASSWORD: password,
    SAUDA_TOTP_SECRET: totpSecret,
    SAUDA_API_KEY: apiKey,
    SAUDA_VENDOR_CODE: vendorCode,
  };
}

/** The command as a process, with an agent's client. `complaints` gives the text of its standard error until now. */
async function connected(env: Record<string, string>, ...flags: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp', ...flags],
    env: environment(env),
    cwd: PROJECT,
    stderr: 'pipe',
  });
  let complaints = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, complaints: (): string => complaints };
}

test('an agent reads, previews and places over standard input and output, and sees no credential', async () => {
  const flags = ['--allow-trading', '--max-order-value', '50000', '--max-orders', '1'];
  const { client, complaints } = await connected(credentials(), ...flags);
  const seen: string[] = [];
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given });
    seen.push(JSON.stringify(result));
    return { data: (result.structuredContent ?? {}) as Record<string, unknown>, isError: result.isError === true };
  };
  seen.push(JSON.stringify(await client.listTools()));
  const who = await call('user_details', {});
  assert.equal(who.isError, false, seen.join());
  const share = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
  const order = { ...share, transactionType: 'B', product: 'C', priceType: 'MKT', quantity: '1' };
  const preview = await call('preview_order', order);
  assert.equal(preview.isError, false, seen.join());
  const placed = await call('place_order', { ...order, token: preview.data.token });
  assert.equal(placed.isError, false, seen.join());
  const [row] = placed.data.rows as { status: string }[];
  assert.equal(row?.status, 'COMPLETE');
  assert.equal((await call('trade_book', {})).data.total, 1);
  assert.ok(!('token' in (await call('preview_order', order)).data), 'one order was the cap');
  await client.close();
  for (const secret of [user.password, user.totpSecret ?? '', user.apiKey]) {
    assert.ok(!seen.some((text) => text.includes(secret)) && !complaints().includes(secret));
  }
  assert.doesNotMatch(seen.join(), /[0-9a-f]{64}/, 'no token of a session');
});

test("an agent that has the operator's token sets the clock of the market, and never sees the token", async () => {
  const token = readFileSync(join(service.data, 'operator.token'), 'utf8').trim();
  const given = { ...credentials(), SAUDA_OPERATOR_URL: service.operator, SAUDA_OPERATOR_TOKEN: token };
  const { client } = await connected(given, '--allow-time');
  const seen: string[] = [];
  const call = async (name: string, fields: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: fields });
    seen.push(JSON.stringify(result));
    assert.notEqual(result.isError, true, seen.join());
    return (result.structuredContent ?? {}) as Record<string, unknown>;
  };
  assert.equal((await call('clock_show')).speed, 1);
  const paused = await call('clock_pause', { why: 'a lesson' });
  assert.equal(paused.speed, 0);
  assert.deepEqual((paused.set as Record<string, string>).by, 'sauda mcp');
  const stepped = await call('clock_step', { for: '90s' });
  const at = (clock: Record<string, unknown>): number => Date.parse(`${String(clock.market).replace(' ', 'T')}Z`);
  assert.equal(at(stepped) - at(paused), 90_000);
  await client.close();
  assert.ok(!seen.join().includes(token));
});

test('a server that would log in over plain HTTP to another machine warns of it, as sauda login does', async () => {
  const warnedAt = async (more: Record<string, string>, ...flags: string[]): Promise<string> => {
    const { client, complaints } = await connected({ ...credentials(), ...more }, ...flags);
    await client.close();
    return complaints();
  };
  assert.doesNotMatch(await warnedAt({}), /plain HTTP/);
  assert.match(await warnedAt({ SAUDA_URL: 'http://192.0.2.1:8080' }), /http:\/\/192\.0\.2\.1:8080 is plain HTTP/);
  const operator = { SAUDA_OPERATOR_URL: 'http://192.0.2.1:8081', SAUDA_OPERATOR_TOKEN: 'a'.repeat(64) };
  assert.match(await warnedAt(operator, '--allow-time'), /http:\/\/192\.0\.2\.1:8081 is plain HTTP/);
});

test('without credentials the command says which are missing, and ends', async () => {
  const { code, stderr, stdout } = await sauda(['mcp'], {});
  assert.equal(code, 64);
  assert.match(stderr, /SAUDA_USER is not set/);
  assert.equal(stdout, '');
  const wrong = await sauda(['mcp', '--max-orders', '-1'], credentials());
  assert.equal(wrong.code, 64);
  assert.match(wrong.stderr, /a whole number is needed/);
  const beyond = await sauda(['mcp', '--http', '65536'], credentials());
  assert.equal(beyond.code, 64, beyond.stderr);
  assert.match(beyond.stderr, /--http.*a whole number from 0 to 65535 is needed/);
});
