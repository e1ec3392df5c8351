import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { OperatorPort, type Routes } from './operator-port.ts';

async function withPort(
  load: () => Promise<Routes>,
  body: (address: string, port: OperatorPort, failures: unknown[]) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const port = new OperatorPort(load, (error) => failures.push(error));
  await port.listen({ host: '127.0.0.1', port: 0 });
  const { port: number } = port.server.address() as AddressInfo;
  try {
    await body(`http://127.0.0.1:${number}`, port, failures);
  } finally {
    await port.close();
  }
}

function routesOf(answer: (request: IncomingMessage, response: ServerResponse) => void): Routes {
  return { ready: () => undefined, routing: answer, close: () => Promise.resolve() };
}

test('the routes are loaded once, and requests that come meanwhile wait for them', async () => {
  const { promise, resolve } = Promise.withResolvers<Routes>();
  let loads = 0;
  const load = (): Promise<Routes> => {
    loads += 1;
    return promise;
  };
  await withPort(load, async (address, port) => {
    const asked = Promise.all(['/a', '/b'].map((path) => fetch(address + path).then((answer) => answer.text())));
    const ready = port.ready();
    resolve(routesOf(({ url }, response) => response.end(url)));
    await ready;
    assert.deepEqual([await asked, loads], [['/a', '/b'], 1]);
  });
});

test('where the routes cannot be made, a request is answered 500 and the failure reported', async () => {
  const fault = new Error('no routes');
  await withPort(
    () => Promise.reject(fault),
    async (address, _port, failures) => {
      const answer = await fetch(address);
      assert.deepEqual([answer.status, answer.headers.get('cache-control'), failures], [500, 'no-store', [fault]]);
    },
  );
});

test('bytes which make no request are refused before any routes are there', async () => {
  let loads = 0;
  const load = (): Promise<Routes> => {
    loads += 1;
    return Promise.resolve(routesOf((_request, response) => response.end()));
  };
  await withPort(load, async (address) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('no request\r\n\r\n');
    await once(socket, 'close');
    assert.match(
      text,
      /^HTTP\/1\.1 400 Bad Request\r\n.*connection: close\r\n\r\n\{"error":"this is not a request"\}$/s,
    );
    assert.equal(loads, 0);
  });
});

test('a port that closes lets the last answer leave', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const load = (): Promise<Routes> => Promise.resolve(routesOf((_request, response) => resolve(response)));
  await withPort(load, async (address, port) => {
    const asked = fetch(address).then((answer) => answer.text());
    const response = await promise;
    const closed = port.close();
    response.setHeader('connection', 'close');
    response.end('last');
    assert.equal(await asked, 'last');
    await closed;
    await assert.rejects(fetch(address));
  });
});

test('a port keeps 64 connections and turns the others away, and one that ends makes room', async () => {
  await withPort(
    async () => routesOf((_request, response) => response.end('here')),
    async (address) => {
      const port = Number(new URL(address).port);
      const held = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
      await Promise.all(held.map((socket) => once(socket, 'connect')));
      const oneMore = connect(port, '127.0.0.1').on('error', () => undefined);
      const isTurnedAway = await Promise.race([once(oneMore, 'close').then(() => true), setTimeout(500, false)]);
      held[0]?.destroy();
      await setTimeout(20);
      const answer = await fetch(address, { headers: { connection: 'close' } });
      for (const socket of [...held, oneMore]) socket.destroy();
      assert.deepEqual([isTurnedAway, await answer.text()], [true, 'here']);
    },
  );
});

test('a head that does not come whole in ten seconds is cut off', async () => {
  await withPort(
    () => Promise.reject(new Error('nobody asks')),
    async (_address, { server }) => assert.equal(server.headersTimeout, 10_000),
  );
});

test('requests that come together on a connection are taken one after the other, and their answers are in order', async () => {
  let open = 0;
  let most = 0;
  const routes = routesOf(async ({ url }, response) => {
    open += 1;
    most = Math.max(most, open);
    await setTimeout(2);
    open -= 1;
    response.end(url);
  });
  await withPort(
    async () => routes,
    async (address) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      const request = (path: string, closes = ''): string => `POST ${path} HTTP/1.1\r\nHost: x\r\n${closes}`;
      const body = 'Content-Length: 2\r\n\r\n{';
      socket.write(`${request('/1')}\r\n${request('/2', body)}`);
      await setTimeout(20);
      socket.write(`}${request('/3')}\r\n${request('/4', 'Connection: close\r\n')}\r\n`);
      await once(socket, 'close');
      const answered = Array.from(text.matchAll(/^\/\d$|\/\d(?=HTTP)/gm), ([path]) => path);
      assert.deepEqual([answered, most], [['/1', '/2', '/3', '/4'], 1]);
    },
  );
});

test('a connection that brings more requests than may wait is cut off, and its requests are not taken', async () => {
  let taken = 0;
  const routes = routesOf((_request, response) => {
    taken += 1;
    response.end();
  });
  await withPort(
    async () => routes,
    async (address, port) => {
      await port.ready();
      const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => undefined);
      socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_300));
      await once(socket, 'close');
      await setTimeout(50);
      assert.ok(taken <= 1, `${taken} taken`);
    },
  );
});

test('an expectation that nobody knows is answered as any request, and a request for a tunnel as no request', async () => {
  await withPort(
    async () => routesOf((_request, response) => response.end('here')),
    async (address) => {
      const answerTo = async (head: string): Promise<string> => {
        const socket = connect(Number(new URL(address).port), '127.0.0.1');
        let text = '';
        socket.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk;
        });
        socket.write(`${head}\r\nConnection: close\r\n\r\n`);
        await once(socket, 'close');
        return text;
      };
      assert.match(await answerTo('GET / HTTP/1.1\r\nHost: x\r\nExpect: x'), /^HTTP\/1\.1 200 .*here$/s);
      const tunnel = await answerTo('CONNECT x:1 HTTP/1.1\r\nHost: x');
      assert.match(tunnel, /^HTTP\/1\.1 400 .*cache-control: no-store.*not a request"\}$/s);
    },
  );
});
