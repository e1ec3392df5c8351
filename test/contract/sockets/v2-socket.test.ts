import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, type EpochMs, HOUR_MS } from '../../../src/base/time.ts';
import { switchKey } from '../../../src/core/switches/switch.ts';
import { clockedWorld } from '../../kit/wire/clocked-world.ts';
import { OPTIONS } from '../../kit/wire/fake-instruments.ts';
import type { ManualClock } from '../../kit/wire/manual-clock.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, type TestUser, type World } from '../../kit/wire/world.ts';

/* The V2 socket, frame by frame. The rules are those of docs/stream.md. */

const WELCOME = '{"status":"success","message":"Authentication successful"}';
const IDEA = 'NSE:14366';
const NIFTY = 'NSE:26000';
const CHAIN = { exchange: 'NFO', symbol: 'NIFTY', expiry: '29DEC26' };

function addressOf({ credentials: { userId, jKey } }: TestUser, path = '/V2/ws'): string {
  return `${path}?${new URLSearchParams({ userId, jKey, source: 'developer-api' })}`;
}

/** A socket that has read its first frame. */
async function logIn(world: World, clock: ManualClock, user: TestUser, path?: string): Promise<SocketClient> {
  const client = await SocketClient.open(world, addressOf(user, path));
  await clock.pass(200);
  await client.texted(1);
  return client;
}

/** A socket to which frames of orders and positions are no longer held back. */
async function logInWhole(world: World, clock: ManualClock, user: TestUser): Promise<SocketClient> {
  const client = await logIn(world, clock, user);
  await clock.pass(600);
  return client;
}

type Fields = Record<string, unknown>;

/** The frames of a client whose object has a field, as objects. */
function framesWith(client: SocketClient, field: string): Fields[] {
  return client.texts.map((text) => JSON.parse(text) as Fields).filter((frame) => field in frame);
}

test('the first frame comes between 100 and 200 ms after the upgrade', async () => {
  const { world, clock } = await clockedWorld();
  const client = await SocketClient.open(world, addressOf(ALICE));
  await clock.pass(100);
  assert.deepEqual(client.texts, []);
  await clock.pass(100);
  assert.deepEqual(await client.texted(1), [WELCOME]);
});

test('a bad token or user gets a frame that says so, and is closed', async () => {
  const { world, clock } = await clockedWorld();
  for (const address of [
    '/V2/ws',
    '/ws?userId=AB1234&jKey=nonsense',
    addressOf({ ...ALICE, credentials: { ...ALICE.credentials, userId: 'CD5678' } }),
  ]) {
    const client = await SocketClient.open(world, address);
    client.send({ action: 'subscribe', tokens: IDEA });
    await clock.pass(200);
    assert.equal((await client.untilClosed()).code, 4401);
    assert.deepEqual(client.texts, ['{"status":"failed","message":"unauthenticated"}']);
  }
});

test('the fourth socket of a user gets the bare text, and takes no place', async () => {
  const { world, clock } = await clockedWorld();
  const clients: SocketClient[] = [];
  for (const path of ['/V2/ws', '/ws', '/V2/ws']) clients.push(await logIn(world, clock, ALICE, path));
  const fourth = await logIn(world, clock, ALICE);
  assert.deepEqual(fourth.texts, ['Maximum sessions limit (3) reached']);
  assert.equal((await fourth.untilClosed()).code, 4409);
  assert.deepEqual((await logIn(world, clock, BOB)).texts, [WELCOME]);
  clients[0]?.end();
  await clients[0]?.untilClosed();
  await (clients[1] as SocketClient).settle(clock);
  assert.deepEqual((await logIn(world, clock, ALICE)).texts, [WELCOME]);
});

test('subscriptions made before the first frame are answered after it', async () => {
  const { world, clock } = await clockedWorld();
  const client = await SocketClient.open(world, addressOf(ALICE));
  client.send({ action: 'subscribe', tokens: IDEA });
  await clock.pass(100);
  assert.deepEqual(client.texts, []);
  await clock.pass(100);
  const [first, second = ''] = await client.texted(2);
  assert.equal(first, WELCOME);
  assert.ok(second.startsWith(`{"${IDEA}":{`));
});

test('a frame of a share is whole: integers, five levels a side, nothing beside its key', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  world.now = (world.now + 52) as EpochMs;
  client.send({ action: 'subscribe', tokens: IDEA });
  const [text = ''] = await client.texted(2, 1);
  const levels = (step: number): string =>
    [1, 2, 3, 4, 5].map((n) => `{"price":${710 + 5 * n * step},"quantity":1000,"orders":${n}}`).join(',');
  const [, seq] = /"seq":(\d+)/.exec(text) ?? [];
  const fields = [
    `"best_buy":[${levels(-1)}]`,
    `"best_sell":[${levels(1)}]`,
    '"c_exch_feed_time":"20-Nov-2026 11:00:00"',
    '"c_exch_seg":"NSE"',
    '"c_net_change_indicator":"43"',
    '"c_symbol":"14366"',
    '"i_average_trade_price":710',
    '"i_buy_depth_size":5',
    '"i_closing_price":700',
    '"close_price":700',
    '"i_feed_time":1795152600',
    '"i_high_price":715',
    '"i_last_trade_quantity":1',
    '"i_last_trade_time":1795152600',
    '"i_last_traded_price":710',
    '"i_low_price":705',
    '"i_lower_circuit_limit":568',
    '"i_net_price_change_from_closing_price":10',
    '"i_open_price":710',
    '"i_seconds_since_boe":1795152600052000000',
    '"i_sell_depth_size":5',
    '"i_total_buy_quantity":5000',
    '"i_total_open_interest":0',
    '"i_open_interest":0',
    '"i_total_sell_quantity":5000',
    '"i_total_tradevalue":3550000',
    '"i_upper_circuit_limit":852',
    '"i_usecs":52000000',
    '"i_volume_traded_today":5000',
    `"seq":${seq}`,
  ];
  let rest = text;
  for (const field of fields) {
    assert.ok(rest.includes(field), `${field} is in ${text}`);
    rest = rest.replace(field, '');
  }
  assert.match(rest, /^\{"NSE:14366":\{,*\}\}$/, 'nothing else');
});

test('a frame of an index has no orders, no volume, and zeros for its bands and its last trade', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  client.send({ action: 'subscribe', tokens: NIFTY });
  const [text = ''] = await client.texted(2, 1);
  const { [NIFTY]: frame = {} } = JSON.parse(text) as Record<string, Fields>;
  for (const side of ['best_buy', 'best_sell']) assert.deepEqual(frame[side], [{}, {}, {}, {}, {}]);
  for (const zero of ['i_upper_circuit_limit', 'i_lower_circuit_limit', 'i_last_trade_quantity', 'i_last_trade_time']) {
    assert.equal(frame[zero], 0);
  }
  for (const absent of [
    'i_total_buy_quantity',
    'i_total_sell_quantity',
    'i_total_tradevalue',
    'i_volume_traded_today',
  ]) {
    assert.ok(!(absent in frame), absent);
  }
  assert.equal(frame.i_last_traded_price, 2_400_000);
});

test('the older socket has the same fields without the key', async () => {
  const { world, clock } = await clockedWorld();
  const [newer, older] = [await logIn(world, clock, ALICE), await logIn(world, clock, ALICE, '/ws')];
  for (const client of [newer, older]) client.send({ action: 'subscribe', tokens: IDEA });
  const [keyed = ''] = await newer.texted(2, 1);
  const [flat = ''] = await older.texted(2, 1);
  assert.equal(keyed, `{"${IDEA}":${flat}}`);
});

test('an instrument comes again when it changes, and every few seconds while it does not', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  client.send({ action: 'subscribe', tokens: IDEA });
  await client.texted(2);
  for (let second = 0; second < 4; second += 1) {
    world.now = (world.now + 1_000) as EpochMs;
    await clock.pass(1_000);
  }
  await client.settle(clock);
  assert.equal(client.texts.length, 2, 'nothing has changed');
  await world.place(BOB, {});
  world.now = (world.now + 1_000) as EpochMs;
  await clock.pass(1_000);
  const [, , changed = ''] = await client.texted(3);
  assert.match(changed, /"i_total_buy_quantity":5010/);
  for (let second = 0; second < 6; second += 1) {
    world.now = (world.now + 1_000) as EpochMs;
    await clock.pass(1_000);
  }
  const [, , , again = ''] = await client.texted(4);
  assert.match(again, /"i_total_buy_quantity":5010/);
  await client.settle(clock);
  assert.equal(client.texts.length, 4);
});

test('a client that stops reading gets the newest frame of a token when it reads again, and not all older ones', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  const tokens = [IDEA, 'NSE:2885', ...OPTIONS.map(({ token }) => `NFO:${token}`)];
  client.send({ action: 'subscribe', tokens: tokens.join('|') });
  await client.texted(1 + tokens.length);
  client.socket.pause();
  const deaf = client.texts.length;
  let asked = 0;
  for (; world.sockets.conflated === 0; asked += 1) {
    assert.ok(asked < 2_000, 'the connection takes no more at some time');
    client.send({ action: 'subscribe', tokens: tokens.join('|') });
    world.now = (world.now + 1_000) as EpochMs;
    await clock.pass(10);
  }
  assert.ok(world.sockets.waitingBytes < 256 * 1024, `${world.sockets.waitingBytes} bytes wait`);
  await world.place(BOB, {});
  world.now = (world.now + 1_000) as EpochMs;
  await clock.pass(1_000);
  client.socket.resume();
  const last = (): string | undefined => client.texts.findLast((text) => text.startsWith(`{"${IDEA}"`));
  await client.until(() => last()?.includes('"i_total_buy_quantity":5010') === true);
  assert.ok(client.texts.length - deaf < asked * tokens.length);
});

test('references are counted on each socket: three subscriptions end with the third unsubscription', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  const step = async (): Promise<number> => {
    const before = client.texts.length;
    await world.place(BOB, {});
    world.now = (world.now + 1_000) as EpochMs;
    await clock.pass(1_000);
    await client.settle(clock);
    return client.texts.length - before;
  };
  for (let count = 0; count < 3; count += 1) {
    client.send({ action: 'subscribe', tokens: IDEA });
    await client.texted(2 + count);
  }
  for (const expected of [1, 1, 1, 0]) {
    assert.equal(await step(), expected, 'one frame for all of its subscriptions');
    client.send({ action: 'unsubscribe', tokens: `${IDEA}|BSE:1` });
    await client.settle(clock);
  }
});

test('anything else that a client sends is met with silence', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  const texts = [
    '{"t":"o","actid":"AB1234"}',
    '{"action":"subscribe"}',
    '{"action":"subscribe","tokens":["NSE:14366"]}',
    '{"action":"subscribe","tokens":"NSE:99999|XYZ:1|NSE:|NSE:-1|14366|NSE:1e3|"}',
    '{"action":"dance","tokens":"NSE:14366"}',
    '{"action":"subscribe-option-greeks","tokens":"NSE:14366"}',
    'not JSON',
    '[]',
    'null',
    '7',
    '',
  ];
  for (const text of texts) client.send(text);
  client.send({ action: 'unsubscribe', tokens: IDEA });
  await client.settle(clock);
  assert.deepEqual(client.texts, [WELCOME]);
  client.send({ action: 'subscribe', tokens: `XYZ:1|${IDEA}` });
  await client.texted(2);
});

test('hundreds of tokens in a frame and one frame a token are both taken', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  const options = Array.from({ length: 14 }, (_, index) => `NFO:${60_000 + index}`);
  const unknown = Array.from({ length: 500 }, (_, index) => `NFO:${90_000 + index}`);
  client.send({ action: 'subscribe', tokens: [...options, ...unknown].join('|') });
  for (const token of [IDEA, NIFTY, 'NSE:2885']) client.send({ action: 'subscribe', tokens: token });
  const texts = await client.texted(18, 1);
  const keys = texts.map((text) => Object.keys(JSON.parse(text) as object)[0]);
  assert.deepEqual(new Set(keys), new Set([...options, IDEA, NIFTY, 'NSE:2885']));
});

test('greeks of options are whole ten-thousandths, beside the prices and apart from them', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logIn(world, clock, ALICE);
  const [token] = OPTIONS.map((option) => `NFO:${option.token}`);
  client.send({ action: 'subscribe-option-greeks', tokens: `${IDEA}|${token}|NFO:50001` });
  const [text = ''] = await client.texted(2, 1);
  await client.settle(clock);
  assert.equal(client.texts.length, 2, 'a share and a future have none');
  assert.match(
    text,
    /^\{"NFO:60000":\{"c_exch_seg":"NFO","c_symbol":"60000","gamma":-?\d+,"theta":-?\d+,"delta":-?\d+,"vega":-?\d+,"rho":-?\d+\}\}$/,
  );
  const { data } = JSON.parse(
    (await world.call('/optionChainGreeks', ALICE, { ...CHAIN, strikePrice: '23800.00', count: '1' })).text,
  ) as { data: Record<string, string>[] };
  const row = data.find(({ token: own }) => own === '60000') ?? {};
  const { delta, gamma, theta, vega, rho } =
    (JSON.parse(text) as Record<string, Record<string, number>>)['NFO:60000'] ?? {};
  const tenThousandths = (value: string | undefined): number => Math.round(Number(value) * 10_000);
  assert.deepEqual(
    [delta, gamma, theta, vega, rho],
    [row.delta, row.gamma, row.theta, row.vega, row.rho].map(tenThousandths),
  );
  client.send({ action: 'unsubscribe-option-greeks', tokens: token });
  client.send({ action: 'subscribe', tokens: token });
  assert.match((await client.texted(3, 2))[0] ?? '', /^\{"NFO:60000":\{"best_buy"/);
});

test('an order goes from its receipt to its fill in frames of texts, and its position follows', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logInWhole(world, clock, ALICE);
  const number = await world.place(ALICE, { ...MARKET_BUY, remarks: 'मेरा "first" order' });
  await client.until(() => framesWith(client, 'brkname').length === 1);
  const orders = framesWith(client, 'norenordno');
  assert.deepEqual(
    orders.map(({ status, reporttype }) => `${status}/${reporttype}`),
    ['ORDER ACK/NewAck', 'ORDER PENDING/PendingNew', 'OPEN/New', 'COMPLETE/Fill'],
  );
  for (const frame of orders) {
    for (const [name, value] of Object.entries(frame)) assert.equal(typeof value, 'string', name);
    assert.equal(frame.norenordno, number);
    assert.equal(frame.remarks, 'मेरा "first" order');
  }
  const [received = {}, , open = {}, filled = {}] = orders;
  const terms = { tsym: 'IDEA-EQ', exch: 'NSE', token: '14366', pcode: 'C', trantype: 'B', prctyp: 'MKT', ret: 'DAY' };
  const scrip = {
    ls: '1',
    ti: '0.05',
    pp: '2',
    mult: '1',
    prcftr: '1.000000',
    dscqty: '0',
    kidid: '1',
    rejreason: ' ',
  };
  const user = { uid: 'AB1234', actid: 'AB1234', qty: '10', tm: '1795152600', ntm: '0' };
  assert.deepEqual({ ...received, ...terms, ...scrip, ...user }, received);
  assert.ok(!('exchordid' in received));
  assert.match(String(open.exchordid), /^\d{16}$/);
  const fill = { fillshares: '10', avgprc: '7.15', flqty: '10', flprc: '7.15' };
  assert.deepEqual({ ...filled, ...fill }, filled);
  assert.match(`${filled.flid} ${filled.fltm}`, /^\d+ 20-11-2026 11:00:00$/);
  const [position = {}] = framesWith(client, 'brkname');
  const figures = { netqty: '10', buyavgprc: '7.15', totbuyamt: '71.50', daybuyqty: '10', rpnl: '0.00', pcode: 'C' };
  assert.deepEqual({ ...position, ...figures, tsym: 'IDEA-EQ', instname: 'EQ', uid: 'AB1234' }, position);
  const [child, ...others] = position.child_orders as Fields[];
  assert.deepEqual(others, []);
  assert.deepEqual({ ...child, netqty: '10', exch: 'NSE', tsym: 'IDEA-EQ' }, child);
  for (const [name, value] of [...Object.entries(position), ...Object.entries(child ?? {})]) {
    if (name !== 'child_orders') assert.equal(typeof value, 'string', name);
  }
});

test('the position frame of a share has both exchanges, and their sums outside', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logInWhole(world, clock, ALICE);
  await world.place(ALICE, MARKET_BUY);
  await world.place(ALICE, { ...MARKET_BUY, exchange: 'BSE', tradingSymbol: 'IDEA', quantity: '7' });
  await client.until(() => framesWith(client, 'brkname').length === 2);
  const [, position = {}] = framesWith(client, 'brkname');
  assert.equal(position.netqty, '17');
  assert.equal(position.exch, 'BSE');
  assert.deepEqual(
    (position.child_orders as Fields[]).map(({ exch, netqty }) => `${exch} ${netqty}`),
    ['BSE 7', 'NSE 10'],
  );
});

test('the other steps of an order have their words', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logInWhole(world, clock, ALICE);
  const words = async (count: number): Promise<string[]> => {
    await client.until(() => framesWith(client, 'norenordno').length === count);
    return framesWith(client, 'norenordno').map(({ status, reporttype }) => `${status}/${reporttype}`);
  };
  const stop = await world.place(ALICE, { priceType: 'SL-LMT', price: '7.60', triggerPrice: '7.50' });
  const terms = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', orderNumber: stop, product: 'C', retention: 'DAY' };
  await world.call('/modifyOrder', ALICE, {
    ...terms,
    priceType: 'SL-LMT',
    price: '7.65',
    triggerPrice: '7.55',
    quantity: '9',
  });
  await world.call('/cancelOrder', ALICE, { orderNumber: stop });
  assert.deepEqual((await words(5)).slice(2), ['TRIGGER_PENDING/New', 'TRIGGER_PENDING/Replaced', 'CANCELED/Canceled']);
  assert.equal(framesWith(client, 'trgprc').at(-1)?.trgprc, '7.55');
  await world.place(ALICE, { ...LIMIT_BUY, price: '7.10', quantity: '90000000' });
  assert.deepEqual((await words(7)).slice(5), ['ORDER ACK/NewAck', 'REJECTED/Rejected']);
  const rejected = framesWith(client, 'norenordno').at(-1) ?? {};
  assert.ok(String(rejected.rejreason).length > 5, String(rejected.rejreason));
});

test('an order that waits for a session has words of its own', async () => {
  const { world, clock } = await clockedWorld();
  world.now = (world.now + 11.6 * HOUR_MS) as EpochMs;
  const user = await world.logIn(ALICE);
  const client = await logInWhole(world, clock, user);
  const number = await world.place(user, {});
  await world.call('/modifyOrder', user, {
    exchange: 'NSE',
    tradingSymbol: 'IDEA-EQ',
    orderNumber: number,
    product: 'C',
    retention: 'DAY',
    priceType: 'LMT',
    price: '7.05',
    triggerPrice: '0',
    quantity: '10',
  });
  await world.call('/cancelOrder', user, { orderNumber: number });
  await world.call('/cancelOrder', user, { orderNumber: number });
  await client.until(() => framesWith(client, 'norenordno').length === 5);
  assert.deepEqual(
    framesWith(client, 'norenordno').map(({ status }) => status),
    ['ORDER ACK', 'AMO OPEN', 'AMO MODIFIED', 'AMO CANCELED', 'AMO CANCELED'],
  );
});

test('orders are held back for 0.6 s after the first frame, and none is lost', async () => {
  const { world, clock } = await clockedWorld();
  const client = await SocketClient.open(world, addressOf(ALICE));
  await world.place(ALICE, {});
  await clock.pass(200);
  await world.place(ALICE, {});
  await clock.pass(500);
  await client.settle(clock);
  assert.deepEqual(client.texts, [WELCOME]);
  await clock.pass(100);
  await client.until(() => framesWith(client, 'norenordno').length === 6);
  await world.place(ALICE, {});
  await client.until(() => framesWith(client, 'norenordno').length === 9);
});

test('every socket of a user has the frames of his orders, and no socket of another', async () => {
  const { world, clock } = await clockedWorld();
  const clients = [await logInWhole(world, clock, ALICE), await logInWhole(world, clock, ALICE)];
  const other = await logInWhole(world, clock, BOB);
  await world.place(ALICE, {});
  for (const client of clients) await client.until(() => framesWith(client, 'norenordno').length === 3);
  await other.settle(clock);
  assert.deepEqual(other.texts, [WELCOME]);
});

test('nothing is sent of an order before it is durable', async () => {
  const { world, clock } = await clockedWorld();
  const client = await logInWhole(world, clock, ALICE);
  client.send({ action: 'subscribe', tokens: IDEA });
  await client.texted(2);
  const durable = Promise.withResolvers<void>();
  const { read } = world.engine;
  world.engine.read = ((query: Parameters<typeof read>[0]) => {
    const value = read.call(world.engine, query);
    return durable.promise.then(() => value);
  }) as typeof read;
  void world.call('/placeOrder', ALICE, LIMIT_BUY);
  await client.until(() => world.engine.state.orders.size === 1);
  world.now = (world.now + 1_000) as EpochMs;
  await clock.pass(1_000);
  await client.settle(clock);
  assert.equal(client.texts.length, 2);
  durable.resolve();
  await client.until(() => framesWith(client, 'norenordno').length === 3 && framesWith(client, IDEA).length === 2);
  world.engine.read = read;
});

test('logout, 06:00 and a kill switch end the sockets of a session with a code', async () => {
  const { world, clock } = await clockedWorld();
  const second = await world.logIn(ALICE);
  const [leaving, staying] = [await logIn(world, clock, ALICE), await logIn(world, clock, second)];
  await world.call('/logout', ALICE);
  await clock.pass(1_000);
  assert.deepEqual(await leaving.untilClosed(), { code: 4401, reason: 'the session has ended' });
  assert.equal(staying.closed, undefined);
  const bob = await logIn(world, clock, BOB);
  const target = { kind: 'AccountKill', account: BOB.account } as const;
  world.engine.state.switches.set(switchKey(target), { target, since: world.now, by: 'op', why: 'a test' });
  await clock.pass(1_000);
  assert.equal((await bob.untilClosed()).code, 4401);
  const reading = await logIn(world, clock, BOB);
  assert.deepEqual(reading.texts, [WELCOME], 'who is stopped from trading may still read');
  world.now = (world.now + DAY_MS - 5.5 * HOUR_MS) as EpochMs;
  await clock.pass(1_000);
  assert.equal((await staying.untilClosed()).code, 4401);
  assert.equal((await reading.untilClosed()).code, 4401);
});
