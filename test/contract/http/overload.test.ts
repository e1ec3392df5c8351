import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fakeInstruments } from '../../kit/wire/fake-instruments.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld } from '../../kit/wire/world.ts';

const CLIENTS = 200;
/**
 * The cost of looking an instrument up here, in milliseconds: a few in a row are more than can be answered in time.
 */
const COST_MS = 3;

function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('of more orders than can be answered some are refused in the envelope, and those were never placed', async () => {
  const world = await openWorld({
    instruments: {
      ...fakeInstruments,
      find: (exchange, symbol, at) => {
        spend(COST_MS);
        return fakeInstruments.find(exchange, symbol, at);
      },
    },
  });
  const clients: RawConnection[] = [];
  for (let i = 0; i < CLIENTS; i += 1) clients.push(await RawConnection.open(world.port));
  // A connection is taken in by one turn of the loop and read by another.
  while (world.connections.open < CLIENTS) await nextTurn();
  for (const [index, client] of clients.entries()) {
    const body = JSON.stringify({ ...ALICE.credentials, ...LIMIT_BUY, quantity: '1', remarks: `order ${index}` });
    const head = `POST /V1/placeOrder HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    client.socket.write(`${head}\r\n\r\n${body}`);
  }
  const seen = (await Promise.all(clients.map((client) => client.next()))).map(seenOf);
  const refused = seen.filter(({ status }) => status !== 200);
  for (const answer of refused) assertFailure(answer, 503, 'SERVICE_UNAVAILABLE', 'server');
  assert.ok(refused.length > 0, 'nothing was refused');
  const placed = seen.flatMap(({ status }, index) => (status === 200 ? [`order ${index}`] : []));
  const found = [...world.engine.state.orders.values()].map(({ remarks }) => remarks);
  assert.deepEqual(found.sort(), placed.sort());
  assert.equal((await world.call('/orderBook', ALICE)).status, 200);
  for (const client of clients) client.socket.destroy();
  await world.close();
});
