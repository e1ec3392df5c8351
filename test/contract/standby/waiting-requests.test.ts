import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TlsFiles } from '../../../src/gateway/http/connections/tls-files.ts';
import { createStandbyServer, type StandbyServer } from '../../../src/gateway/standby/standby-server.ts';
import { TLS } from '../../kit/wire/secure.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

interface Standby {
  readonly server: StandbyServer;
  /** The status of a placed question, once it is answered. */
  readonly ask: () => Promise<number>;
}

async function standbyOf(tls: TlsFiles | undefined, awaitsLeader: () => boolean): Promise<Standby> {
  const server = createStandbyServer({
    standby: {
      leader: () => undefined,
      words: () => 'waits',
      sharedFiles: () => ({}),
      isReady: () => true,
      awaitsLeader,
    },
    marketLabel: 'simulated',
    scenarios: 'off',
    ...(tls && { tls }),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, path: '/V1/limit', method: 'POST' };
  const headers = { 'content-type': 'application/json', host: 'localhost' };
  return {
    server,
    ask: async () => {
      const sent = tls
        ? secureRequest({ ...options, headers, ca: tls.cert, servername: 'localhost', agent: false })
        : plainRequest({ ...options, headers, agent: false });
      sent.end(JSON.stringify(ALICE.credentials));
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode;
    },
  };
}

for (const [name, tls] of [
  ['plain', undefined],
  ['TLS', TLS],
] as const) {
  test(`requests that wait for a leader are answered by its gateway: ${name}`, async () => {
    const world = await openWorld(tls && { tls });
    let awaits = true;
    const { server, ask } = await standbyOf(tls, () => awaits);
    let [came, answered] = [0, 0];
    server.server.on('connection', () => {
      came += 1;
    });
    const asked = Array.from({ length: 20 }, async () => {
      const status = await ask();
      answered += 1;
      return status;
    });
    while (came < asked.length) await Promise.race([once(server.server, 'connection'), ...asked]);
    assert.equal(answered, 0);
    server.leaveTo(world.server);
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]));
    awaits = false;
    await server.close();
    await world.close();
  });

  test(`a follower answers at once while a leader is known: ${name}`, async () => {
    const { server, ask } = await standbyOf(tls, () => false);
    assert.equal(await ask(), 503);
    await server.close();
  });
}
