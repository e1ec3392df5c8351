import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RateLimited, TransportError } from '../../client/src/errors.ts';
import { Sauda } from '../../client/src/sauda.ts';
import { failureOf } from './failure-of.ts';
import { type Answer, fails, ScriptedService, succeeds } from './scripted-service.ts';

const LIST = Array.from({ length: 250 }, (_, place) => `NSE:S${place}-EQ` as const);

let service: ScriptedService;
let sauda: Sauda;

before(async () => {
  service = await ScriptedService.start();
  sauda = new Sauda({ url: service.url, userId: 'SD1001', token: 'token' });
});
after(() => service.close());

function limited(seconds: number): Answer {
  return fails(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': String(seconds) });
}

test('a long list is asked for in parts, each again when the rate was used up', async () => {
  const calls: (() => Promise<unknown>)[] = [() => sauda.market.quotes(LIST), () => sauda.market.ltp(LIST)];
  for (const call of calls) {
    service.next(succeeds(['first']), limited(1), succeeds(['second']), succeeds(['third']));
    assert.deepEqual(await call(), ['first', 'second', 'third']);
    const sizes = service.taken.map(({ body }) => (body.data as readonly unknown[]).length);
    assert.deepEqual(sizes, [100, 100, 100, 50]);
  }
});

test('a list of one part is refused for the rate at once, as every read', async () => {
  service.next(limited(1), succeeds([]));
  assert.ok((await failureOf(sauda.market.quotes(LIST.slice(0, 100)))) instanceof RateLimited);
  assert.equal(service.taken.length, 1);
});

test('a long list does not wait for ever, nor longer than its signal', async () => {
  service.next(succeeds([]), limited(60), succeeds([]));
  assert.ok((await failureOf(sauda.market.quotes(LIST))) instanceof RateLimited);
  assert.equal(service.taken.length, 2);
  const stop = new AbortController();
  service.next(succeeds([]), (response, request) => {
    limited(4)(response, request);
    setTimeout(() => stop.abort(), 50);
  });
  const begun = performance.now();
  const failure = await failureOf(sauda.market.quotes(LIST, { signal: stop.signal }));
  assert.ok(failure instanceof TransportError && failure.reason === 'aborted');
  assert.ok(performance.now() - begun < 3_000);
  assert.equal(service.taken.length, 2);
});
