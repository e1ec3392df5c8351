import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unasked } from '../../kit/unasked.ts';
import { clockedWorld } from '../../kit/wire/clocked-world.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { ALICE } from '../../kit/wire/world.ts';

function circuitsOf(text: string): readonly string[] {
  return [...text.matchAll(/"i_(?:lower|upper)_circuit_limit":(\d+)/g)].map(([, limit]) => limit ?? '');
}

test('circuit limits are those that an operator widened, from the next second on, as getInstrument has them', async () => {
  const { world, clock, second } = await clockedWorld();
  const client = await SocketClient.open(world, `/V2/ws?${new URLSearchParams(ALICE.credentials)}`);
  await clock.pass(200);
  client.send({ action: 'subscribe', tokens: 'NSE:14366' });
  assert.deepEqual(circuitsOf((await client.texted(2))[1] ?? ''), ['568', '852']);
  await world.engine.submit(
    unasked({ type: 'WidenBand', instrument: IDEA.id, percent: 40, by: 'op', why: 'a test of bands' }),
  );
  await second();
  const [, , text = ''] = await client.texted(3);
  assert.deepEqual(circuitsOf(text), ['420', '980']);
  const seen = await world.call('/getInstrument', ALICE, { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' });
  const { lowerCircuit, upperCircuit } = JSON.parse(seen.text).data;
  assert.deepEqual([lowerCircuit, upperCircuit], ['4.20', '9.80']);
  await second();
  assert.equal(client.texts.length, 3, 'nothing else has changed');
});
