/**
 * The tests of a client library, each with an outcome that a market brings once in a year and a test needs at once.
 * They ask for it by the remarks of an order, or by a rule of the operator; the market stands still meanwhile, so
 * nothing comes between. Run them with `npx node --test examples/client-test-suite/broker.suite.ts`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Sauda } from '../../client/src/sauda.ts';
import { type StartedSauda, startSauda } from '../../client/src/testing.ts';
import { SAUDA } from '../kit/launcher.ts';
import { Broker, Refused, type Row } from './broker.ts';

let service: StartedSauda;
let sauda: Sauda;
let broker: Broker;

before(async () => {
  const settings = { SAUDA_SCENARIOS: 'on' };
  const at = '2026-11-20T10:00:00';
  service = await startSauda({ seed: 6, clock: 'exchange', at, speed: 0, command: SAUDA, settings });
  sauda = await service.login();
  const { userId, token } = sauda.session ?? assert.fail('a session');
  broker = new Broker(`${service.url}/V1`, userId, token);
});
after(() => service?.stop());

/** Ten shares at the market, with an outcome. */
function ten(outcome: string): Row {
  const terms = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', product: 'C', transactionType: 'B', quantity: '10' };
  return { ...terms, priceType: 'MKT', price: '0', triggerPrice: '0', retention: 'DAY', remarks: `sim:${outcome}` };
}

/** Lets the operator set a rule for the next request of an operation. */
async function rule(effect: string, operation: string): Promise<void> {
  const { url, token } = service.operator;
  const response = await fetch(`${url}/scenarios`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ effect, operation, by: 'suite', why: 'a test' }),
  });
  assert.equal(response.status, 201, await response.text());
}

test('a rejection of the exchange reaches the caller with its reason', async () => {
  const { status, reason } = await broker.outcome(await broker.place(ten('reject=17070:Order price is too far')));
  assert.equal(status, 'REJECTED');
  assert.match(reason, /17070/);
});

test('an order that fills in three parts is one order, complete', async () => {
  const number = await broker.place(ten('fills=3'));
  const { status, done } = await broker.outcome(number);
  assert.deepEqual([status, done], ['COMPLETE', 10]);
  assert.deepEqual(await broker.fills(number), [4, 3, 3]);
});

test('an order that is filled in part is open, and keeps its fills when it is cancelled', async () => {
  const number = await broker.place(ten('fill=4'));
  const { status, done, wanted } = await broker.outcome(number);
  assert.deepEqual([status, done, wanted], ['OPEN', 4, 10]);
  assert.equal(await broker.cancel(number), true);
  const cancelled = await broker.outcome(number);
  assert.deepEqual([cancelled.status, cancelled.done], ['CANCELED', 4]);
});

test('an order whose answer is lost is placed once', async () => {
  const before = (await broker.ask<Row[]>('orderBook')).length;
  const number = await broker.place(ten('lost-answer'));
  assert.equal((await broker.ask<Row[]>('orderBook')).length, before + 1);
  assert.equal((await broker.outcome(number)).status, 'COMPLETE');
});

test('an order that fills after its cancellation was asked for is not taken for cancelled', async () => {
  const number = await broker.place(ten('late-fill=2000'));
  await broker.cancel(number);
  await sauda.time.step('3s');
  const { status, done } = await broker.outcome(number);
  assert.deepEqual([status, done], ['COMPLETE', 10]);
});

test('an order that the exchange ends after a while is seen as cancelled', async () => {
  const number = await broker.place(ten('hold;cancel-after=5000'));
  assert.equal((await broker.outcome(number)).status, 'OPEN');
  await sauda.time.step('6s');
  assert.equal((await broker.outcome(number)).status, 'CANCELED');
});

test('a request that comes too soon is sent again when it may be', async () => {
  await rule('429', 'limit');
  const began = performance.now();
  assert.ok((await broker.ask<Row>('limit')).cash);
  assert.ok(performance.now() - began >= 1_000, 'after the second that the service asked for');
});

test('a connection that is cut after the work was done does not place an order twice', async () => {
  await rule('cut-after', 'placeOrder');
  const before = (await broker.ask<Row[]>('orderBook')).length;
  await broker.place({ ...ten(''), remarks: '' });
  assert.equal((await broker.ask<Row[]>('orderBook')).length, before + 1);
});

test('a failure of the service reaches the caller', async () => {
  await rule('500', 'limit');
  await assert.rejects(broker.ask('limit'), (error) => error instanceof Refused && error.status === 500);
});
