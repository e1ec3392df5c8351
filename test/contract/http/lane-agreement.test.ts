import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/base/random.ts';
import { RawConnection } from '../../kit/wire/raw-connection.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

/*
 * Requests that are broken at random are answered with the same bytes whether they come whole, so that the lane looks
 * at them, or in pieces, so that only Node's server does.
 */

const BODY = JSON.stringify(ALICE.credentials);
const PLAIN = [
  'POST /V1/limit HTTP/1.1',
  'Host: localhost:8080',
  'User-Agent: a/1 (b; c)',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  'Connection: keep-alive',
  'Idempotency-Key: 7',
  '',
  BODY,
].join('\r\n');
/** The bytes that are put in: single ones that have a meaning, and lines that do. */
const PIECES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    ' ',
    '\t',
    ':',
    '\0',
    '\x7f',
    '\xff',
    '/',
    '%',
    '?',
    '{',
    '"',
    '0',
    '9',
    '-',
    '+',
    ',',
    ';',
    'x',
  ],
  '\r\nHost: x',
  '\r\nContent-Length: 3',
  '\r\nTransfer-Encoding: chunked',
  '\r\nContent-Type: text/plain',
  '\r\nContent-Encoding: gzip',
  '\r\nContent-Encoding: identity',
  '\r\nConnection: close',
  '\r\nExpect: 100-continue',
  '\r\nUpgrade: h2c',
  '\r\n folded',
  '\r\n\r\n',
];

function broken(random: Random): Buffer {
  let text = PLAIN;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(text.length + 1);
    const gone = random.below(3) === 0 ? 1 + random.below(4) : 0;
    const put = random.below(4) === 0 ? '' : (PIECES[random.below(PIECES.length)] ?? '');
    text = text.slice(0, at) + put + text.slice(at + gone);
  }
  return Buffer.from(text, 'latin1');
}

/** All that comes back until the connection ends. */
async function answered(world: World, request: Buffer, inPieces: boolean): Promise<string> {
  const connection = await RawConnection.open(world.port);
  await connection.write(request, inPieces);
  await connection.ended;
  const seen: string[] = [];
  for (let next = await connection.next(); next !== ''; next = await connection.next()) seen.push(next);
  return seen.join('');
}

test('broken requests are answered alike, whoever reads them', async () => {
  const seed = 20_261_121;
  const random = new Random(seed);
  const world = await openWorld({ limits: { headMs: 1_500, requestMs: 1_500, keepAliveMs: 300 } });
  const statuses = new Set<string>();
  try {
    for (let round = 0; round < 5; round += 1) {
      const requests = Array.from({ length: 60 }, () => broken(random));
      await Promise.all(
        requests.map(async (request) => {
          const [whole, pieces] = await Promise.all([answered(world, request, false), answered(world, request, true)]);
          assert.equal(whole, pieces, `seed ${seed}: ${JSON.stringify(request.toString('latin1'))}`);
          statuses.add(whole.slice(9, 12));
        }),
      );
    }
    for (const status of ['200', '400', '401', '404', '415']) assert.ok(statuses.has(status), `${status} was seen`);
    assert.deepEqual(world.failures, []);
  } finally {
    await world.close();
  }
});
