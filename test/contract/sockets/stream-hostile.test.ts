import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeInstruments } from '../../kit/wire/fake-instruments.ts';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, MARKET_BUY, openWorld } from '../../kit/wire/world.ts';

test('a frame that is wrong gets an error with its id, changes nothing, and the socket stays', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  for (const [frame, field] of [
    ['nonsense', 'body'],
    ['[]', 'body'],
    ['7', 'body'],
    ['{"subscribe":"orders"', 'body'],
    [{}, 'request'],
    [{ subscribe: 'orders', unsubscribe: 'orders' }, 'request'],
    [{ subscribe: 'everything' }, 'subscribe'],
    [{ subscribe: ['orders', '__proto__'] }, 'subscribe'],
    [{ subscribe: ['orders', 7] }, 'subscribe'],
    [{ subscribe: [] }, 'subscribe'],
    [{ subscribe: null }, 'subscribe'],
    [{ subscribe: { orders: true } }, 'subscribe'],
    [{ unsubscribe: 'everything' }, 'unsubscribe'],
    [{ subscribe: 'ticks' }, 'instruments'],
    [{ subscribe: 'ticks', instruments: [] }, 'instruments'],
    [{ subscribe: 'ticks', instruments: 'NSE:IDEA-EQ' }, 'instruments'],
    [{ subscribe: 'ticks', instruments: ['IDEA-EQ'] }, 'instruments'],
    [{ subscribe: 'ticks', instruments: ['NYSE:IBM'] }, 'instruments'],
    [{ subscribe: 'ticks', instruments: ['NSE:'] }, 'instruments'],
    [{ subscribe: 'ticks', instruments: ['NSE:IDEA-EQ', 'NSE:NONE-EQ'] }, 'instruments'],
    [{ subscribe: 'ticks', instruments: ['NSE:IDEA-EQ'], interval: '1mi' }, 'interval'],
    [{ subscribe: 'candles', instruments: ['NSE:IDEA-EQ'] }, 'interval'],
    [{ subscribe: 'candles', instruments: ['NSE:IDEA-EQ'], interval: '7mi' }, 'interval'],
    [{ subscribe: 'orders', instruments: ['NSE:IDEA-EQ'] }, 'instruments'],
    [{ subscribe: 'clock', since: '1' }, 'since'],
    [{ subscribe: 'orders', id: 7 }, 'id'],
    [{ subscribe: 'orders', id: 'x'.repeat(129) }, 'id'],
  ] as const) {
    const before = client.of('error').length;
    client.send(frame);
    const error = await client.next('error', before);
    const { name, error: fault } = error.data ?? {};
    assert.deepEqual([name, (fault as { field: string }).field], ['BAD_REQUEST', field], JSON.stringify(frame));
  }
  await world.place(ALICE, MARKET_BUY);
  await client.settle();
  assert.deepEqual([client.of('order'), client.of('tick'), world.failures], [[], [], []]);
  await world.close();
});

test('an id comes back as it was sent, whatever its characters', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  for (const id of ['', '"', '\\', '\n\u0000', '<b>', 'नमस्ते', '\ud800']) {
    client.send({ subscribe: 'nothing', id });
    const error = await client.next('error', client.of('error').length);
    assert.equal(error.id, id);
  }
  await world.close();
});

test('more instruments than a user may follow are refused as a whole, over all of his sockets', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock });
  const first = await StreamClient.logIn(world, ALICE);
  const second = await StreamClient.logIn(world, ALICE);
  const names = ['NSE:IDEA-EQ', 'NSE:RELIANCE-EQ', 'BSE:IDEA'];
  const same = await first.ask({
    subscribe: 'ticks',
    instruments: Array.from({ length: 4_000 }, (_, n) => names[n % 3]),
  });
  assert.equal(same.type, 'subscribed', 'one instrument counts once');
  const { find } = fakeInstruments;
  // As many instruments as there are names.
  let count = 0;
  fakeInstruments.find = (exchange, tradingSymbol, at) => {
    const found = find.call(fakeInstruments, exchange, tradingSymbol.replace(/\.\d+$/, ''), at);
    count += 1;
    return found && { ...found, id: (1_000_000 + count) as typeof found.id };
  };
  try {
    const many = (length: number) => Array.from({ length }, (_, n) => `NSE:IDEA-EQ.${n}`);
    const refused = await second.ask({ subscribe: ['ticks', 'depth'], instruments: many(2_500) });
    assert.deepEqual([refused.type, refused.data?.name], ['error', 'RATE_LIMIT_EXCEEDED']);
    assert.match(JSON.stringify(refused.data), /at most 5000/);
  } finally {
    fakeInstruments.find = find;
  }
  assert.equal((await second.ask({ subscribe: 'ticks', instruments: names })).type, 'subscribed');
  await world.close();
});

test('where all sockets follow too many instruments a subscription is refused as a whole', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock, socketLimits: { instruments: 1 } });
  const client = await StreamClient.logIn(world, ALICE);
  const refused = await client.ask({ subscribe: 'ticks', instruments: ['NSE:IDEA-EQ', 'NSE:RELIANCE-EQ'] });
  assert.deepEqual([refused.type, refused.data?.name], ['error', 'SERVICE_UNAVAILABLE']);
  assert.equal((await client.ask({ subscribe: 'ticks', instruments: ['NSE:RELIANCE-EQ'] })).type, 'subscribed');
  await world.close();
});

test('a frame above 64 KiB ends the socket with 4413, and too many frames with 4429', async () => {
  const world = await openWorld();
  const large = await StreamClient.logIn(world, ALICE);
  large.send({ subscribe: 'orders', padding: 'x'.repeat(65_536) });
  assert.equal((await large.socket.untilClosed()).code, 4413);
  const many = await StreamClient.logIn(world, ALICE);
  for (let count = 0; count < 10_000; count += 1) many.send({ subscribe: 'orders' });
  assert.equal((await many.socket.untilClosed()).code, 4429);
  await world.close();
});
