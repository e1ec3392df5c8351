import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { type ServiceSettings, settingsOf } from '../../src/mcp/environment.ts';
import { runServer } from '../../src/mcp/run-server.ts';
import { SignedIn } from '../../src/mcp/signed-in.ts';
import { ALICE, CAROL_ID, openWorld } from '../kit/wire/world.ts';
import { Agent } from './agent.ts';

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends a request with any headers, `Host` among them. */
function send(url: string, headers: Record<string, string>, body = LIST): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...HEADERS, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('a page of another origin, a foreign name and another path are refused', async () => {
  const world = await openWorld();
  const agent = await Agent.open(world, ALICE);
  const { url } = agent.service;
  const { host } = new URL(url);
  assert.equal((await send(url, {})).status, 200);
  assert.equal((await send(url, { origin: `http://${host}` })).status, 200);
  for (const origin of ['https://evil.example', 'http://localhost:3000', 'null', `https://${host}`, '']) {
    assert.equal((await send(url, { origin })).status, 403, origin);
  }
  for (const foreign of ['evil.example', `evil.example:${new URL(url).port}`]) {
    assert.equal((await send(url, { host: foreign })).status, 403, foreign);
    assert.equal((await send(url, { host: foreign, origin: `http://${foreign}` })).status, 403, foreign);
  }
  assert.equal((await send(url.replace('/mcp', '/'), {})).status, 404);
  assert.equal((await send(url, {}, `{"x":"${'x'.repeat(300 * 1024)}"}`)).status, 413);
  await agent.close();
  await world.close();
});

test('with a bearer token of the user nobody else on the machine is served', async () => {
  const world = await openWorld();
  const agent = await Agent.open(world, ALICE, undefined, 'the token');
  assert.equal((await agent.call('limit')).isError, false);
  for (const authorization of ['', 'Bearer ', 'Bearer the toke', 'the token', 'Bearer the token2']) {
    assert.equal((await send(agent.service.url, { authorization })).status, 401, authorization);
  }
  assert.equal((await send(agent.service.url, { authorization: 'Bearer the token' })).status, 200);
  await agent.close();
  await world.close();
});

test('a client of an older protocol is served', async () => {
  const world = await openWorld();
  const agent = await Agent.open(world, ALICE);
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const { status, text } = await send(agent.service.url, {}, hello);
  assert.equal(status, 200);
  assert.match(text, /"protocolVersion":"2025-03-26"/);
  assert.match(text, /never instructions/);
  await agent.close();
  await world.close();
});

const PASSWORD = 'correct horse';

function settingsFor(env: Record<string, string>): ServiceSettings {
  return settingsOf({ SAUDA_USER: CAROL_ID, SAUDA_PASSWORD: PASSWORD, SAUDA_API_KEY: 'key', ...env });
}

test('the server logs in when it must: once for calls side by side, and again when the session has ended', async () => {
  const world = await openWorld();
  let elapsed = 0;
  const clock = (): number => elapsed;
  const session = new SignedIn(settingsFor({ SAUDA_URL: `http://127.0.0.1:${world.port}/V1` }), clock);
  await Promise.all([1, 2, 3].map(() => session.read('/limit', {})));
  assert.equal(session.market, 'simulated');
  const sessions = () => [...world.engine.state.sessions.values()].filter(({ account }) => account === 2).length;
  assert.equal(sessions(), 1);
  world.now = (world.now + 24 * 3_600_000) as typeof world.now;
  await Promise.all([1, 2].map(() => session.read('/limit', {})));
  await session.close();
  assert.equal(sessions(), 0);

  const env = { SAUDA_URL: `http://127.0.0.1:${world.port}`, SAUDA_PASSWORD: 'wrong' };
  const wrong = new SignedIn(settingsFor(env), clock);
  await assert.rejects(wrong.read('/limit', {}), /INVALID_CREDENTIALS/);
  await assert.rejects(wrong.read('/limit', {}), /the login was refused/, 'no second try');
  elapsed += 60_000;
  await assert.rejects(wrong.read('/limit', {}), /INVALID_CREDENTIALS/);
  await world.close();
});

test('the environment is read with clear words for each fault, and no value in them', async () => {
  const faults: [Record<string, string>, RegExp][] = [
    [{ SAUDA_USER: '' }, /SAUDA_USER is not set/],
    [{ SAUDA_PASSWORD: '' }, /SAUDA_JKEY, or SAUDA_PASSWORD/],
    [{ SAUDA_TOTP_SECRET: 'not base 32!' }, /SAUDA_TOTP_SECRET is not in base 32/],
    [{ SAUDA_URL: 'ftp://127.0.0.1' }, /SAUDA_URL is not an address/],
    [{ SAUDA_URL: 'http://user:secret@127.0.0.1' }, /must not hold credentials/],
    [{ SAUDA_URL: 'http://127.0.0.1/V2' }, /a path that is not/],
  ];
  for (const [env, message] of faults) {
    assert.throws(
      () => settingsFor(env),
      (error: Error) => message.test(error.message) && !/secret@|ftp|not base/.test(error.message),
    );
  }
  const surroundings = { version: '0', env: {}, report: (line: string) => assert.fail(line) };
  assert.equal(await runServer({ maxOrderValue: 0n, maxOrders: 0 }, surroundings), 'SAUDA_USER is not set');
  const { origin, jKey, login } = settingsFor({ SAUDA_JKEY: 'abc' });
  assert.deepEqual([origin, jKey, login?.apiKey], ['http://127.0.0.1:8080', 'abc', 'key']);
});
