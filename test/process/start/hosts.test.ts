import assert from 'node:assert/strict';
import { hostname, networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import type { Seen } from '../../kit/wire/wire-checks.ts';
import { StartedService, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
const served = temporaryFolder();
after(() => Promise.all([folder.remove(), served.remove()]));

async function ask(port: number, host: string, path = '/livez'): Promise<Seen> {
  const connection = await RawConnection.open(port);
  connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const seen = seenOf(await connection.next());
  connection.socket.destroy();
  return seen;
}

const portOf = (url: string): number => Number(new URL(url).port);

test('DNS rebinding reaches neither port of a service, and its own names and those of the settings do', async () => {
  const service = await StartedService.start(folder.path, { SAUDA_HOSTS: 'trade.example, 10.9.8.7' });
  for (const port of [portOf(service.base), portOf(service.operator)]) {
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, 'LocalHost', 'trade.example', '10.9.8.7:443']) {
      assert.equal((await ask(port, host)).status, 200, `${port} ${host}`);
    }
    for (const host of ['rebind.example', `rebind.example:${port}`, 'localhost.example', hostname(), '10.9.8.6']) {
      for (const path of ['/livez', '/metrics', '/openapi.json', '/users', '/nothing']) {
        const { status, text } = await ask(port, host, path);
        assert.equal(status, 400, `${port} ${host} ${path}`);
        assert.match(text, /the setting hosts/);
      }
    }
  }
  await service.end('SIGTERM');
});

test('every answer of both ports is kept nowhere and taken for nothing else', async () => {
  const service = await StartedService.start(folder.path);
  for (const port of [portOf(service.base), portOf(service.operator)]) {
    for (const [line, status] of [
      ['GET /livez HTTP/1.1', 200],
      ['GET /openapi.json HTTP/1.1', port === portOf(service.base) ? 200 : 404],
      ['GET /metrics HTTP/1.1', port === portOf(service.base) ? 404 : 200],
      ['POST /users HTTP/1.1', port === portOf(service.base) ? 404 : 401],
      ['GET /nothing HTTP/1.1', 404],
      ['GET /%zz HTTP/1.1', 404],
      ['GET /users/%zz/limit HTTP/1.1', 404],
      ['HELLO', 400],
    ] as const) {
      const connection = await RawConnection.open(port);
      connection.socket.write(`${line}\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
      const seen = seenOf(await connection.next());
      connection.socket.destroy();
      assert.equal(seen.status, status, `${port} ${line}`);
      assert.equal(seen.headers['cache-control'], 'no-store', `${port} ${line}`);
      assert.equal(seen.headers['x-content-type-options'], 'nosniff', `${port} ${line}`);
    }
    const hosts = await RawConnection.open(port);
    hosts.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n');
    assert.equal(seenOf(await hosts.next()).status, 400);
    const none = await RawConnection.open(port);
    none.socket.write('GET /livez HTTP/1.1\r\n\r\n');
    assert.equal(seenOf(await none.next()).status, 400);
    for (const { socket } of [hosts, none]) socket.destroy();
  }
  await service.end('SIGTERM');
});

test('a service that listens everywhere answers to the names and the addresses of its machine', async () => {
  const settings = { SAUDA_HOST: '0.0.0.0', SAUDA_INSECURE: 'on', SAUDA_DEMO: 'off' };
  const service = await StartedService.start(served.path, settings);
  const port = portOf(service.base);
  for (const host of ['localhost', '127.0.0.1', '0.0.0.0', hostname(), `${hostname().toUpperCase()}:${port}`]) {
    assert.equal((await ask(port, host)).status, 200, host);
  }
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address } of addresses.filter(({ family }) => family === 'IPv4')) {
    assert.equal((await fetch(`http://${address}:${port}/livez`)).status, 200, address);
  }
  assert.equal((await ask(port, 'rebind.example')).status, 400);
  await service.end('SIGTERM');
});
