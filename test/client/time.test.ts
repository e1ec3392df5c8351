/** The market clock by the client: its requests at the operator's port, its errors, and the way of the token. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { AuthError, InvalidRequest, type RequestError, TransportError, Unavailable } from '../../client/src/errors.ts';
import type { OperatorAccess } from '../../client/src/operator-port.ts';
import { Sauda } from '../../client/src/sauda.ts';
import type { MarketClock, Time } from '../../client/src/time.ts';
import type { ClockReport } from '../../src/operator/operations/clock-operations.ts';
import { failureOf } from './failure-of.ts';
import { type Answer, answers, cut, lost, ScriptedService, silent, succeeds } from './scripted-service.ts';

const TOKEN = 'a1'.repeat(32);
const CLOCK = {
  market: '2026-11-23 10:15:00',
  wall: '2026-11-23 12:00:00',
  speed: 0,
  lostSeconds: 0,
  phases: [{ exchange: 'NSE', phase: 'Continuous' }],
  boundaries: [],
};
const GROUNDS = { by: '@sauda/client', why: 'asked by a program' };

/** The compiler holds the client's type to the answer of the service, both ways. */
const asClient = (report: ClockReport): MarketClock => report;
const asService = (clock: MarketClock): ClockReport => clock;

let users: ScriptedService;
let operators: ScriptedService;

before(async () => {
  users = await ScriptedService.start();
  operators = await ScriptedService.start();
});
after(() => Promise.all([users.close(), operators.close()]));

function clientOf(operator?: Partial<OperatorAccess>): Sauda {
  const access = { url: operators.url, token: TOKEN, ...operator };
  return new Sauda({ url: users.url, userId: 'SD1001', token: 'session', timeoutMs: 2_000, operator: access });
}

test('each call of the clock is one request with the token of the operator', async () => {
  const { time } = clientOf();
  const calls: [call: () => Promise<unknown>, method: string, path: string, body: object][] = [
    [() => time.show(), 'GET', '/clock', {}],
    [() => time.run(60), 'POST', '/clock', { speed: 60, ...GROUNDS }],
    [() => time.run('max', { why: 'a test' }), 'POST', '/clock', { speed: 'max', ...GROUNDS, why: 'a test' }],
    [() => time.pause(), 'POST', '/clock', { speed: 0, ...GROUNDS }],
    [() => time.step('1h30m'), 'POST', '/clock/step', { for: '1h30m', ...GROUNDS }],
    [() => time.step('boundary'), 'POST', '/clock/step', { for: 'boundary', ...GROUNDS }],
    [() => time.step('event'), 'POST', '/clock/step', { for: 'event', user: 'SD1001', ...GROUNDS }],
    [() => time.step('event', { user: 'SD1002' }), 'POST', '/clock/step', { for: 'event', user: 'SD1002', ...GROUNDS }],
    [() => time.to('15:14:59'), 'POST', '/clock/to', { at: '15:14:59', ...GROUNDS }],
    [() => time.to('expiry of NIFTY'), 'POST', '/clock/to', { at: 'expiry of NIFTY', ...GROUNDS }],
    [
      () => time.to(new Date('2026-11-24T15:14:59.900+05:30')),
      'POST',
      '/clock/to',
      { at: '2026-11-24T15:14:59', ...GROUNDS },
    ],
  ];
  for (const [call, method, path, body] of calls) {
    operators.next(answers(200, CLOCK));
    assert.deepEqual(asClient(asService((await call()) as MarketClock)), CLOCK);
    assert.deepEqual(operators.taken, [{ path, key: undefined, body }]);
    assert.deepEqual(operators.heads, [{ method, authorization: `Bearer ${TOKEN}` }]);
  }
});

test('a name of the operator stands in the journal, and the address may end with a slash', async () => {
  operators.next(answers(200, CLOCK));
  await clientOf({ url: `${operators.url}/`, by: 'asha' }).time.pause();
  assert.equal(operators.taken[0]?.body.by, 'asha');
});

test('a refusal has its kind and the words of the service', async () => {
  const kinds: [status: number, kind: typeof RequestError, code: string, ambiguous: boolean][] = [
    [400, InvalidRequest, 'BAD_REQUEST', false],
    [401, AuthError, 'UNAUTHORIZED', false],
    [404, InvalidRequest, 'NOT_FOUND', false],
    [409, InvalidRequest, 'CONFLICT', false],
    [503, Unavailable, 'SERVICE_UNAVAILABLE', false],
    [500, Unavailable, 'INTERNAL_SERVER_ERROR', true],
  ];
  for (const [status, kind, code, ambiguous] of kinds) {
    operators.next(answers(status, { error: 'body/for must be a time' }));
    const failure = await failureOf(clientOf().time.step('x'));
    assert.ok(failure instanceof kind, `${status}: ${failure.name}`);
    assert.match(failure.message, new RegExp(`^${code} .*/clock/step.*: body/for must be a time$`));
    assert.equal(failure.ambiguous, ambiguous, String(status));
    assert.equal(operators.taken.length, 1, 'it is sent once');
  }
});

test('an answer that is lost leaves a step in doubt and a look not, and neither is sent again', async () => {
  const { time } = clientOf();
  for (const fault of [lost, cut] satisfies Answer[]) {
    operators.next(fault, fault);
    const step = await failureOf(time.step('5m'));
    assert.ok(step instanceof TransportError && step.reason === 'lost' && step.ambiguous, String(step));
    assert.equal((await failureOf(time.show())).ambiguous, false);
    assert.equal(operators.taken.length, 2);
  }
  operators.next(silent);
  const late = await failureOf(time.step('5m', { timeoutMs: 50 }));
  assert.ok(late instanceof TransportError && late.reason === 'timeout' && late.ambiguous);
  const gone = await ScriptedService.start();
  await gone.close();
  const unsent = await failureOf(clientOf({ url: gone.url }).time.pause());
  assert.ok(unsent instanceof TransportError && unsent.reason === 'not sent' && !unsent.ambiguous);
});

test('a step waits longer for its answer than other calls do', async () => {
  const short = new Sauda({
    url: users.url,
    userId: 'SD1001',
    timeoutMs: 20,
    operator: { url: operators.url, token: TOKEN },
  });
  const slowly: Answer = (response, request) => setTimeout(() => answers(200, CLOCK)(response, request), 100);
  operators.next(slowly, slowly);
  assert.deepEqual(await short.time.step('5m'), CLOCK);
  assert.ok((await failureOf(short.time.show())) instanceof TransportError);
});

test('without an operator the clock is refused, and nothing is sent', async () => {
  users.next();
  operators.next();
  const { time } = new Sauda({ url: users.url, userId: 'SD1001', token: 'session' });
  const calls: ((time: Time) => Promise<unknown>)[] = [
    (own) => own.show(),
    (own) => own.run(60),
    (own) => own.step('5m'),
    (own) => own.to('open'),
  ];
  for (const call of calls) assert.ok((await failureOf(call(time))) instanceof AuthError);
  assert.equal(users.taken.length + operators.taken.length, 0);
});

test('an address or a token that cannot be right is refused in words that do not show it', () => {
  const wrong: [operator: Partial<OperatorAccess>, words: RegExp][] = [
    [{ url: users.url }, /users' interface/],
    [{ url: `${users.url}/V1/`.replace('/V1/', '/') }, /users' interface/],
    [{ url: 'ftp://127.0.0.1' }, /not an address of HTTP/],
    [{ url: TOKEN }, /not an address of HTTP/],
    [{ url: `${operators.url}/#${TOKEN}` }, /scheme, host and port/],
    [{ url: operators.url.replace('//', `//operator:${TOKEN}@`) }, /scheme, host and port/],
    [{ token: '' }, /operator\.token/],
    [{ token: `${TOKEN}\r\nx-other: 1` }, /operator\.token/],
  ];
  for (const [operator, words] of wrong) {
    assert.throws(
      () => clientOf(operator),
      (error: Error) => error instanceof TypeError && words.test(error.message) && !inspect(error).includes(TOKEN),
      JSON.stringify(operator),
    );
  }
});

test("the token goes to the operator's port alone, and no error and no printed client shows it", async () => {
  const sauda = clientOf();
  users.next(succeeds([]));
  await sauda.orders.list();
  assert.deepEqual(users.heads, [{ method: 'POST', authorization: undefined }]);
  assert.ok(!JSON.stringify(users.taken).includes(TOKEN));
  assert.ok(!inspect(sauda, { depth: 10, showHidden: true }).includes(TOKEN));
  assert.ok(!JSON.stringify(sauda).includes(TOKEN));
  const elsewhere: Answer = (response) => response.writeHead(307, { location: `${users.url}/V1/limit` }).end();
  for (const fault of [elsewhere, lost, cut, answers(401, { error: 'no' }), answers(200, [1])] satisfies Answer[]) {
    users.next();
    operators.next(fault);
    const failure = await failureOf(sauda.time.pause());
    assert.ok(!inspect(failure, { depth: 10, showHidden: true }).includes(TOKEN), failure.message);
    assert.equal(users.taken.length, 0, 'no other address is asked');
  }
});
