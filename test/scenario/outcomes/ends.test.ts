import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochMs, HOUR_MS, type IstDay, istInstant } from '../../../src/base/time.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { FIRST_DAY, RELIANCE } from '../../kit/money/listed.ts';
import { placement } from '../../kit/money/world.ts';
import { assertSameState } from '../../kit/same-state.ts';
import { Service } from '../../kit/settlement/service.ts';
import { reloaded } from '../../kit/stored-state.ts';
import { OrderStage } from '../../kit/wire/order-stage.ts';
import { ALICE } from '../../kit/wire/world.ts';

/* The ends of orders that were asked for by remarks, other than those of the page of outcomes. */

async function staged(run: (stage: OrderStage) => Promise<void>): Promise<void> {
  const stage = await OrderStage.open();
  try {
    await run(stage);
  } finally {
    await stage.close();
  }
}

const GROUNDS = { on: true, by: 'desk', why: 'a drill' } as const;

test('the end of the day cancels what was set aside and rejects what is pending, and awaits nothing', async () => {
  const service = new Service();
  service.now = istInstant(FIRST_DAY, 23 * HOUR_MS);
  service.pass(service.now);
  await service.enrol(10_000_000_00);
  const order = placement({ by: ALICE.account, of: RELIANCE.id, side: 'B', units: 10, at: 1_240_00, product: 'C' });
  await service.submit({ ...order, scenario: { hold: true, cancelAfter: 3_600_001 } });
  await service.submit({ ...order, scenario: { ackDelay: 3_600_001 } });
  const [aside, pending] = service.live.state.orders.values();
  assert.deepEqual([aside?.status, pending?.status, service.live.state.outcomes.size], ['Open', 'Pending', 2]);
  await service.restartAt((service.now + 1_000) as EpochMs);
  const [asideAgain, pendingAgain] = service.live.state.orders.values();
  service.pass(istInstant((FIRST_DAY + 1) as IstDay, HOUR_MS));
  assert.deepEqual([asideAgain?.status, pendingAgain?.status], ['Cancelled', 'Rejected']);
  assert.equal(service.live.state.outcomes.size, 0);
});

test('a kill switch cancels what was set aside, and lets nothing pending through', () =>
  staged(async (stage) => {
    await stage.act('placeOrder B 10 LMT 7.20 sim:fill=4;late-fill=500');
    await stage.act('placeOrder B 10 LMT 7.00 sim:ack-delay=1000');
    await stage.submit({ type: 'SetSwitch', target: { kind: 'AccountKill', account: ALICE.account }, ...GROUNDS });
    const seen = await stage.act('wait 1000');
    assert.ok(seen.includes('orderBook A CANCELED 4 of 10 at 7.15: Cancelled by the risk desk'), seen.join('\n'));
    assert.ok(seen.some((line) => line.startsWith('orderBook B REJECTED 0 of 10: RED:RULE:{Check kill switch}')));
    assert.equal(stage.state.outcomes.size, 0);
  }));

test('where trading is halted a cancellation cancels, though a fill was asked for, and nothing pending is taken', () =>
  staged(async (stage) => {
    await stage.act('placeOrder B 10 LMT 7.00 sim:late-fill=500');
    await stage.act('placeOrder B 10 LMT 7.00 sim:ack-delay=500');
    await stage.act('cancelOrder A');
    await stage.submit({ type: 'SetSwitch', target: { kind: 'Halt', exchange: 'NSE' }, ...GROUNDS });
    const seen = await stage.act('wait 500');
    assert.ok(seen.includes('orderBook A CANCELED 0 of 10'), seen.join('\n'));
    assert.ok(seen.some((line) => line.startsWith('orderBook B REJECTED 0 of 10: ')));
  }));

test('an order that became a stop while its late fill was awaited is cancelled, as its client asked', () =>
  staged(async (stage) => {
    await stage.act('placeOrder B 10 LMT 7.00 sim:late-fill=500;cancel-after=900');
    await stage.act('cancelOrder A');
    assert.equal((await stage.act('modifyOrder A 10 SL-LMT 7.30 7.30')).at(-1), 'orderBook A TRIGGER_PENDING 0 of 10');
    assert.equal((await stage.act('wait 500')).at(-1), 'orderBook A CANCELED 0 of 10');
    assert.equal(stage.state.outcomes.size, 0);
  }));

test('a price at which a contract may not trade ends the order as it would any other', () =>
  staged(async (stage) => {
    const seen = await stage.act('placeOrder B 65 LMT 22000.00 NFO NIFTY29DEC26F sim:fills=1');
    assert.match(seen.at(-1) ?? '', /^orderBook A CANCELED 0 of 65: 17182:/);
  }));

test('a modification fills what a percentage of the new quantity still lacks, and leaves the rest aside', () =>
  staged(async (stage) => {
    await stage.act('placeOrder B 10 LMT 7.20 sim:fill=50%');
    const seen = await stage.act('modifyOrder A 20 LMT 7.20');
    assert.equal(seen.at(-1), 'orderBook A OPEN 10 of 20 at 7.15');
    assert.equal((await stage.act('modifyOrder A 15 LMT 7.20')).at(-1), 'orderBook A OPEN 10 of 15 at 7.15');
    assert.equal((await stage.act('wait 3000')).length, 0);
  }));

test('an order that was set aside is in no depth and no queue, and no stop or alert hears of its fills', () =>
  staged(async (stage) => {
    await stage.act('placeOrder S 10 SL-LMT 6.00 7.05');
    await stage.act('placeOrder B 10 LMT 7.00 sim:fill=4');
    assert.equal(stage.state.books.size, 1);
    const [book] = stage.state.books.values();
    assert.deepEqual([book?.lastTrade, book?.bestPrice('B'), book?.armedStops().length], [undefined, undefined, 1]);
  }));

test('a snapshot keeps orders that were set aside and outcomes that are awaited', () =>
  staged(async (stage) => {
    await stage.act('placeOrder B 10 LMT 7.20 sim:fill=4;cancel-after=5000;late-fill=100');
    await stage.act('placeOrder B 10 MKT sim:ack-delay=5000;duplicate-frame');
    await stage.act('placeGttOrder 7.30 B 10 LMT 7.20 sim:fill=50%');
    await stage.act('cancelOrder A');
    const loaded = reloaded(stage.state);
    assert.equal(loaded.outcomes.size, 3);
    assertSameState(stage.state, loaded);
    assert.equal(stateHash(loaded), stateHash(stage.state));
  }));
