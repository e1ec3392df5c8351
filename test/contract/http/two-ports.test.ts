import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { createOperatorServer, type OperatorServerParts } from '../../../src/operator/http/operator-server.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const TOKEN = 'f'.repeat(64);
const OPERATOR = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
/** The requests that both ports answer, for a program that watches over the service. */
const SHARED = ['/livez', '/readyz'];

/** The operator's side with its routes; nothing of its desks is asked for here. */
async function operatorSide() {
  const parts = {
    token: TOKEN,
    readiness: () => [],
    figures: [],
    onFailure: (error: unknown) => assert.fail(String(error)),
  };
  const server = createOperatorServer(parts as Partial<OperatorServerParts> as OperatorServerParts);
  const routes: { readonly method: 'GET' | 'POST'; readonly url: string }[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of ['GET', 'POST'] as const) if ([method].flat().includes(one)) routes.push({ method: one, url });
  });
  await server.ready();
  return { server, routes };
}

test('no path of the operator is on the port of clients, with his token or without', async () => {
  const world = await openWorld();
  const { server, routes } = await operatorSide();
  assert.ok(routes.length >= 15, 'the routes of the operator are known');
  for (const { method, url } of [...routes, { method: 'GET' as const, url: '/metrics' }]) {
    for (const path of [url.replace(':userId', 'AB1234'), `/V1${url.replace(':userId', 'AB1234')}`]) {
      for (const headers of [OPERATOR, { 'content-type': 'application/json' }]) {
        const seen = await world.send(
          method,
          path,
          headers,
          method === 'POST' ? JSON.stringify(ALICE.credentials) : undefined,
        );
        assertFailure(seen, 404, 'NOT_FOUND', 'path');
      }
    }
  }
  await server.close();
  await world.close();
});

test('no path of clients is on the port of the operator, with his token or without', async () => {
  const { server } = await operatorSide();
  const paths = [...OPERATIONS.map(({ path }) => `/V1${path}`), '/V1/symbols/NSE', '/openapi.json', '/V1', '/'];
  for (const url of paths) {
    for (const method of ['GET', 'POST'] as const) {
      for (const headers of [OPERATOR, {}]) {
        const response = await server.inject({ method, url, headers, ...(method === 'POST' && { payload: '{}' }) });
        assert.equal(response.statusCode, 404, `${method} ${url}`);
      }
    }
  }
  for (const url of SHARED) assert.equal((await server.inject(url)).statusCode, 200);
  await server.close();
});

test('every action of the operator needs his token, whole and right', async () => {
  const { server, routes } = await operatorSide();
  for (const { method, url } of routes) {
    const path = url.replace(':userId', 'AB1234');
    for (const authorization of [
      undefined,
      TOKEN,
      `Bearer ${TOKEN.slice(1)}`,
      `Bearer ${TOKEN}x`,
      `Basic ${TOKEN}`,
      `bearer ${TOKEN}`,
    ]) {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
      const response = await server.inject({ method, url: path, headers, ...(method === 'POST' && { payload: '{}' }) });
      assert.equal(response.statusCode, 401, `${method} ${path} ${authorization}`);
    }
  }
  await server.close();
});

test('a session of a client is not a token of the operator, and his token is not a session', async () => {
  const world = await openWorld();
  const { server } = await operatorSide();
  const { userId, jKey } = ALICE.credentials;
  const asClient = await server.inject({ url: '/switches', headers: { authorization: `Bearer ${jKey}` } });
  assert.equal(asClient.statusCode, 401);
  assertFailure(await world.post('/limit', { userId, jKey: TOKEN }, OPERATOR), 401, 'INVALID_JKEY', 'jKey');
  await server.close();
  await world.close();
});
