import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { instrumentId } from '../../../src/base/ids.ts';
import type { Price } from '../../../src/base/money.ts';
import { parseIsoDay } from '../../../src/base/time.ts';
import type { CorporateAction } from '../../../src/core/broker/corporate-actions/corporate-action.ts';
import type { Derivative } from '../../../src/core/instrument.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { ALICE, NOW, openWorld } from '../../kit/wire/world.ts';

/* Contracts of the built-in master on the V2 socket, whose tokens have up to fifteen digits. */

const RELIANCE = instrumentId('NSE', 2_885);
const BONUS: CorporateAction = {
  kind: 'bonus',
  isin: 'INE002A01018',
  listings: [RELIANCE],
  exDay: must(parseIsoDay('2026-11-11'), 'a day'),
  before: 1,
  after: 2,
  dividend: 0 as Price,
  adjustsContracts: true,
};

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const instruments = data.master({ actions: () => [BONUS] });

function farthest(contracts: Iterable<Derivative>): Derivative {
  return [...contracts].reduce((far, one) => (one.token > far.token ? one : far));
}

test('a contract that expires after 2030 and an adjusted one are answered like every other', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock, instruments });
  const client = await SocketClient.open(world, `/V2/ws?${new URLSearchParams(ALICE.credentials)}`);
  await clock.pass(200);
  await client.texted(1);
  const far = farthest(instruments.contractsOn(instrumentId('NSE', 26_000), NOW));
  const adjusted = farthest(instruments.contractsOn(RELIANCE, NOW));
  const tokens = [far, adjusted].map(({ token }) => `NFO:${token}`);
  assert.deepEqual(
    tokens.map((token) => token.length - 4),
    [11, 14],
  );
  client.send({ action: 'subscribe', tokens: tokens.join('|') });
  const texts = await client.texted(3, 1);
  assert.deepEqual(
    texts.map((text) => text.slice(0, text.indexOf(':{') + 1)),
    tokens.map((token) => `{"${token}":`),
  );
  for (const [place, text] of texts.entries()) {
    assert.ok(text.includes(`"c_symbol":"${tokens[place]?.slice(4)}"`), text);
  }
  client.send({ action: 'unsubscribe', tokens: tokens.join('|') });
  await client.until(() => world.sockets.subscriptions === 0);
  await world.close();
});
