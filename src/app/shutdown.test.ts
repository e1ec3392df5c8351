import assert from 'node:assert/strict';
import { Agent, createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { endInOrder } from './shutdown.ts';

interface Answer {
  readonly connection: string | undefined;
  readonly body: string;
}

function get(server: Server, agent: Agent): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ port, agent, path: '/' }, (response) => {
      const chunks: string[] = [];
      response.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
      response.on('end', () => resolve({ connection: response.headers.connection, body: chunks.join('') }));
    });
    sent.on('error', reject).end();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

test('an end in order answers running requests, asks each client to leave, then stops and exits', async () => {
  const steps: string[] = [];
  const held = Promise.withResolvers<() => void>();
  const server = createServer((_request, response) => {
    const answer = (): void => {
      steps.push('answered');
      response.end('done');
    };
    if (steps.length === 0) {
      steps.push('first');
      answer();
    } else held.resolve(answer);
  });
  // On a busy machine the time of an idle connection may be over just when the second request takes it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.equal((await get(server, agent)).connection, 'keep-alive');

  const running = get(server, agent);
  // A request that fails fails the test here.
  const answer = await Promise.race([held.promise, running.then(() => assert.fail('nothing was held'))]);
  const ended = endInOrder({
    announce: () => steps.push('announced'),
    listeners: [{ server, close: () => closed(server) }],
    stop: async () => {
      steps.push('stopped');
    },
    exit: () => steps.push('exited'),
  });
  answer();
  assert.equal((await running).body, 'done');
  await ended;
  assert.deepEqual(steps, ['first', 'answered', 'announced', 'answered', 'stopped', 'exited']);
  assert.equal(server.listening, false);
  agent.destroy();
});

test('a request that comes on an open connection during the end is answered with connection: close', async () => {
  const server = createServer((_request, response) => response.end('done'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true });
  const release = Promise.withResolvers<void>();
  const ended = endInOrder({
    announce: () => undefined,
    listeners: [{ server, close: () => release.promise.then(() => closed(server)) }],
    stop: async () => undefined,
    exit: () => undefined,
  });
  assert.equal((await get(server, agent)).connection, 'close');
  release.resolve();
  await ended;
  agent.destroy();
});

test('requests that never come whole keep several listeners no longer than one, so that the end stays in order', async () => {
  const steps: string[] = [];
  const sockets: Socket[] = [];
  const listeners = [];
  for (const _ of ['first', 'second']) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const seen = new Promise((resolve) => server.once('connection', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    await seen;
    sockets.push(socket);
    listeners.push({ server, close: () => closed(server) });
  }
  await endInOrder({
    announce: () => steps.push('announced'),
    listeners,
    stop: async () => {
      steps.push('stopped');
    },
    exit: () => steps.push('exited'),
  });
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(steps, ['announced', 'stopped', 'exited'], 'the end is over before the limit ends the process');
});
