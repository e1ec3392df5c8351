import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { Doorway, type Party, REQUESTS } from './doorway.ts';

/*
 * The matrix of access: operations by users by whose session or object it is. The bytes for what is another's and for
 * what does not exist are the same, so that nobody learns of either; and nothing changes. Source: contract W3, W4, W22,
 * W23, reliability I37, I38.
 */

const GUESSED_USER = 'ZZ9999';
const GUESSED_TOKEN = '5'.repeat(64);
const GUESSED_ORDER = '26111899999999';

const doorway = await Doorway.open();
const [first, second] = await doorway.parties();
const SIDES: readonly (readonly [me: Party, other: Party])[] = [
  [first, second],
  [second, first],
];

/** Asks with someone's user id and token; nothing may change. */
async function refused(path: string, userId: string, jKey: string, body: object): Promise<Reply> {
  const before = doorway.world.live.hash();
  const reply = await doorway.ask(path, { userId, jKey, ...body });
  assert.notEqual(reply.status, 200, `${path} answered ${reply.body}`);
  assert.equal(doorway.world.live.hash(), before, `${path} was refused and changed something`);
  return reply;
}

function assertSame(a: Reply, b: Reply, what: string): void {
  assert.deepEqual([a.status, a.type, a.headers, a.body], [b.status, b.type, b.headers, b.body], what);
}

test('the matrix has every operation behind a session', () => {
  const paths = OPERATIONS.filter((operation) => !operation.forStrangers).map(({ path }) => path);
  assert.deepEqual([...REQUESTS.keys()].sort(), paths.sort());
  assert.ok(paths.length >= 20);
});

for (const [path, bodyOf] of REQUESTS) {
  test(`${path} opens to one's own session only, and answers nothing about any other`, async () => {
    for (const [me, other] of SIDES) {
      const { userId } = me.user.plain;
      const body = bodyOf(me.order, me.gtt, me.alert);
      const anothers = await refused(path, other.user.plain.userId, me.jKey, body);
      const nobodys = await refused(path, GUESSED_USER, me.jKey, body);
      assertSame(anothers, nobodys, "another's user id and none");
      assert.equal(JSON.parse(anothers.body).name, 'INVALID_USERID');
      const taken = await refused(path, userId, other.jKey, body);
      assertSame(taken, nobodys, "another's token");
      const guessed = await refused(path, userId, GUESSED_TOKEN, body);
      assert.equal(JSON.parse(guessed.body).name, 'INVALID_JKEY');
      for (const [how, token] of me.oldTokens) {
        assertSame(await refused(path, userId, token, body), guessed, `a token that was ${how}`);
        assertSame(await refused(path, GUESSED_USER, token, body), guessed, `a token that was ${how}, by nobody`);
      }
    }
  });
}

const ORDER_PATHS = ['/modifyOrder', '/modifyAMO', '/cancelOrder', '/singleOrderHistory'];

for (const path of ORDER_PATHS) {
  test(`${path} knows one's own orders only, and answers the same for another's and for none`, async () => {
    const bodyOf = REQUESTS.get(path) ?? (() => ({}));
    for (const [me, other] of SIDES) {
      const ask = (order: string) => refused(path, me.user.plain.userId, me.jKey, bodyOf(order, me.gtt, me.alert));
      const guessed = await ask(GUESSED_ORDER);
      assert.equal(guessed.status, 400);
      assertSame(await ask(other.order), guessed, "another's order of today");
      assertSame(await ask(other.oldOrder), guessed, "another's order of yesterday");
      assertSame(await ask('1'), guessed, 'no number of an order');
      const before = doorway.world.live.hash();
      const old = await doorway.ask(path, {
        userId: me.user.plain.userId,
        jKey: me.jKey,
        ...bodyOf(me.oldOrder, me.gtt, me.alert),
      });
      assert.equal(old.status, 200, 'an own order of yesterday');
      if (path !== '/singleOrderHistory')
        assert.match(old.body, /"rejreason":"SAF:order is not open to (modify|cancel)"/);
      assert.equal(doorway.world.live.hash(), before, 'an order of yesterday stays as it is');
    }
  });
}

for (const path of ['/modifyGttOrder', '/cancelGttOrder']) {
  test(`${path} knows one's own GTTs only, and answers the same for another's and for none`, async () => {
    const bodyOf = REQUESTS.get(path) ?? (() => ({}));
    for (const [me, other] of SIDES) {
      const ask = (gtt: string) => refused(path, me.user.plain.userId, me.jKey, bodyOf(me.order, gtt, me.alert));
      const guessed = await ask(GUESSED_ORDER);
      assert.equal(guessed.status, 400);
      assertSame(await ask(other.gtt), guessed, "another's GTT");
      assertSame(await ask(me.order), guessed, 'an order is not a GTT');
      assertSame(await ask('1'), guessed, 'no number of a GTT');
    }
  });
}

test("/cancelAlert knows one's own alerts only, and answers the same for another's and for none", async () => {
  for (const [me, other] of SIDES) {
    const ask = (alertId: string) => refused('/cancelAlert', me.user.plain.userId, me.jKey, { alertId });
    assertSame(await ask(other.alert), await ask('999999999'), "another's alert");
  }
});

test('an idempotency key is its own for each user', async () => {
  const body = REQUESTS.get('/placeOrder')?.('', '', '') ?? {};
  const numbers: string[] = [];
  for (const { user, jKey } of [first, second, first]) {
    const reply = await doorway.ask('/placeOrder', { userId: user.plain.userId, jKey, ...body }, 'the-same-key');
    numbers.push(JSON.parse(reply.body).data.orderNumber);
  }
  assert.equal(numbers[0], numbers[2]);
  assert.notEqual(numbers[0], numbers[1]);
});

test('a position of another user can be neither converted nor sold, like one that nobody holds', async () => {
  const { user, jKey } = first;
  const who = { userId: user.plain.userId, jKey };
  const other = { userId: second.user.plain.userId, jKey: second.jKey };
  const buy = {
    ...REQUESTS.get('/placeOrder')?.('', '', ''),
    tradingSymbol: 'TCS-EQ',
    priceType: 'MKT',
    price: '0',
    product: 'I',
  };
  assert.equal((await doorway.ask('/placeOrder', { ...other, ...buy })).status, 200);
  const held = JSON.parse((await doorway.ask('/positionBook', other)).body).data.map(
    ({ tradingSymbol }: { tradingSymbol: string }) => tradingSymbol,
  );
  assert.ok(held.includes('TCS-EQ'), 'the other has a position');
  const texts = [];
  for (const tradingSymbol of ['TCS-EQ', 'INFY-EQ']) {
    const conversion = {
      exchange: 'NSE',
      tradingSymbol,
      product: 'C',
      previousProduct: 'I',
      quantity: '1',
      msgFlag: '1',
    };
    texts.push((await doorway.ask('/productConversion', { ...who, ...conversion })).body);
  }
  assert.equal(texts[0], texts[1]);
});

for (const [path, bodyOf] of REQUESTS) {
  test(`${path} answers each user with what is its own`, async () => {
    for (const [me, other] of SIDES) {
      const { userId } = me.user.plain;
      const reply = await doorway.ask(path, { userId, jKey: me.jKey, ...bodyOf(me.order, me.gtt, me.alert) });
      assert.equal(reply.status, 200, reply.body);
      for (const text of [
        other.user.marker,
        other.user.plain.userId,
        other.order,
        other.oldOrder,
        other.gtt,
        other.jKey,
      ]) {
        assert.ok(!reply.body.includes(text), `${path} shows ${text}`);
      }
    }
  });
}
