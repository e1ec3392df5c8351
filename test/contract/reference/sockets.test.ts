import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { type EpochMs, SECOND_MS } from '../../../src/base/time.ts';
import { asyncApiDocument } from '../../../src/gateway/reference/async-api.ts';
import { STREAM_EVENTS } from '../../../src/gateway/reference/stream-events.ts';
import { CHANNEL_OF, CHANNELS, isMarketChannel, isUserChannel } from '../../../src/gateway/stream/channels.ts';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, MARKET_BUY, openWorld } from '../../kit/wire/world.ts';

/* The document of the sockets beside the frames that the sockets send. */

type Schema = Readonly<Record<string, unknown>>;
const { components } = JSON.parse(JSON.stringify(asyncApiDocument())) as {
  components: { messages: Record<string, { payload: Schema }>; schemas: Record<string, Schema> };
};

/** A schema with the schemas that it refers to in their places. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return whole(components.schemas[String(schema.$ref).replace('#/components/schemas/', '')]);
  return Object.fromEntries(Object.entries(schema).map(([word, value]) => [word, whole(value)]));
}

/** Asserts that a frame is of a message, and has no field that the message does not name. */
function assertMessage(name: string, frame: unknown): void {
  const schema = whole(components.messages[name]?.payload) as Schema;
  assert.ok(Compile(schema as never).Check(frame as never), `${name}: ${JSON.stringify(frame)}`);
  assertNamed(schema, frame, name);
}

function assertNamed(schema: Schema, value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const other = schema.additionalProperties as Schema | undefined;
  for (const [name, inside] of Object.entries(value)) {
    const named = properties[name] ?? other;
    assert.ok(named, `${place}.${name} is not published`);
    assertNamed(named, inside, `${place}.${name}`);
  }
}

/** The message of a frame of the stream, by its type. */
function messageOf(type: string): string {
  return type === 'login' ? 'loggedIn' : type;
}

test('the channels and events of the document are those of the stream', () => {
  assert.deepEqual(new Set([...STREAM_EVENTS.map(({ channel }) => channel), 'status']), new Set<string>(CHANNELS));
  for (const { type, channel, scope } of STREAM_EVENTS) {
    const isUsers = isUserChannel(channel);
    const others = channel === 'results' ? 'state' : 'all';
    assert.equal(scope, isUsers ? 'user' : isMarketChannel(channel) ? 'market' : others);
    if (isUsers) assert.equal((CHANNEL_OF as Record<string, string>)[type], channel);
  }
});

test('every frame of the stream is a message of the document, and so is what a client sends', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock });
  const client = await StreamClient.open(world);
  const sent: [name: string, frame: object][] = [
    ['login', { login: ALICE.credentials }],
    ['subscribe', { subscribe: 'orders', id: 'a' }],
    ['subscribe', { subscribe: ['trades', 'positions', 'limits', 'results', 'clock', 'status'], id: 'b' }],
    ['subscribe', { subscribe: ['ticks', 'depth'], instruments: ['NSE:IDEA-EQ'], id: 'c' }],
    ['subscribe', { subscribe: 'candles', instruments: ['NSE:IDEA-EQ'], interval: '1mi', id: 'd' }],
    ['subscribe', { subscribe: 'greeks', instruments: ['NFO:NIFTY29DEC26C24000'], id: 'e' }],
    ['subscribe', { subscribe: 'queue', instruments: ['NSE:IDEA-EQ'], id: 'q' }],
    ['unsubscribe', { unsubscribe: 'candles', id: 'f' }],
  ];
  for (const [name, frame] of sent.slice(0, -1)) {
    assertMessage(name, frame);
    client.send(frame);
  }
  client.send({ subscribe: 'nothing', id: 'g' });
  // The answer to the last request comes after those before it: the channels are subscribed when the order is placed.
  await client.next('error');
  await world.place(ALICE, MARKET_BUY);
  await clock.pass(10);
  await client.next('greeks');
  world.now = (world.now + SECOND_MS) as EpochMs;
  await clock.pass(SECOND_MS);
  const [name = '', frame] = sent.at(-1) ?? [];
  assertMessage(name, frame);
  client.send(frame);
  await client.settle();
  for (const seen of client.frames) assertMessage(messageOf(seen.type), seen);
  const types = new Set(client.frames.map(({ type }) => type));
  const events = [
    'order',
    'trade',
    'position',
    'limit',
    'results',
    'clock',
    'status',
    'tick',
    'depth',
    'candle',
    'greeks',
    'queue',
  ];
  for (const type of [...events, 'login', 'subscribed', 'unsubscribed', 'error']) assert.ok(types.has(type), type);
  await world.close();
});

for (const [path, market] of [
  ['/V2/ws', 'v2Market'],
  ['/ws', 'wsMarket'],
] as const) {
  test(`every frame of ${path} is a message of the document`, () => assertFamilySocket(path, market));
}

async function assertFamilySocket(path: string, market: string): Promise<void> {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock });
  const { userId, jKey } = ALICE.credentials;
  const client = await SocketClient.open(world, `${path}?userId=${userId}&jKey=${jKey}&source=developer-api`);
  const wish = { action: 'subscribe', tokens: 'NSE:14366' };
  assertMessage('v2Subscription', wish);
  client.send(wish);
  await client.settle(clock);
  await clock.pass(1_000);
  await world.place(ALICE, MARKET_BUY);
  await clock.pass(1_000);
  await client.until(() => client.texts.some((text) => text.includes('brkname')));
  const names = client.texts.map((text) => {
    const frame = JSON.parse(text);
    const kinds: [string, string][] = [
      ['v2Position', 'brkname'],
      ['v2Order', 'norenordno'],
      ['v2Login', 'message'],
    ];
    const name = kinds.find(([, field]) => field in frame)?.[0] ?? market;
    assertMessage(name, frame);
    return name;
  });
  for (const name of ['v2Login', market, 'v2Order', 'v2Position']) assert.ok(names.includes(name), name);
  await world.close();
}
