import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import { createGateway } from '../../../src/gateway/http/server.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { Episode, type Tally } from './episode.ts';
import { openSockets } from './front.ts';
import { FuzzWorld } from './fuzz-world.ts';

/** A tenth of what goes in without sockets. */
const REQUESTS = Math.ceil(Number(process.env.SAUDA_FUZZ ?? 10_000) / 10);
const SEED = Number(process.env.SAUDA_FUZZ_SEED ?? 20261121);
const EPISODE = 1_000;
const NOW = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);

test('through sockets, in pieces and in heads of many shapes, the same holds', async (context) => {
  const tally: Tally = new Map();
  for (let sent = 0, seed = SEED; sent < REQUESTS; sent += EPISODE, seed += 1) {
    const episode = await Episode.open(seed, tally, openSockets);
    await episode.run(Math.min(EPISODE, REQUESTS - sent));
  }
  context.diagnostic(`${REQUESTS} requests through sockets, seeds from ${SEED}`);
  assert.ok([...tally.keys()].some((key) => key.endsWith(' 200')));
});

const BODY = '{"userId":"x","jKey":"y"}';
const WHOLE = `POST /V1/limit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

/** A request with some of its bytes changed, left out, doubled, or in the place of others. */
function spoiled(random: Random): Buffer {
  let bytes = Buffer.from(WHOLE, 'latin1');
  for (let count = random.between(1, 2); count > 0; count -= 1) {
    const at = random.below(bytes.length);
    const length = random.between(1, 8);
    const piece = bytes.subarray(at, at + length);
    const random8 = Buffer.from(Array.from({ length }, () => random.below(256)));
    const parts = random.pick([
      [bytes.subarray(0, at), random8, bytes.subarray(at + length)],
      [bytes.subarray(0, at), bytes.subarray(at + length)],
      [bytes.subarray(0, at), piece, piece, bytes.subarray(at + length)],
      [bytes.subarray(0, at), Buffer.from(random.pick(['\r\n', '\n', '\0', ' ', ':', ',', '\t'])), bytes.subarray(at)],
    ]);
    bytes = Buffer.concat(parts);
  }
  return bytes;
}

test('bytes that were spoiled on their way get an envelope or silence, never a 5xx', async (context) => {
  const world = await FuzzWorld.open({ regime: 'always', at: NOW, rateLimit: 'off', slicing: 'off' });
  const gateway = createGateway(world.deps);
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => gateway.close());
  const { port } = gateway.server.address() as { port: number };
  const before = world.live.hash();
  const statuses = new Map<number, number>();
  for (let index = 0; index < REQUESTS; index += 1) {
    const bytes = spoiled(new Random(SEED + index));
    const connection = await RawConnection.open(port);
    // The end of what is sent lets a server that waits for more give up at once.
    connection.socket.end(bytes);
    const response = await connection.next();
    connection.socket.destroy();
    if (response === '') continue;
    const { status, headers, text } = seenOf(response);
    const what = `SAUDA_FUZZ_SEED=${SEED + index}: ${JSON.stringify(bytes.toString('latin1'))} was answered ${response}`;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.ok(status >= 400 && status < 500, what);
    assert.equal(headers['x-market'], 'simulated', what);
    const body = JSON.parse(text) as { status: string; code: string };
    assert.deepEqual([body.status, body.code], ['failed', String(status)], what);
  }
  assert.deepEqual(world.failures, []);
  assert.equal(world.live.hash(), before);
  context.diagnostic(`answers by status: ${JSON.stringify([...statuses])}`);
  assert.ok(statuses.size >= 3, 'faults of several kinds are distinguished');
});
