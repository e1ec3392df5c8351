import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { RawConnection } from '../../kit/wire/raw-connection.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

/* X-Scenarios: every answer says that outcomes can be asked for. The rules are those of docs/outcomes.md. */

const JSON_TYPE = { 'content-type': 'application/json' };

test('every answer of the port has X-Scenarios while scenarios are on, and none has it otherwise', async () => {
  for (const [scenarios, expected] of [
    ['on', 'on'],
    ['off', undefined],
  ] as const) {
    const world = await openWorld({ scenarios });
    const answers = [
      await world.call('/limit', ALICE),
      await world.call('/orderBook', ALICE, {}, { 'x-not-plain': '1', 'transfer-encoding': 'chunked' }),
      await world.call('/placeOrder', ALICE, {}),
      await world.post('/limit', {}),
      await world.send('POST', '/V1/limit', JSON_TYPE, 'no json'),
      await world.send('GET', '/V1/limit', {}),
      await world.send('GET', '/nothing', {}),
      await world.send('GET', '/', {}),
      await world.send('GET', '/openapi.json', {}),
      await world.send('GET', '/livez', {}),
      await world.send('GET', '/V1/symbols/NSE', {}),
    ];
    for (const { status, headers } of answers) {
      assert.equal(headers['x-scenarios'], expected, String(status));
      assert.equal(headers['x-market'], 'simulated');
    }
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 400, 401, 404, 405]);
    await world.close();
  }
});

test('bytes without a request are refused with X-Scenarios too', async () => {
  const world = await openWorld({ scenarios: 'on' });
  const connection = await RawConnection.open(world.port);
  await connection.write(Buffer.from('HELLO\r\n\r\n'), false);
  assert.match(await connection.next(), /^x-scenarios: on\r$/m);
  await world.close();
});

test('the first frames of both streams say that scenarios are on', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ scenarios: 'on', socketClock: clock });
  const { userId, jKey } = ALICE.credentials;
  const family = await SocketClient.open(world, `/V2/ws?${new URLSearchParams({ userId, jKey })}`);
  await clock.pass(200);
  assert.deepEqual(await family.texted(1), [
    '{"status":"success","message":"Authentication successful","scenarios":"on"}',
  ]);
  const own = await StreamClient.open(world);
  own.send({ login: ALICE.credentials });
  const seq = String(world.engine.state.seq);
  assert.deepEqual((await own.next('login')).data, { userId, seq, scenarios: 'on' });
  await world.close();
});
