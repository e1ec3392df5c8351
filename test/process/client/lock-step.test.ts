/**
 * A service for a test at an instant of the market that stands still: its hours and its clock, the program of the
 * client's README that goes in lock-step with the market, and its end.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AuthError, InvalidRequest } from '../../../client/src/errors.ts';
import { fromPaise, toPaise } from '../../../client/src/money.ts';
import { Sauda } from '../../../client/src/sauda.ts';
import { type StartedSauda, startSauda } from '../../../client/src/testing.ts';
import { instantOf } from '../../../client/src/times.ts';
import { must } from '../../../src/base/assert.ts';
import { LAUNCHER, PROJECT } from '../start/started-service.ts';

const COMMAND = [process.execPath, LAUNCHER];
const AT = '2026-11-20T10:00:00';

let service: StartedSauda;
let sauda: Sauda;

before(async () => {
  service = await startSauda({ seed: 7, clock: 'exchange', at: AT, speed: 0, command: COMMAND });
  sauda = await service.login();
});
after(() => service.stop());

test('a service for a test has the hours, the instant and the speed that were asked for', async () => {
  assert.equal(service.users.length, 3);
  const night = { from: '00:00:00 20-11-2026', to: '05:00:00 20-11-2026', interval: '60mi' } as const;
  assert.equal((await sauda.market.candles('NSE:ITC-EQ', night)).length, 0);
  const { market, speed, set } = await sauda.time.show();
  assert.equal(instantOf(market).getTime(), instantOf(AT).getTime());
  assert.equal(speed, 0);
  assert.equal(must(set, 'the start has set it').by, 'start');
});

test("the README's test in lock-step fills its order in a step, without a sleep", async () => {
  const readme = readFileSync(join(PROJECT, 'client', 'README.md'), 'utf8');
  const [, program = ''] = /^(await using service = await startSauda\(\{ seed: 7, at[\s\S]*?)```/m.exec(readme) ?? [];
  const [, steps = ''] = /^const sauda = [^\n]*\n([\s\S]*)$/m.exec(program) ?? [];
  assert.match(steps, /time\.step\('5m'\)/);
  // The program starts a service like the one of this file; its steps are done on this one.
  const run = new Function('sauda', `return (async () => { ${steps} return { status, fillShares, price }; })()`);
  const before = await sauda.time.show();
  const { status, fillShares } = (await run(sauda)) as { readonly status: string; readonly fillShares: string };
  assert.deepEqual({ status, fillShares }, { status: 'COMPLETE', fillShares: '10' });
  const after = await sauda.time.show();
  assert.equal(instantOf(after.market).getTime() - instantOf(before.market).getTime(), 300_000);
  assert.equal(after.speed, 0);
  assert.match(program, new RegExp(`at: '${AT}', speed: 0`));
});

test('a step to the next event ends where the order of the user is filled, and its row is there', async () => {
  const itc = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', product: 'C', transactionType: 'B', quantity: 10 } as const;
  const [quote] = await sauda.market.quotes([itc]);
  const { bestBuyPrice1: price } = must(quote, 'a quote');
  const { orderNumber } = await sauda.orders.place({ ...itc, priceType: 'LMT', price });
  const before = await sauda.time.show();
  const { market, speed } = await sauda.time.step('event');
  assert.ok(instantOf(market) > instantOf(before.market));
  assert.equal(speed, 0);
  const { fillShares } = await sauda.orders.get(orderNumber);
  assert.ok(Number(fillShares) > 0, 'the event is a fill of the order');
});

test('the clock goes to an instant, runs and is paused, and a time that is over is refused', async () => {
  const { market } = await sauda.time.to(new Date('2026-11-20T12:00:00+05:30'));
  assert.equal(market, '2026-11-20 12:00:00');
  assert.equal((await sauda.time.run(60, { why: 'a test' })).speed, 60);
  const paused = await sauda.time.pause();
  assert.equal(paused.speed, 0);
  assert.equal(must(paused.set, 'it was set').by, 'a test');
  await assert.rejects(sauda.time.to('2026-11-20T11:00:00'), InvalidRequest);
  await assert.rejects(sauda.time.step('0s'), InvalidRequest);
  assert.ok(paused.boundaries.length > 0);
});

test('a pause ends a step that goes on where it is, and another step is refused until then', async () => {
  const low = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', product: 'C', transactionType: 'B', quantity: 1 } as const;
  const price = fromPaise(Math.round((toPaise(await sauda.market.ltp(low)) * 0.95) / 5) * 5);
  await sauda.orders.place({ ...low, priceType: 'LMT', price });
  // Months, which no machine passes before it is asked again.
  const going = sauda.time.to('2027-03-19T15:00:00');
  let { until } = await sauda.time.show();
  for (let looks = 0; until === undefined && looks < 100; looks += 1) ({ until } = await sauda.time.show());
  assert.match(must(until, 'a step goes on'), /^2027-03-19 15:/);
  await assert.rejects(sauda.time.step('1m'), /goes on/);
  const paused = await sauda.time.pause();
  const ended = await going;
  assert.deepEqual([paused.until, ended.until, ended.speed, ended.market], [undefined, undefined, 0, paused.market]);
  assert.ok(instantOf(ended.market) < instantOf(must(until, 'a step')));
});

test('a wrong token is refused, and a session alone cannot set the clock', async () => {
  const { url, token } = service.operator;
  const wrong = new Sauda({ url: service.url, userId: 'SD1001', operator: { url, token: token.replaceAll('a', 'b') } });
  await assert.rejects(wrong.time.pause(), AuthError);
  const { userId, token: session } = must(sauda.session, 'a session');
  const own = new Sauda({ url: service.url, userId, token: session });
  await assert.rejects(own.time.pause(), AuthError);
});

test('a service for a test leaves nothing behind', async () => {
  const { url } = service;
  await service.stop();
  await assert.rejects(fetch(`${url}/livez`));
});
