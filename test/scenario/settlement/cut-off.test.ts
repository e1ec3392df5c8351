import assert from 'node:assert/strict';
import test from 'node:test';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, MINUTE_MS, SECOND_MS } from '../../../src/base/time.ts';
import { positionKey } from '../../../src/core/account.ts';
import { netQuantity } from '../../../src/core/position.ts';
import { FIRST_DAY, RELIANCE } from '../../kit/money/listed.ts';
import { RELIANCE_NEAR } from '../../kit/settlement/expiring.ts';
import { Service } from '../../kit/settlement/service.ts';

/** Cut-off of shares in these hours: five minutes before midnight. */
const CUT_OFF = istInstant(FIRST_DAY, 23 * HOUR_MS + 55 * MINUTE_MS);
const INTRADAY = { of: RELIANCE.id, product: 'I', at: 1_250_00 } as const;

async function withPosition(units: number, cash = 1_000_000_000): Promise<Service> {
  const service = new Service();
  service.pass(service.now);
  await service.enrol(cash);
  const order = await service.trade({ ...INTRADAY, side: 'B', units });
  assert.equal(order.status, 'Complete');
  return service;
}

function held({ live }: Service): number {
  const row = live.state.accounts.at(0)?.positions.get(positionKey(RELIANCE.id, 'I'));
  return row === undefined ? 0 : netQuantity(row);
}

function counterOrdersOf({ live }: Service): number {
  return [...live.state.orders.values()].filter(({ squareOff }) => squareOff).length;
}

test('an order a second before the cut-off is taken, one at the cut-off is refused, whatever the timer does', async () => {
  const service = await withPosition(10);
  service.now = (CUT_OFF - SECOND_MS) as EpochMs;
  assert.equal((await service.trade({ ...INTRADAY, side: 'B', units: 5 })).status, 'Complete');
  service.now = CUT_OFF;
  assert.equal((await service.trade({ ...INTRADAY, side: 'B', units: 5 })).status, 'Rejected');
  assert.equal(held(service), 15, 'the counter orders come with the timer');
  service.pass((CUT_OFF + SECOND_MS) as EpochMs);
  assert.deepEqual([held(service), counterOrdersOf(service)], [0, 1]);
  assert.ok(service.notes.includes('intraday positions in shares with contracts are squared off'));
  service.pass((CUT_OFF + MINUTE_MS) as EpochMs);
  assert.equal(counterOrdersOf(service), 1, 'nothing is closed twice');
});

test('an exit that comes between the cut-off and its orders does not hold them up', async () => {
  const service = await withPosition(10);
  service.now = CUT_OFF;
  const exit = await service.trade({ ...INTRADAY, side: 'S', units: 10, at: 1_300_00 });
  assert.deepEqual([exit.status, held(service)], ['Open', 10]);
  service.pass((CUT_OFF + SECOND_MS) as EpochMs);
  assert.deepEqual([exit.status, held(service), counterOrdersOf(service)], ['Cancelled', 0, 1]);
});

test('a process that dies between the cut-off and its orders places them when it is back', async () => {
  const service = await withPosition(70_000, 100_000_000_000);
  service.now = CUT_OFF;
  await service.trade({ ...INTRADAY, side: 'B', units: 1 });
  assert.deepEqual([held(service), counterOrdersOf(service)], [70_000, 0]);
  await service.restartAt((CUT_OFF + 3 * SECOND_MS) as EpochMs);
  assert.deepEqual([held(service), counterOrdersOf(service)], [0, 3]);
});

test('a process that was away at the cut-off squares off when it is back on the same day', async () => {
  const service = await withPosition(10);
  await service.restartAt((CUT_OFF + 2 * MINUTE_MS) as EpochMs);
  assert.deepEqual([held(service), counterOrdersOf(service)], [0, 1]);
});

test('deliveries are looked at every minute from their cut-off on, and a replay comes to the same', async () => {
  const service = new Service();
  service.pass(service.now);
  await service.enrol(4_00_000_00);
  service.market.quotes.set(RELIANCE_NEAR.id, { bid: 1_250_00, ask: 1_250_00, last: 1_250_00, close: 1_250_00 });
  const look = istInstant((FIRST_DAY + 1) as IstDay, 14 * HOUR_MS + 30 * MINUTE_MS);
  service.pass(look);
  service.now = (look + 20 * SECOND_MS) as EpochMs;
  const entry = await service.trade({ of: RELIANCE_NEAR.id, side: 'B', units: 500, at: 1_260_00 });
  assert.equal(entry.status, 'Complete');
  service.pass((look + 59 * SECOND_MS) as EpochMs);
  assert.equal(counterOrdersOf(service), 0);
  service.pass((look + MINUTE_MS) as EpochMs);
  assert.match(service.notes.at(-1) ?? '', /^AB1234 does not fund its delivery of RELIANCE-EQ on NSE: /);
  assert.equal(counterOrdersOf(service), 1);
  const told = service.notes.length;
  await service.restartAt((look + 2 * MINUTE_MS) as EpochMs);
  assert.deepEqual([service.notes.length, counterOrdersOf(service)], [told, 1]);
});

test('losses are looked at every minute, and the operator sees them in the log', async () => {
  const service = await withPosition(400, 1_25_000_00);
  const noon = istInstant(FIRST_DAY, 12 * HOUR_MS);
  /** A last price: the market closes ten rupees above what it is quoted at. */
  const trade = (rupees: number): void => {
    const at = (rupees - 10) * 100;
    service.market.quotes.set(RELIANCE.id, { bid: at, ask: at, last: at, close: at });
  };
  trade(1_000);
  service.pass(noon);
  assert.deepEqual(service.notes.slice(-1), ['AB1234 is warned: intraday loss 100000.00 of funds 125000.00']);
  trade(900);
  service.pass((noon + 30 * SECOND_MS) as EpochMs);
  assert.equal(held(service), 400, 'not twice in a minute');
  service.pass((noon + MINUTE_MS) as EpochMs);
  assert.deepEqual(service.notes.slice(-1), ['AB1234 is squared off: intraday loss 140000.00 of funds 125000.00']);
  assert.equal(held(service), 0);
});

test('the end of the day is logged, with the outcome of positions that nobody took', async () => {
  const service = new Service();
  service.pass(service.now);
  await service.enrol(1_000_000_000);
  await service.trade({ ...INTRADAY, side: 'S', units: 30 });
  await service.trade({ ...INTRADAY, side: 'B', units: 20, product: 'M' });
  service.market.quotes.set(RELIANCE.id, { last: 1_250_00, close: 1_250_00 });
  service.pass(CUT_OFF);
  service.pass(istInstant((FIRST_DAY + 1) as IstDay, HOUR_MS));
  assert.deepEqual(service.notes.slice(-4), [
    'AB1234: 20 RELIANCE-EQ on NSE converted from M to C',
    'AB1234: 20 RELIANCE-EQ on NSE converted from I to C',
    'AB1234: 10 RELIANCE-EQ on NSE closed out at 1512.00',
    'the day 2026-11-23 has ended',
  ]);
});
