import { setImmediate } from 'node:timers/promises';
import { assert } from '../../../src/base/assert.ts';
import type { Random } from '../../../src/base/random.ts';
import type { LongReply } from '../../../src/gateway/http/long-reply.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { createGateway } from '../../../src/gateway/http/server.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { wholeReply } from '../../kit/whole-reply.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { FuzzRequest } from './requests.ts';

/** Where requests go in. */
export interface Front {
  answer(request: FuzzRequest): Reply | Promise<Reply>;
  close(): Promise<void>;
}

export type OpenFront = (world: FuzzWorld, random: Random) => Promise<Front>;

/** The wire itself, without HTTP. */
export const openWire: OpenFront = async (world, random) => {
  const wire = new Wire(world.deps);
  const answer = async ({ operation, text, idempotencyKey }: FuzzRequest): Promise<Reply> => {
    // Requests that come one by one are not a queue: each has a turn of the event loop to itself.
    await setImmediate();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    let now: Reply | undefined;
    const send = (reply: Reply): void => {
      assert(now === undefined, 'a request is answered once');
      now = reply;
      resolve(reply);
    };
    const sendLong = (reply: LongReply): void => send(wholeReply(reply));
    const call = {
      address: `10.0.0.${random.below(250) % 2}`,
      idempotencyKey,
      belongTo: () => true,
      send,
      sendLong,
      cut: reject,
    };
    const routed = wire.route('POST', `/V1${operation.path}`, call);
    assert(routed === operation, 'the path leads to its operation');
    wire.enter(operation, text, call);
    return promise;
  };
  return { answer, close: async () => undefined };
};

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset=UTF-8',
  'application/json ;x=y',
];
const MOST_PIECES = 5;

/** A gateway on a port: requests in heads of many shapes, whole or in pieces, on connections that stay or not. */
export const openSockets: OpenFront = async (world, random) => {
  const gateway = createGateway(world.deps);
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  const address = gateway.server.address();
  assert(typeof address === 'object' && address !== null, 'a port');
  let connection = await RawConnection.open(address.port);
  const answer = async (request: FuzzRequest): Promise<Reply> => {
    if (random.chance(10)) {
      connection.socket.destroy();
      connection = await RawConnection.open(address.port);
    }
    await writeInPieces(connection, bytesOf(request, random), random);
    const { status, headers, text } = seenOf(await connection.next());
    if (headers.connection === 'close') connection = await RawConnection.open(address.port);
    assert(headers['x-market'] === 'simulated', 'every response says which market it speaks of');
    return { status, type: String(headers['content-type']), body: text, headers: [] };
  };
  const close = async (): Promise<void> => {
    connection.socket.destroy();
    await gateway.close();
  };
  return { answer, close };
};

function bytesOf({ operation, text, idempotencyKey }: FuzzRequest, random: Random): Buffer {
  const body = Buffer.from(text);
  const headers = [`Host: localhost`, `Content-Type: ${random.pick(TYPES)}`, 'User-Agent: sauda-fuzz', 'Accept: */*'];
  if (typeof idempotencyKey === 'string') headers.push(`Idempotency-Key: ${idempotencyKey}`);
  if (random.chance(10)) headers.push('Connection: close');
  if (random.chance(20)) headers.reverse();
  const target = random.chance(10) ? `/V1${operation.path}?x=%zz&y=` : `/V1${operation.path}`;
  const head = (framing: string) => `POST ${target} HTTP/1.1\r\n${[...headers, framing].join('\r\n')}\r\n\r\n`;
  if (random.chance(80) || body.length === 0) {
    return Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`), 'latin1'), body]);
  }
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  return Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked'), 'latin1'), chunk]);
}

/** Cut anywhere: inside of a line, of a name, of a character. */
async function writeInPieces({ socket }: RawConnection, bytes: Buffer, random: Random): Promise<void> {
  const cuts = random.chance(50)
    ? []
    : Array.from({ length: random.between(1, MOST_PIECES) }, () => random.below(bytes.length));
  let from = 0;
  for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
    const piece = bytes.subarray(from, cut);
    from = cut;
    await new Promise<void>((written) => socket.write(piece, () => written()));
  }
}
