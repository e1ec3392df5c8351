import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochMs, MINUTE_MS } from '../../../src/base/time.ts';
import { OPERATOR } from '../../../src/engine/port.ts';
import { clockedWorld } from '../../kit/wire/clocked-world.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, MARKET_BUY, type World } from '../../kit/wire/world.ts';

async function quoteOf(world: World, tradingSymbol: string): Promise<Record<string, unknown>> {
  const body = { data: [{ exchange: 'NSE', tradingSymbol }] };
  return JSON.parse((await world.call('/getMultiQuotes', ALICE, body)).text).data[0];
}

test('depth is the whole row of getMultiQuotes, and a tick the same row without its depth', async () => {
  const { world, clock } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const channels = ['ticks', 'depth'];
  const answer = await client.ask({ subscribe: channels, instruments: ['NSE:IDEA-EQ'] });
  const seq = String(world.engine.state.seq);
  assert.deepEqual(answer, { type: 'subscribed', channels, instruments: ['NSE:IDEA-EQ'], seq, id: 'q1' });
  const spelt = await client.ask({
    subscribe: 'ticks',
    instruments: ['NSE:L%26TFH-EQ', 'NSE:Nifty 50', 'NSE:idea-eq'],
  });
  assert.deepEqual(spelt.instruments, ['NSE:L&TFH-EQ', 'NSE:NIFTY', 'NSE:IDEA-EQ'], 'named as events name them');
  await clock.pass(10);
  const depth = await client.next('depth');
  const tick = await client.next('tick');
  const quote = await quoteOf(world, 'IDEA-EQ');
  assert.deepEqual(depth.data, quote);
  const flat = Object.entries(quote).filter(([name]) => !/^best(Buy|Sell)(Order|Price|Quantity)[1-5]$/.test(name));
  assert.equal(flat.length, Object.keys(quote).length - 30);
  assert.deepEqual(tick.data, Object.fromEntries(flat));
  assert.deepEqual([tick.instrument, tick.at, tick.seq], ['NSE:IDEA-EQ', '2026-11-20T11:00:00.000+05:30', undefined]);
  await world.close();
});

test('an instrument sends a tick after each second in which it changed, and none after it is left', async () => {
  const { world, clock, second } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'ticks', instruments: ['NSE:IDEA-EQ'] });
  await clock.pass(10);
  await client.next('tick');
  for (let count = 0; count < 30; count += 1) await second();
  await client.settle();
  assert.equal(client.of('tick').length, 1, 'the fake market stands still, and repeats are not sent');
  await world.place(BOB, MARKET_BUY);
  await second();
  const changed = await client.next('tick', 1);
  assert.notEqual(changed.data?.volume, client.of('tick')[0]?.data?.volume);
  await client.ask({ unsubscribe: 'ticks' });
  await world.place(BOB, MARKET_BUY);
  await second();
  await client.settle();
  assert.equal(client.of('tick').length, 2);
  await world.close();
});

test('a candle is a row of timePriceSeries, of the interval that was asked for', async () => {
  const { world, clock, second } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await world.place(BOB, MARKET_BUY);
  for (const interval of ['1mi', '1d']) {
    await client.ask({ subscribe: 'candles', instruments: ['NSE:IDEA-EQ'], interval });
  }
  await clock.pass(10);
  await client.next('candle', 1);
  const times = { startTime: '10:00:00 20-11-2026', endTime: '11:00:01 20-11-2026' };
  for (const { interval, data } of client.of('candle')) {
    const request = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', interval, ...times };
    const rows = JSON.parse((await world.call('/timePriceSeries', ALICE, request)).text).data;
    assert.deepEqual(data, rows.at(-1), String(interval));
  }
  await client.ask({ unsubscribe: 'candles', interval: '1d' });
  world.now = (world.now + MINUTE_MS) as EpochMs;
  await world.place(BOB, MARKET_BUY);
  await second();
  await client.next('candle', 3);
  await client.settle();
  const minutes = client.of('candle').filter(({ interval }) => interval === '1mi');
  assert.equal(client.of('candle').length, minutes.length + 1, 'that of the day was left');
  assert.deepEqual(minutes.map(({ data }) => data?.time).slice(-2), ['2026-11-20T11:00:00', '2026-11-20T11:01:00']);
  await client.ask({ unsubscribe: 'candles' });
  await world.close();
});

test('greeks are a row of optionChainGreeks, and only options have them', async () => {
  const { world, clock } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const refused = await client.ask({ subscribe: 'greeks', instruments: ['NFO:NIFTY29DEC26C24000', 'NSE:IDEA-EQ'] });
  assert.deepEqual(
    [refused.type, refused.data?.error],
    ['error', { field: 'instruments', message: 'only options have greeks' }],
  );
  await client.ask({ subscribe: 'greeks', instruments: ['NFO:NIFTY29DEC26C24000'] });
  await clock.pass(10);
  const { data } = await client.next('greeks');
  const chain = { exchange: 'NFO', underlyingSymbol: 'NIFTY', symbol: 'NIFTY', expiry: '29DEC26', count: 'ALL' };
  const rows = JSON.parse((await world.call('/optionChainGreeks', ALICE, chain)).text).data as {
    tradingSymbol: string;
  }[];
  assert.deepEqual(
    data,
    rows.find(({ tradingSymbol }) => tradingSymbol === 'NIFTY29DEC26C24000'),
  );
  await world.close();
});

test('the clock comes at once, every five seconds, and says what getMarketStatus says', async () => {
  const { world, second } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: ['clock', 'status'] });
  const { data } = await client.next('clock');
  assert.deepEqual(data, JSON.parse((await world.call('/getMarketStatus', ALICE)).text).data);
  assert.deepEqual((await client.next('status')).data, { state: 'open' });
  await second();
  const begun = client.of('clock').length;
  for (let count = 0; count < 10; count += 1) await second();
  await client.settle();
  assert.equal(client.of('clock').length - begun, 2);
  await client.ask({ unsubscribe: 'clock' });
  for (let count = 0; count < 10; count += 1) await second();
  await client.settle();
  assert.equal(client.of('clock').length - begun, 2);
  await world.close();
});

test('the clock says at once that it stands still and that it made a step, and comes each second while it is fast', async () => {
  const { world, clock, second } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'clock' });
  await client.next('clock');
  await second();
  const look = async () => {
    await clock.pass(250);
    await client.settle();
    return client.of('clock').map(({ data }) => [data?.speed, data?.marketTime]);
  };
  const setSpeed = (speed: number) =>
    world.engine.submit({ command: { type: 'SetClock', speed, by: 'desk', why: 'a lesson' }, origin: OPERATOR });
  const timeOf = async () => JSON.parse((await world.call('/getMarketStatus', ALICE)).text).data.marketTime;

  await setSpeed(60);
  assert.equal((await look()).at(-1)?.[0], '60');
  const fast = (await look()).length;
  for (let count = 0; count < 4; count += 1) await second();
  assert.equal((await look()).length - fast, 4);

  await setSpeed(0);
  const stood = await look();
  assert.deepEqual(stood.at(-1), ['0', await timeOf()]);
  assert.equal((await look()).length, stood.length, 'a time that stands is not sent again and again');
  world.now = (world.now + 5 * MINUTE_MS) as EpochMs;
  const stepped = await look();
  assert.equal(stepped.length, stood.length + 1);
  assert.deepEqual(stepped.at(-1), ['0', await timeOf()]);
  assert.notEqual(stepped.at(-1)?.[1], stood.at(-1)?.[1]);
  await world.close();
});

test('a service that ends says so, and closes its sockets with 1001', async () => {
  const { world } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'status' });
  await world.close();
  assert.equal((await client.socket.untilClosed()).code, 1001);
  assert.deepEqual(
    client.of('status').map(({ data }) => data?.state),
    ['open', 'draining'],
  );
});
