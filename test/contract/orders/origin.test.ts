import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusedRequest, RequestTrail, Who } from '../../../src/audit/port.ts';
import type { Submission } from '../../../src/engine/port.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

/** A world whose submissions and noted refusals are kept. */
async function noted(settings: Parameters<typeof openWorld>[0] = {}): Promise<{
  readonly world: World;
  readonly submitted: Submission[];
  readonly refused: { readonly who: Who | undefined; readonly request: RefusedRequest }[];
}> {
  const refused: { who: Who | undefined; request: RefusedRequest }[] = [];
  const trail: RequestTrail = { refuse: (who, request) => refused.push({ who, request }) };
  const world = await openWorld({ trail, ...settings });
  const submitted: Submission[] = [];
  const { submit } = world.engine;
  world.engine.submit = (submission) => {
    submitted.push(submission);
    return submit.call(world.engine, submission);
  };
  return { world, submitted, refused };
}

test('a command is submitted with the session, the operation and the address that asked for it', async () => {
  const { world, submitted } = await noted();
  const [number] = await Promise.all([world.place(ALICE, {}), world.place(BOB, {})]);
  await world.call('/modifyOrder', ALICE, { ...LIMIT_BUY, orderNumber: number, price: '7.05', quantity: '20' });
  await world.call('/cancelOrder', ALICE, { orderNumber: number });
  await world.call('/productConversion', BOB, { ...LIMIT_BUY, product: 'I', previousProduct: 'C' });
  await world.call('/logout', BOB);
  const seen = submitted.map(({ command, origin }) => {
    assert.equal(origin.type, 'Client');
    assert.match(origin.tokenDigest, /^[0-9a-f]{64}$/);
    return [command.type, origin.op, origin.account, origin.address];
  });
  const from = '127.0.0.1';
  assert.deepEqual(
    seen.slice(0, 2).sort((a, b) => Number(a[2]) - Number(b[2])),
    [
      ['PlaceOrder', 'placeOrder', ALICE.account, from],
      ['PlaceOrder', 'placeOrder', BOB.account, from],
    ],
  );
  assert.deepEqual(seen.slice(2), [
    ['ModifyOrder', 'modifyOrder', ALICE.account, from],
    ['CancelOrder', 'cancelOrder', ALICE.account, from],
    ['ConvertPosition', 'productConversion', BOB.account, from],
    ['CloseSession', 'logout', BOB.account, from],
  ]);
  await world.close();
});

test('a modification that waits for what it saw is still submitted as its client’s', async () => {
  const { world, submitted } = await noted({ rateLimit: 'exchange' });
  const number = await world.place(ALICE, {});
  const { read } = world.engine;
  world.engine.read = (query) => Promise.resolve(read.call(world.engine, query)) as never;
  const changed = { ...LIMIT_BUY, orderNumber: number, price: '7.05', quantity: '20' };
  assert.equal((await world.call('/modifyOrder', ALICE, changed)).status, 200);
  const origin = submitted.at(-1)?.origin;
  assert.ok(origin?.type === 'Client' && origin.op === 'modifyOrder' && origin.account === ALICE.account);
  await world.close();
});

test('a request has one line in the trail: of its command, or of its refusal', async () => {
  const { world, submitted, refused } = await noted();
  const key = { 'idempotency-key': 'one' };
  await world.call('/placeOrder', ALICE, LIMIT_BUY, key);
  assert.equal((await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, quantity: '11' }, key)).status, 400);
  assert.equal((await world.call('/cancelOrder', ALICE, { orderNumber: '26112000009999' })).status, 400);
  assert.deepEqual([submitted.length, refused.length], [3, 0], 'each was decided');

  assert.equal((await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, quantity: 'x' })).status, 400);
  assert.equal(
    (await world.call('/placeOrder', { ...ALICE, credentials: { userId: 'AB1234', jKey: 'x' } })).status,
    401,
  );
  assert.equal((await world.post('/nothing', {})).status, 404);
  world.engine.submit = () => Promise.reject(Object.assign(new Error('full'), { name: 'Unavailable' }));
  assert.equal((await world.call('/placeOrder', ALICE, LIMIT_BUY)).status, 503);
  assert.deepEqual(
    refused.map(({ who, request }) => [request.op, request.status, who?.account]),
    [
      ['placeOrder', 400, ALICE.account],
      ['placeOrder', 401, undefined],
      ['path', 404, undefined],
      ['placeOrder', 503, ALICE.account],
    ],
  );
  await world.close();
});
