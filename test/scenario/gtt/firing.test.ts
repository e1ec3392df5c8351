import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Price } from '../../../src/base/money.ts';
import { RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { STOCK_FUTURE, STOCK_LOT } from '../../kit/money/stock-contracts.ts';
import { ASHA, BHIM, eventsOf, GttService } from './gtt-service.ts';

describe('a GTT', () => {
  it('buys when the last price falls to its trigger, and not one tick before', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 905_00 }]);
    service.moveTo(900_05);
    assert.equal(service.gtt(gtt).status, 'Active');
    service.moveTo(900_00);
    assert.equal(service.gtt(gtt).status, 'Fired');
    const { status, side, product, terms, remarks, filled } = service.orderOf(gtt);
    assert.deepEqual([status, side, product, remarks, filled], ['Complete', 'B', 'C', 'by a GTT', 10]);
    assert.deepEqual([terms.priceType, terms.price, terms.quantity], ['LMT', 905_00, 10]);
  });

  it('fires when the last price rises to its trigger or jumps over it', async () => {
    for (const price of [1_100_00, 1_180_00]) {
      const service = await GttService.open();
      const gtt = await service.place([{ trigger: 1_100_00, at: 1_200_00 }]);
      service.moveTo(1_099_95);
      assert.equal(service.gtt(gtt).status, 'Active');
      service.moveTo(price);
      assert.equal(service.orderOf(gtt).status, 'Complete');
      assert.deepEqual([service.gtt(gtt).firing?.price, service.gtt(gtt).firing?.leg], [price, 0]);
    }
  });

  it('blocks nothing while it waits, and what its order needs when it is placed', async () => {
    const service = await GttService.open();
    const cash = () => service.state.accounts.at(ASHA)?.books.cashSegment;
    const gtt = await service.place([{ trigger: 900_00, at: 880_00, units: 100 }]);
    assert.equal(cash(), 0);
    service.moveTo(900_00);
    assert.equal(service.orderOf(gtt).status, 'Open');
    assert.equal(cash(), 100 * 880_00);
  });

  it('fires once, whatever the price does afterwards', async () => {
    const service = await GttService.open();
    await service.place([{ trigger: 900_00, at: 905_00 }]);
    for (const price of [900_00, 950_00, 899_00, 1_000_00, 880_00]) service.moveTo(price);
    assert.equal(service.state.orders.size, 1);
    const records = await service.records();
    assert.equal(eventsOf(records, 'GttTriggered').length, 1);
    assert.equal(eventsOf(records, 'GttFired').length, 1);
  });

  it('fires by the trade of other users, though the market itself does not come there', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 1_010_00, at: 1_020_00 }]);
    service.quote(RELIANCE, 1_000_00, { ask: 1_050_00 });
    await service.trade(BHIM, { side: 'S', units: 1, at: 1_010_00 });
    await service.settle();
    assert.equal(service.gtt(gtt).status, 'Active', 'an order that rests is not a trade');
    await service.trade(ASHA, { side: 'B', units: 1, at: 1_010_00 });
    await service.settle();
    assert.equal(service.gtt(gtt).status, 'Fired');
    assert.equal(service.gtt(gtt).firing?.price, 1_010_00);
  });

  it('fires at a price that was the last one only for a moment in the middle of a record', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 1_010_00, at: 1_020_00 }]);
    service.quote(RELIANCE, 1_000_00, { ask: 1_050_00 });
    for (const at of [1_005_00, 1_010_00, 1_015_00]) await service.trade(BHIM, { side: 'S', units: 1, at });
    await service.trade(ASHA, { side: 'B', units: 3, at: 1_015_00 });
    await service.settle();
    assert.equal(service.gtt(gtt).firing?.price, 1_010_00 as Price, 'the first price that reached it');
  });

  it('does not fire by the price of the same share on another exchange', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 905_00 }]);
    service.moveTo(850_00, RELIANCE_BSE);
    service.pass(1_000);
    assert.equal(service.gtt(gtt).status, 'Active');
  });

  it('places a market order with its protected price', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00 }]);
    service.moveTo(899_00);
    const { status, terms } = service.orderOf(gtt);
    assert.deepEqual([status, terms.priceType], ['Complete', 'MKT']);
    assert.ok(terms.price > 899_05 && terms.price < 950_00, `${terms.price}`);
  });

  it('places a stop, which then waits for its own trigger', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, type: 'SL-LMT', stop: 910_00, at: 912_00 }]);
    service.moveTo(900_00);
    assert.equal(service.orderOf(gtt).status, 'TriggerPending');
    service.moveTo(910_00);
    assert.equal(service.orderOf(gtt).status, 'Complete');
  });

  it('trades a contract by whole lots', async () => {
    const service = await GttService.open();
    const legs = [{ trigger: 950_00, units: STOCK_LOT, at: 955_00, product: 'M' }] as const;
    const gtt = await service.place(legs, { instrument: STOCK_FUTURE.id });
    service.moveTo(950_00, STOCK_FUTURE);
    assert.equal(service.orderOf(gtt).status, 'Complete');
  });

  it('comes in the order of the triggers that a falling price passes, and at one trigger in that of placing', async () => {
    const service = await GttService.open();
    const far = await service.place([{ trigger: 900_00, at: 800_00 }]);
    const first = await service.place([{ trigger: 950_00, at: 800_00 }]);
    const second = await service.place([{ trigger: 950_00, at: 800_00 }], { account: BHIM });
    service.moveTo(890_00);
    const fired = eventsOf(await service.records(), 'GttFired').map(({ gtt }) => gtt);
    assert.deepEqual(fired, [first, second, far]);
  });

  it('fires another one by the trade of its own order', async () => {
    const service = await GttService.open();
    const chained = await service.place([{ trigger: 1_100_00, at: 1_105_00 }], { account: BHIM });
    const first = await service.place([{ trigger: 1_050_00, at: 1_100_00, product: 'I' }]);
    service.moveTo(1_050_00, RELIANCE, { ask: 1_100_00 });
    assert.equal(service.orderOf(first).status, 'Complete');
    service.pass(0);
    assert.equal(service.gtt(chained).status, 'Fired');
  });
});

describe('a GTT of two legs', () => {
  const bracket = [
    { trigger: 900_00, side: 'S', units: 50, product: 'I' },
    { trigger: 1_100_00, side: 'S', units: 50, at: 1_099_00, product: 'I' },
  ] as const;

  it('places the order of the lower leg, and its twin ends in the same record', async () => {
    const service = await GttService.open();
    const gtt = await service.place(bracket);
    service.moveTo(899_00);
    assert.equal(service.gtt(gtt).firing?.leg, 0);
    assert.equal(service.state.standing.has(RELIANCE.id), false, 'nothing waits any more');
    service.moveTo(1_150_00);
    assert.equal(service.state.orders.size, 1);
  });

  it('places the order of the upper leg, and its twin ends in the same record', async () => {
    const service = await GttService.open();
    const gtt = await service.place(bracket);
    service.moveTo(1_100_00);
    assert.equal(service.gtt(gtt).firing?.leg, 1);
    assert.equal(service.orderOf(gtt).terms.priceType, 'LMT');
    const [triggered] = (await service.records()).filter(({ events }) => events.some((e) => e.type === 'GttTriggered'));
    assert.deepEqual(
      triggered?.events.map(({ type }) => type),
      ['GttTriggered'],
    );
    service.moveTo(850_00);
    assert.equal(service.state.orders.size, 1);
  });

  it('may have a purchase on one side and a sale on the other', async () => {
    const service = await GttService.open();
    const gtt = await service.place([
      { trigger: 900_00, side: 'B', at: 905_00 },
      { trigger: 1_100_00, side: 'S', product: 'I' },
    ]);
    service.moveTo(1_101_00);
    assert.equal(service.orderOf(gtt).side, 'S');
  });
});
