import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentId } from '../../../src/base/ids.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { fakeInstruments, IDEA } from '../../kit/wire/fake-instruments.ts';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

/* Long texts of sockets, which take turns like all other work. */

/** How long the look-up of a name takes here, and how many of them fit into a turn: 3 ms, a share and some room. */
const LOOK_UP_MS = 0.5;
const MOST_A_TURN = 12;

/** Look-ups that take their time, and the most of them in one turn of the event loop. */
class SlowLookUps {
  /** How long each takes, in milliseconds. */
  ms = LOOK_UP_MS;
  count = 0;
  /** Those by the id of a made-up instrument. */
  gets = 0;
  most = 0;
  private inTurn = 0;

  /** A look-up is done: it has taken its time. */
  note(): void {
    if (this.inTurn === 0) setImmediate(() => this.endTurn());
    this.count += 1;
    this.inTurn += 1;
    const end = performance.now() + this.ms;
    while (performance.now() < end);
  }

  private endTurn(): void {
    this.most = Math.max(this.most, this.inTurn);
    this.inTurn = 0;
  }
}

/** The ids of instruments that tests make up begin here. */
const FIRST_MADE_UP = 1_000_000_000;

/** A world in which looking an instrument up takes time. Each name with a number is an instrument of its own. */
async function slowWorld() {
  const lookUps = new SlowLookUps();
  const slow = (found: Instrument | undefined): Instrument | undefined => {
    lookUps.note();
    return found;
  };
  const instruments = {
    ...fakeInstruments,
    find: (...[exchange, name, at]: Parameters<typeof fakeInstruments.find>) => {
      const [text = '', number] = name.split('.');
      const found = slow(fakeInstruments.find(exchange, text, at));
      return found && number !== undefined ? { ...found, id: madeUp(Number(number)) } : found;
    },
    get: (id: InstrumentId) => {
      if (id < FIRST_MADE_UP) return fakeInstruments.get(id);
      lookUps.gets += 1;
      return slow({ ...IDEA, id });
    },
    listed: (...[id, at]: Parameters<typeof fakeInstruments.listed>) => slow(fakeInstruments.listed(id, at)),
  };
  const clock = new ManualClock();
  const world = await openWorld({ instruments, socketClock: clock });
  return { world, clock, lookUps };
}

function madeUp(number: number): InstrumentId {
  return (FIRST_MADE_UP + number) as InstrumentId;
}

test('a long list of names of the stream comes in pieces, and another user is answered meanwhile', async () => {
  const { world, lookUps } = await slowWorld();
  const [long, other] = [await StreamClient.logIn(world, ALICE), await StreamClient.logIn(world, BOB)];
  const instruments = Array.from({ length: 400 }, (_, n) => `NSE:IDEA-EQ.${n}`);
  const answered = long.ask({ subscribe: 'ticks', instruments });
  await long.socket.until(() => lookUps.count > 0);
  assert.equal((await other.ask({ subscribe: 'ticks', instruments: ['NSE:IDEA-EQ'] })).type, 'subscribed');
  assert.ok(lookUps.count < 400, 'before the long list is through');
  assert.equal((await answered).instruments?.length, 400);
  assert.ok(lookUps.most <= MOST_A_TURN, `${lookUps.most} in a turn`);
  await world.close();
});

test('a long list of tokens of the V2 socket comes in pieces', async () => {
  const { world, clock, lookUps } = await slowWorld();
  const client = await SocketClient.open(world, `/V2/ws?${new URLSearchParams(ALICE.credentials)}`);
  await clock.pass(200);
  await client.texted(1);
  const unknown = Array.from({ length: 400 }, (_, n) => `NFO:${90_000 + n}`);
  client.send({ action: 'subscribe', tokens: [...unknown, 'NSE:14366'].join('|') });
  await client.until(() => lookUps.count > 0);
  await client.pinged();
  assert.ok(lookUps.count < 400, 'pings are answered meanwhile');
  await client.texted(2);
  assert.ok(lookUps.most <= MOST_A_TURN, `${lookUps.most} in a turn`);
  await world.close();
});

test('a name is looked up once in a text, and answered as often as it came', async () => {
  const { world, lookUps } = await slowWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const names = ['NSE:IDEA-EQ', 'BSE:IDEA', 'NSE:IDEA-EQ', 'NSE:IDEA-EQ'];
  const { instruments } = await client.ask({ subscribe: 'ticks', instruments: names });
  assert.deepEqual(instruments, names);
  assert.equal(lookUps.count, 2);
  await world.close();
});

test('the events of a long subscription come behind its answer', async () => {
  const { world } = await slowWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const all = [...fakeInstruments.list('NSE', world.now), ...fakeInstruments.list('NFO', world.now)];
  const instruments = all.map(({ exchange, tradingSymbol }) => `${exchange}:${tradingSymbol}`);
  await client.ask({ subscribe: ['ticks', 'depth'], instruments });
  await client.socket.until(() => client.of('tick').length === all.length && client.of('depth').length === all.length);
  assert.deepEqual(
    client.frames.slice(0, 2).map(({ type }) => type),
    ['login', 'subscribed'],
  );
  await world.close();
});

test('a socket that ends while it begins to follow gives all of its share back', async () => {
  const { world, lookUps } = await slowWorld();
  const names = (from: number, count: number) => Array.from({ length: count }, (_, n) => `NSE:IDEA-EQ.${from + n}`);
  for (const from of [0, 1_000]) {
    const client = await StreamClient.logIn(world, ALICE);
    const before = lookUps.gets;
    client.send({ subscribe: 'ticks', instruments: names(from, 300) });
    await client.socket.until(() => lookUps.gets > before + 10);
    client.end();
    await client.socket.until(() => world.sockets.open === 0);
    assert.ok(lookUps.gets < before + 300, 'it had not followed all');
  }
  lookUps.ms = 0;
  const client = await StreamClient.logIn(world, ALICE);
  assert.equal(world.sockets.subscriptions, 0);
  const answers: string[] = [];
  for (const from of [0, 2_500]) {
    answers.push((await client.ask({ subscribe: 'ticks', instruments: names(from, 2_500) })).type);
  }
  assert.deepEqual(answers, ['subscribed', 'subscribed']);
  await world.close();
});
