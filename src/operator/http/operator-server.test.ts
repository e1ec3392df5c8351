import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { OperatorTrail } from '../../audit/port.ts';
import { price } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import { type EnginePort, LeftToNextStart, Unavailable } from '../../engine/port.ts';
import type { AccessOperations } from '../operations/access-operations.ts';
import { BanOperations } from '../operations/ban-operations.ts';
import type { ClockOperations } from '../operations/clock-operations.ts';
import type { CorporateActionOperations } from '../operations/corporate-action-operations.ts';
import type { KeyOperations } from '../operations/key-operations.ts';
import type { RecordingOperations } from '../operations/recording-operations.ts';
import type { RiskOperations } from '../operations/risk/risk-operations.ts';
import type { ScenarioOperations } from '../operations/scenario-operations.ts';
import type { JournalOperations } from '../operations/service/journal-operations.ts';
import type { StatusOperations } from '../operations/service/status-operations.ts';
import type { SpanOperations } from '../operations/span-operations.ts';
import type { SwitchOperations } from '../operations/switch-operations.ts';
import { UserOperations } from '../operations/user-operations.ts';
import { createOperatorServer } from './operator-server.ts';

const TOKEN = 'a'.repeat(64);
const HEADERS = { authorization: `Bearer ${TOKEN}` };

function serverWith(
  missing: readonly string[] = [],
  waiting = async (): Promise<number> => 3,
  refusal = new Unavailable('draining'),
  trail?: OperatorTrail,
) {
  const engine: EnginePort = {
    submit: () => Promise.reject(refusal),
    read: () => undefined as never,
    now: () => 0 as EpochMs,
    glance: () => undefined as never,
  };
  const users = new UserOperations({
    engine,
    instruments: {} as InstrumentDirectory,
    enrol: async () => 'sealed',
    priceOf: () => price(1),
  });
  return createOperatorServer({
    users,
    bans: new BanOperations({ engine, instruments: {} as InstrumentDirectory }),
    span: {} as SpanOperations,
    clock: {} as ClockOperations,
    corporate: {} as CorporateActionOperations,
    switches: {} as SwitchOperations,
    scenarios: {} as ScenarioOperations,
    access: {} as AccessOperations,
    keys: {} as KeyOperations,
    risk: {} as RiskOperations,
    journal: {} as JournalOperations,
    recordings: {} as RecordingOperations,
    status: {} as StatusOperations,
    ...(trail && { trail }),
    token: TOKEN,
    readiness: () => missing,
    figures: [
      { name: 'sauda_records_total', help: 'Records.', value: () => 42 },
      { name: 'sauda_inbox_commands', help: 'Waiting.', value: waiting },
      { name: 'sauda_ends_total', help: 'Ends.', values: () => ({ slow: 2, silent: 0 }) },
    ],
    onFailure: (error) => assert.fail(String(error)),
  });
}

test('a live service says so, and a ready one too', async () => {
  const server = serverWith();
  assert.equal((await server.inject('/livez')).statusCode, 200);
  const ready = await server.inject('/readyz');
  assert.equal(ready.statusCode, 200);
  assert.deepEqual(ready.json(), { status: 'ready' });
});

test('a service that is not ready says what is missing', async () => {
  const answer = await serverWith(['the journal takes no records']).inject('/readyz');
  assert.deepEqual(
    [answer.statusCode, answer.json()],
    [503, { status: 'not ready', missing: ['the journal takes no records'] }],
  );
});

test('metrics show the figures of the engine and of the process', async () => {
  const server = serverWith();
  await server.inject('/metrics');
  const { body } = await server.inject('/metrics');
  assert.match(body, /^# TYPE sauda_records_total counter\nsauda_records_total 42$/m);
  assert.match(body, /^# TYPE sauda_inbox_commands gauge\nsauda_inbox_commands 3$/m);
  assert.match(body, /^sauda_ends_total\{reason="slow"\} 2\nsauda_ends_total\{reason="silent"\} 0$/m);
  assert.match(body, /^process_cpu_seconds_total /m);
});

test('metrics are computed once a second at most, for all who ask', async (context) => {
  let now = 10_000;
  context.mock.method(performance, 'now', () => now);
  let computed = 0;
  const server = serverWith([], async () => {
    computed += 1;
    return computed;
  });
  const ask = async (): Promise<boolean> => (await server.inject('/metrics')).body.includes(`_commands ${computed}\n`);
  assert.deepEqual([await Promise.all([ask(), ask()]), computed], [[true, true], 1]);
  now += 999;
  assert.deepEqual([await ask(), computed], [true, 1]);
  now += 1;
  assert.deepEqual([await ask(), computed], [true, 2]);
});

test('the operator port answers at most this number of requests at a time, and always a probe', async () => {
  const wait = Promise.withResolvers<number>();
  const server = serverWith([], () => wait.promise);
  const first = Array.from({ length: 64 }, () => server.inject('/metrics'));
  await setImmediate();
  const refused = await server.inject('/metrics');
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '1']);
  assert.equal((await server.inject('/livez')).statusCode, 200);
  wait.resolve(3);
  for (const answer of await Promise.all(first)) assert.equal(answer.statusCode, 200);
  assert.equal((await server.inject('/metrics')).statusCode, 200);
});

test('a page of another site is refused, and a page of the service and programs are not', async () => {
  const server = serverWith();
  const statusWith = async (headers: Record<string, string>, url = '/metrics'): Promise<number> =>
    (await server.inject({ url, headers })).statusCode;
  const foreign = [{ origin: 'https://elsewhere.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }];
  for (const headers of foreign) {
    assert.equal(await statusWith(headers), 403, JSON.stringify(headers));
    assert.equal(await statusWith({ ...headers, ...HEADERS }, '/users'), 403, JSON.stringify(headers));
  }
  const own = [{}, { origin: 'http://localhost:80', host: 'localhost:80' }, { 'sec-fetch-site': 'same-origin' }];
  for (const headers of [...own, { 'sec-fetch-site': 'none' }]) assert.equal(await statusWith(headers), 200);
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  assert.deepEqual([await statusWith(link, '/'), await statusWith(link)], [404, 403], 'a link may lead to the page');
});

test('actions need the token', async () => {
  const server = serverWith();
  const wrong = [undefined, 'Bearer', `Bearer ${TOKEN}b`, TOKEN, `bearer ${TOKEN}`];
  for (const authorization of wrong) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await server.inject({ method: 'POST', url: '/users', headers, payload: {} });
    assert.equal(answer.statusCode, 401, String(authorization));
  }
});

test('only the words of one who shows the token are handed to the audit trail', async () => {
  const noted: Parameters<OperatorTrail['act']>[] = [];
  const server = serverWith([], undefined, undefined, { act: (...act) => noted.push(act) });
  const url = '/users/AB1234/deposits?by=admin&why=approved';
  const op = 'POST /users/:userId/deposits';
  const foreign = { origin: 'https://elsewhere.example' };
  const strangers: [number, Record<string, string>][] = [
    [401, {}],
    [403, foreign],
  ];
  for (const [code, headers] of strangers) {
    assert.equal((await server.inject({ method: 'POST', url, headers })).statusCode, code);
    assert.deepEqual(noted.splice(0), [[op, '127.0.0.1', code, undefined]]);
  }
  assert.equal((await server.inject({ method: 'POST', url, headers: HEADERS })).statusCode, 400);
  const [[, , code, words] = []] = noted;
  assert.deepEqual([code, words], [400, { userId: 'AB1234', by: 'admin', why: 'approved' }]);
});

test('bodies that the schema does not know are refused with words', async () => {
  const server = serverWith();
  const bodies: [url: string, payload: object][] = [
    ['/users', { userId: 'AB1234' }],
    ['/users', { userId: 'AB1234', name: 'A', email: 'a@b.c', totp: true, more: 1 }],
    ['/users', { userId: 'AB1234', name: 'A\nB', email: 'a@b.c', totp: true }],
    ['/users', { userId: 'AB1234', name: 'A', email: 'a@b.c\u001b[2J', totp: true }],
    ['/bans', { exchange: 'NSE', symbol: 'ITC-EQ', banned: true, by: 'A\u007f' }],
    ['/switches', { kind: 'FullKill', on: true, by: 'A\r\n7 forged', why: 'drill' }],
    ['/bands', { exchange: 'NSE', symbol: 'ITC-EQ', percent: 20, by: 'A', why: 'one\ntwo' }],
    ['/share-bands', { exchange: 'NSE', symbol: 'ITC-EQ', percent: 20, by: 'A', why: '\u001b]0;' }],
    ['/users/AB1234/addresses', { addresses: [], by: 'A\tB', why: 'drill' }],
    ['/users/AB1234/order-rate', { by: 'A', why: 'one\ntwo' }],
    ['/users/AB1234/deposits', { rupees: '-5', opening: false }],
    ['/users/AB1234/deposits', { rupees: '0', opening: false }],
    ['/users/AB1234/holdings', { exchange: 'NFO', symbol: 'ITC-EQ', quantity: 1 }],
    ['/users/AB1234/holdings', { exchange: 'NSE', symbol: 'ITC-EQ', quantity: 1.5 }],
    ['/users/AB1234/holdings', { exchange: 'NSE', symbol: 'ITC-EQ', quantity: 1, price: '0' }],
  ];
  for (const [url, payload] of bodies) {
    const answer = await server.inject({ method: 'POST', url, headers: HEADERS, payload });
    assert.equal(answer.statusCode, 400, `${url} ${JSON.stringify(payload)}: ${answer.body}`);
    assert.equal(typeof answer.json().error, 'string');
  }
});

test('a service that takes no commands answers 503, an unknown user 404, an unknown path 404', async () => {
  const server = serverWith();
  const user = { userId: 'AB1234', name: 'A', email: 'a@b.c', totp: true };
  const post = (url: string, payload: object) => server.inject({ method: 'POST', url, headers: HEADERS, payload });
  assert.equal((await post('/users', user)).statusCode, 503);
  assert.equal((await post('/users/AB1234/deposits', { rupees: '5', opening: false })).statusCode, 404);
  assert.equal((await server.inject('/nothing')).statusCode, 404);
});

test('a command that an ending service leaves half done says so, and any other that nothing was taken', async () => {
  const user = { userId: 'AB1234', name: 'A', email: 'a@b.c', totp: true };
  const errorOf = async (refusal: Unavailable): Promise<unknown> => {
    const server = serverWith([], undefined, refusal);
    const answer = await server.inject({ method: 'POST', url: '/users', headers: HEADERS, payload: user });
    return [answer.statusCode, answer.json().error];
  };
  assert.deepEqual(await errorOf(new Unavailable('draining')), [503, 'the service takes no commands now']);
  const left = new LeftToNextStart();
  assert.deepEqual(await errorOf(left), [503, left.message]);
  assert.match(left.message, /the switch is set/);
});

test('a path that names no user, however it is written, is refused like any unknown path', async () => {
  const server = serverWith();
  for (const url of ['/users/%zz/limit', '/users/%ff/limit', `/users/${'A'.repeat(2_000)}/limit`]) {
    const answer = await server.inject({ method: 'GET', url, headers: HEADERS });
    assert.deepEqual([answer.statusCode, answer.json()], [404, { error: 'there is nothing at this path' }], url);
  }
});
