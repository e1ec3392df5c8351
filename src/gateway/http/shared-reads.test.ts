import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SharedReads } from './shared-reads.ts';

interface Listening {
  readonly server: Server;
  readonly reads: SharedReads;
  /** A client, and the connection as the server has it. */
  open(): Promise<{ client: Socket; served: Socket }>;
}

/** A server for the time of a test. */
async function listen(t: TestContext): Promise<Listening> {
  const opened: Socket[] = [];
  t.after(() => {
    for (const socket of opened) socket.destroy();
  });
  const reads = new SharedReads();
  const server = createServer({ allowHalfOpen: true });
  reads.guard(server);
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const open = async (): Promise<{ client: Socket; served: Socket }> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [served] = await accepted;
    opened.push(client, served);
    return { client, served };
  };
  return { server, reads, open };
}

/** The next bytes of a connection, and the memory that they came in. */
function nextOf(reads: SharedReads, socket: Socket): Promise<{ text: string; room: ArrayBufferLike }> {
  return new Promise((resolve) => {
    reads.begin(socket, (bytes) => resolve({ text: bytes.toString('latin1'), room: bytes.buffer }));
  });
}

test('connections are read into one room, each for its own taker', async (t) => {
  const { reads, open } = await listen(t);
  const [one, other] = [await open(), await open()];
  const [first, second] = [nextOf(reads, one.served), nextOf(reads, other.served)];
  one.client.write('one');
  other.client.write('other');
  assert.equal((await first).text, 'one');
  assert.equal((await second).text, 'other');
  assert.equal((await first).room, (await second).room, 'the one room');
});

test('without a taker the bytes go the common way, in memory of their own', async (t) => {
  const { reads, open } = await listen(t);
  const { client, served } = await open();
  const taken = nextOf(reads, served);
  client.write('taken');
  const { room } = await taken;
  reads.end(served, () => undefined);
  const flowing = once(served, 'data') as Promise<[Buffer]>;
  client.write('flowing');
  const [chunk] = await flowing;
  assert.equal(chunk.toString('latin1'), 'flowing');
  assert.notEqual(chunk.buffer, room);
});

test('a connection that is not read takes in no more than a stream wants, and all of it comes later', async (t) => {
  const { open } = await listen(t);
  const { client, served } = await open();
  const sent = Buffer.alloc(8 * 1024 * 1024, 'x');
  client.end(sent);
  while (served.readableLength < served.readableHighWaterMark) await setTimeout(5);
  await setTimeout(50);
  assert.ok(served.readableLength <= 2 * served.readableHighWaterMark, `${served.readableLength} bytes were taken in`);
  let got = 0;
  served.on('data', (more: Buffer) => {
    got += more.length;
  });
  await once(served, 'end');
  assert.equal(got, sent.length);
});

test('a client that sends no more is answered still, and the server counts the connection until it has gone', async (t) => {
  const { server, reads, open } = await listen(t);
  const { client, served } = await open();
  const taken = nextOf(reads, served);
  client.end('the last');
  assert.equal((await taken).text, 'the last');
  if (!served.readableEnded) await once(served, 'end');
  const count = await new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
  assert.equal(count, 1);
  served.end('the answer');
  const [answer] = (await once(client, 'data')) as [Buffer];
  assert.equal(answer.toString('latin1'), 'the answer');
  await once(server.close(), 'close');
});
