import assert from 'node:assert/strict';
import test from 'node:test';
import { type EpochMs, MINUTE_MS } from '../../../src/base/time.ts';
import { positionKey } from '../../../src/core/account.ts';
import { RELIANCE } from '../../kit/money/listed.ts';
import { Service } from '../../kit/settlement/service.ts';

/** Carries an intraday position of four. */
const LAKH = 1_00_000_00;

/** A service whose user holds 300 shares intraday, bought at 1,250.00. */
async function holding(): Promise<Service> {
  const service = new Service();
  await service.enrol(LAKH);
  await service.trade({ of: RELIANCE.id, side: 'B', units: 300, at: 1_250_00, product: 'I' });
  return service;
}

/** The share goes to a price, and a minute passes. */
function fallTo(service: Service, rupees: number): void {
  const at = rupees * 100;
  // The market of the service prints what climbs by ten rupees from the close.
  const close = at - 10_00;
  service.market.quotes.set(RELIANCE.id, { bid: at, ask: at, last: at, close, band: [100_00, 2_000_00] });
  service.pass((service.now + MINUTE_MS) as EpochMs);
}

function held({ live }: Service): number {
  const row = live.state.accounts.at(0)?.positions.get(positionKey(RELIANCE.id, 'I'));
  return (row?.dayBuyQuantity ?? 0) - (row?.daySellQuantity ?? 0);
}

test('a running service warns at 80 % of the funds and squares off at 100 %, once each, and says both in its log', async () => {
  const service = await holding();
  fallTo(service, 990);
  assert.deepEqual(service.notes, []);
  fallTo(service, 980);
  fallTo(service, 975);
  assert.deepEqual(service.notes, ['AB1234 is warned: intraday loss 81000.00 of funds 100000.00']);
  assert.equal(held(service), 300);
  const resting = await service.trade({ of: RELIANCE.id, side: 'S', units: 10, at: 1_400_00, product: 'I' });
  fallTo(service, 910);
  assert.equal(service.notes.at(-1), 'AB1234 is squared off: intraday loss 102000.00 of funds 100000.00');
  fallTo(service, 905);
  assert.equal(service.notes.length, 2);
  assert.deepEqual([held(service), resting.status], [0, 'Cancelled']);
  const orders = [...service.live.state.orders.values()];
  const exit = orders.find(({ squareOff }) => squareOff);
  assert.deepEqual([exit?.side, exit?.filled, exit?.status], ['S', 300, 'Complete']);
  const again = await service.trade({ of: RELIANCE.id, side: 'B', units: 1, at: 905_00, product: 'I' });
  assert.equal(again.status, 'Rejected', 'nothing intraday is opened for the rest of the day');
});

test('a service that is stopped between the decision and the exit squares off when it is back', async () => {
  const service = await holding();
  fallTo(service, 910);
  await service.restartAt((service.now + 1_000) as EpochMs);
  fallTo(service, 910);
  assert.equal(held(service), 0);
  assert.equal(service.notes.filter((note) => note.includes('squared off')).length, 1);
});
