import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Sauda } from '../../client/src/sauda.ts';
import { NodeSocket } from '../../client/src/stream/node-socket.ts';

test('a socket that is given up before the upgrade is answered leaves no connection open', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const stream = new Sauda({ url, userId: 'SD1001', token: 'token', WebSocket: NodeSocket, silenceMs: 300 }).stream();
  const down = new Promise((resolve) => void stream.on('down', ({ code, reason }) => resolve({ code, reason })));
  const [connection] = (await once(silent, 'connection')) as [Socket];
  const isGone = new Promise<boolean>((resolve) => {
    connection.on('error', () => undefined).on('close', () => resolve(true));
    setTimeout(() => resolve(false), 5_000).unref();
  });
  connection.resume();
  assert.deepEqual(await down, { code: 4000, reason: 'nothing came for too long' });
  stream.close();
  assert.equal(await isGone, true);
  silent.close();
});
