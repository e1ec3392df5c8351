import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { EPISODE, Episode, type Tally } from './episode.ts';
import { DRAWN_PATHS } from './requests.ts';
import { SUCCESSES } from './shapes.ts';

/** How many requests are sent; 1,000,000 before a release. */
const REQUESTS = Number(process.env.SAUDA_FUZZ ?? 10_000);
/** The seed of the first episode; each further one has the next. */
const SEED = Number(process.env.SAUDA_FUZZ_SEED ?? 20261121);
/** A longer run says how far it came each time that it has sent this number of requests. */
const PROGRESS = 50_000;

test('no request gets a 5xx, changes what it was refused, or is shown what is not its own', async (context) => {
  const tally: Tally = new Map();
  const started = performance.now();
  for (let sent = 0, seed = SEED; sent < REQUESTS; sent += EPISODE, seed += 1) {
    const episode = await Episode.open(seed, tally);
    const count = Math.min(EPISODE, REQUESTS - sent);
    await episode.run(count);
    const done = sent + count;
    if (REQUESTS > PROGRESS && done % PROGRESS === 0) console.error(`${done} requests, seeds ${SEED} to ${seed}`);
  }
  const seconds = (performance.now() - started) / 1_000;
  context.diagnostic(`${REQUESTS} requests, ${Math.round(REQUESTS / seconds)} a second, seeds from ${SEED}`);
  for (const line of linesOf(tally)) context.diagnostic(line);
  if (REQUESTS >= 2 * EPISODE) for (const path of DRAWN_PATHS) assertReached(tally, path);
});

test('there is a shape of success for every operation that is drawn, and for no other', () => {
  assert.deepEqual([...SUCCESSES.keys()].sort(), [...DRAWN_PATHS].sort());
});

/** A run that never came through to an operation, or never was refused by it, says nothing about it. */
function assertReached(tally: Tally, path: string): void {
  for (const status of [200, 400, 401]) {
    const takesNoField = status === 400 && Object.keys(schemaOf(path)).length === 2;
    if (!takesNoField) assert.ok((tally.get(`${path} ${status}`) ?? 0) > 0, `${path} never answered ${status}`);
  }
}

function schemaOf(path: string): object {
  return OPERATIONS.find((operation) => operation.path === path)?.request.properties ?? {};
}

function linesOf(tally: Tally): string[] {
  return DRAWN_PATHS.map((path) => {
    const counts = [200, 400, 401, 403, 429].map((status) => `${status}: ${tally.get(`${path} ${status}`) ?? 0}`);
    return `${path.padEnd(22)} ${counts.join('  ')}`;
  });
}
