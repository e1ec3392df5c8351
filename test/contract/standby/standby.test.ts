import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createStandbyServer, type StandbyServer } from '../../../src/gateway/standby/standby-server.ts';

const LEADER = 'https://b.example:8080';

describe('the V1 address of a member that follows', () => {
  let server: StandbyServer;
  let url: string;
  let leader: string | undefined = LEADER;
  let isReady = true;
  let awaitsLeader = false;
  before(async () => {
    server = createStandbyServer({
      standby: {
        leader: () => leader,
        words: () => 'follows b, 3 records behind',
        sharedFiles: () => ({ identity: 'd1' }),
        isReady: () => isReady,
        awaitsLeader: () => awaitsLeader,
      },
      marketLabel: 'simulated',
      scenarios: 'off',
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it('answers every operation 503 in the envelope, with Retry-After and the leader', async () => {
    for (const body of ['{}', 'no JSON', 'x'.repeat(100_000)]) {
      const response = await fetch(`${url}/V1/placeOrder`, { method: 'POST', body });
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('retry-after'), '1');
      assert.equal(response.headers.get('sauda-leader'), LEADER);
      assert.equal(response.headers.get('x-market'), 'simulated');
      assert.deepEqual(await response.json(), {
        status: 'failed',
        code: '503',
        name: 'SERVICE_UNAVAILABLE',
        error: { field: 'server', message: 'this member follows b, 3 records behind; nothing was done' },
      });
    }
  });

  it('names no leader while none is known', async () => {
    leader = undefined;
    const response = await fetch(`${url}/V1/orderBook`, { method: 'POST', body: '{}' });
    assert.equal(response.headers.get('sauda-leader'), null);
    leader = LEADER;
  });

  it('lives, and is ready for those only who ask for a follower that is caught up', async () => {
    assert.equal((await fetch(`${url}/livez`)).status, 200);
    const ready = await fetch(`${url}/readyz`);
    assert.equal(ready.status, 503);
    assert.match(await ready.text(), /follows b, 3 records behind/);
    assert.equal((await fetch(`${url}/readyz?follower=ok`)).status, 200);
    isReady = false;
    assert.equal((await fetch(`${url}/readyz?follower=ok`)).status, 503);
    assert.deepEqual(((await (await fetch(`${url}/cluster/files`)).json()) as { data: unknown }).data, {
      identity: 'd1',
    });
  });

  it('sends a browser to the page of the leader', async () => {
    const page = await fetch(`${url}/docs?a=b`, { redirect: 'manual' });
    assert.equal(page.status, 307);
    assert.equal(page.headers.get('location'), `${LEADER}/docs?a=b`);
  });

  it('closes a WebSocket with the leader as the reason', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/stream`);
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    assert.deepEqual([code, String(reason)], [1013, `leader ${LEADER}`]);
  });

  it('lets requests wait while a leader is about to be known, and no longer', async () => {
    awaitsLeader = true;
    const asked = fetch(`${url}/V1/orderBook`, { method: 'POST', body: '{}' });
    const first = await Promise.race([asked.then(() => 'answered'), sleep(100, 'waits')]);
    assert.equal(first, 'waits');
    awaitsLeader = false;
    const response = await asked;
    assert.deepEqual([response.status, response.headers.get('sauda-leader')], [503, LEADER]);
  });

  it('answers a request 503 that has waited for its time', async () => {
    awaitsLeader = true;
    assert.equal((await fetch(`${url}/V1/orderBook`, { method: 'POST', body: '{}' })).status, 503);
    awaitsLeader = false;
  });

  it('hands its listening over to another server, without a refused connection', async () => {
    const next = createServer((_request, response) => response.end('the leader'));
    const asked = (async () => {
      const answers: number[] = [];
      for (let count = 0; count < 60; count += 1) answers.push((await fetch(`${url}/livez`)).status);
      return answers;
    })();
    awaitsLeader = true;
    const waits = fetch(`${url}/V1/orderBook`, { method: 'POST', body: '{}' });
    await sleep(50);
    next.listen(server.server);
    await once(next, 'listening');
    server.leaveTo(next);
    assert.equal(await (await waits).text(), 'the leader');
    assert.deepEqual(new Set(await asked), new Set([200]));
    assert.equal(await (await fetch(`${url}/livez`)).text(), 'the leader');
    next.closeAllConnections();
    next.close();
  });
});
