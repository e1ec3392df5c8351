import assert from 'node:assert/strict';
import test from 'node:test';
import { instrumentId } from '../../../src/base/ids.ts';
import { type EpochMs, type IstDay, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import { FIRST_DAY, RELIANCE } from '../../kit/money/listed.ts';
import { RELIANCE_1240_CALL } from '../../kit/settlement/expiring.ts';
import { Service } from '../../kit/settlement/service.ts';

/** Shares that are looked at before it. */
const OTHERS = [instrumentId('NSE', 901), instrumentId('NSE', 902)];
const LIMIT = 100_000;

async function opened(openInterest: number): Promise<Service> {
  const service = new Service(undefined, () => [...OTHERS, RELIANCE.id]);
  service.market.positions.set(RELIANCE.id, { openInterest, limit: LIMIT });
  await service.enrol(1_00_00_000_00);
  return service;
}

function passSeconds(service: Service, count: number): void {
  for (let second = 0; second < count; second += 1) service.pass((service.now + SECOND_MS) as EpochMs);
}

async function buy(service: Service): Promise<string> {
  const order = await service.trade({ of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  return order.status;
}

test('a running service compares one share a second, and says in its log that a ban period begins and ends', async () => {
  const service = await opened(97_210);
  passSeconds(service, 2);
  assert.equal(service.live.state.overLimit.size, 0);
  assert.equal(await buy(service), 'Complete');
  passSeconds(service, 1);
  assert.deepEqual(
    [...service.live.state.overLimit],
    [[RELIANCE.id, { since: FIRST_DAY, openInterest: 97_210, limit: LIMIT }]],
  );
  const line = 'the ban period of RELIANCE-EQ on NSE';
  assert.deepEqual(service.notes, [`${line} has begun: open interest is 97.2 % of its limit (97210 of 100000 units)`]);
  assert.equal(await buy(service), 'Rejected');

  service.market.positions.set(RELIANCE.id, { openInterest: 79_999, limit: LIMIT });
  passSeconds(service, 10);
  assert.equal(service.live.state.overLimit.size, 1, 'the figures of a day are looked at once');
  service.pass((istInstant((FIRST_DAY + 1) as IstDay) + SECOND_MS) as EpochMs);
  passSeconds(service, 4);
  assert.equal(service.live.state.overLimit.size, 0);
  assert.equal(service.notes.at(-1), `${line} is over: open interest is 79.9 % of its limit (79999 of 100000 units)`);
});

test('a service that is stopped between its reviews looks at all of them once more, and nothing happens twice', async () => {
  const service = await opened(95_001);
  passSeconds(service, 2);
  await service.restartAt((service.now + SECOND_MS) as EpochMs);
  assert.equal(service.live.state.overLimit.size, 0);
  passSeconds(service, 2);
  assert.equal(service.live.state.overLimit.size, 1);
  const { seq } = service.live.state;
  await service.restartAt((service.now + SECOND_MS) as EpochMs);
  passSeconds(service, 5);
  assert.equal(service.live.state.overLimit.size, 1);
  assert.equal(service.notes.length, 1);
  assert.ok(service.live.state.seq - seq <= 1, 'no record but that of sessions at a start');
  assert.equal(await buy(service), 'Rejected');
});
