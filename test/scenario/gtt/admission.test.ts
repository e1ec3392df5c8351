import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Tick } from '../../../src/base/ids.ts';
import { HOUR_MS, istInstant } from '../../../src/base/time.ts';
import type { SwitchTarget } from '../../../src/core/switches/switch.ts';
import { RELIANCE } from '../../kit/money/listed.ts';
import { STOCK_FUTURE, STOCK_LOT } from '../../kit/money/stock-contracts.ts';
import { ASHA, eventsOf, GttService, leg } from './gtt-service.ts';

function setSwitch(service: GttService, target: SwitchTarget, on = true) {
  return service.submit({ type: 'SetSwitch', target, on, by: 'asha', why: 'a test' });
}

describe('the order of a GTT is admitted when it fires', () => {
  it('and is refused for lack of margin, with the figures, after which nothing is tried again', async () => {
    const service = await GttService.open(50_000_00);
    const gtt = await service.place([{ trigger: 900_00, at: 905_00, units: 100 }]);
    service.moveTo(900_00);
    const { status, firing } = service.gtt(gtt);
    assert.deepEqual([status, firing?.refusal?.rule], ['Refused', 'MarginShortfall']);
    assert.equal(service.orderOf(gtt).status, 'Rejected');
    service.moveTo(950_00);
    service.moveTo(890_00);
    assert.equal(service.state.orders.size, 1);
    await service.restart();
    assert.equal(service.gtt(gtt).firing?.refusal?.rule, 'MarginShortfall');
  });

  it('and gets the money that came after it was placed', async () => {
    const service = await GttService.open(1_00);
    const gtt = await service.place([{ trigger: 900_00, at: 905_00, units: 100 }]);
    await service.submit({ type: 'DepositCash', account: ASHA, amount: 1_00_000_00 as never, opening: false });
    service.moveTo(900_00);
    assert.equal(service.orderOf(gtt).status, 'Complete');
  });

  it('and is refused while a kill switch holds up the account, which keeps its other GTTs', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 905_00 }]);
    const later = await service.place([{ trigger: 800_00, at: 805_00 }]);
    await setSwitch(service, { kind: 'AccountKill', account: ASHA });
    service.moveTo(900_00);
    assert.deepEqual([service.gtt(gtt).status, service.gtt(gtt).firing?.refusal?.rule], ['Refused', 'TradingBlocked']);
    await setSwitch(service, { kind: 'AccountKill', account: ASHA }, false);
    service.moveTo(800_00);
    assert.equal(service.gtt(later).status, 'Fired');
  });

  it('and is refused as it is placed while a kill switch holds up the account', async () => {
    const service = await GttService.open();
    await setSwitch(service, { kind: 'FullKill' });
    const legs = [leg({ trigger: 900_00, at: 905_00 })] as const;
    const command = { type: 'PlaceGtt', account: ASHA, instrument: RELIANCE.id, legs, remarks: '' } as const;
    assert.equal((await service.refusal(command)).rule, 'TradingBlocked');
  });

  it('and is refused outside of the price band of that day', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 1_200_00 }]);
    service.moveTo(900_00, RELIANCE, { band: [810_00, 1_100_00] });
    assert.equal(service.gtt(gtt).firing?.refusal?.rule, 'OutsidePriceBand');
  });

  it('and a delivery sale needs the shares at that moment', async () => {
    const service = await GttService.open();
    const sale = [{ trigger: 1_100_00, side: 'S', at: 1_090_00 }] as const;
    const [without, having] = [await service.place(sale), await service.place(sale)];
    service.moveTo(1_100_00);
    assert.equal(service.gtt(without).firing?.refusal?.rule, 'NoHoldings');
    assert.equal(service.gtt(having).status, 'Refused');
  });

  it('and an intraday order after the square-off is refused', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 905_00, product: 'I' }]);
    await service.submit({ type: 'SquareOff', day: service.day, segment: 'SharesWithContracts' });
    service.moveTo(900_00);
    assert.equal(service.gtt(gtt).firing?.refusal?.rule, 'IntradayAfterSquareOff');
  });

  it('and one in a banned underlying may not open a position', async () => {
    const service = await GttService.open();
    const legs = [{ trigger: 950_00, units: STOCK_LOT, at: 955_00, product: 'M' }] as const;
    const gtt = await service.place(legs, { instrument: STOCK_FUTURE.id });
    await service.submit({ type: 'SetBan', underlying: RELIANCE.id, banned: true, by: 'asha' });
    service.moveTo(950_00, STOCK_FUTURE);
    assert.equal(service.gtt(gtt).firing?.refusal?.rule, 'BanPeriod');
  });
});

describe('a trigger', () => {
  it('waits while the instrument is suspended, and fires by the price that then stands', async () => {
    const service = await GttService.open();
    const [near, far] = [await service.place([{ trigger: 900_00 }]), await service.place([{ trigger: 800_00 }])];
    await setSwitch(service, { kind: 'Suspension', instrument: RELIANCE.id });
    service.moveTo(790_00);
    service.moveTo(880_00);
    assert.equal(service.gtt(near).status, 'Active');
    await setSwitch(service, { kind: 'Suspension', instrument: RELIANCE.id }, false);
    service.pass(1_000);
    assert.deepEqual([service.gtt(near).status, service.gtt(far).status], ['Fired', 'Active']);
  });

  it('does not fire while the market is closed, and fires at the first price of the next day', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 905_00 }]);
    const records = (await service.records()).length;
    service.moveTo(890_00, RELIANCE, { closed: true });
    for (let hour = 0; hour < 8; hour += 1) service.pass(HOUR_MS);
    assert.equal(service.gtt(gtt).status, 'Active');
    const quiet = (await service.records()).slice(records).filter(({ command }) => command.type === 'MoveMarket');
    assert.deepEqual(quiet, [], 'nothing is written for an instrument without a book');
    service.now = istInstant((service.day + 1) as never, 10 * HOUR_MS);
    service.moveTo(890_00);
    assert.equal(service.orderOf(gtt).status, 'Complete');
  });

  it('is placed at any hour, also while the market is closed', async () => {
    const service = await GttService.open();
    service.moveTo(1_000_00, RELIANCE, { closed: true });
    const gtt = await service.place([{ trigger: 900_00, at: 905_00 }]);
    service.passDays(1);
    service.moveTo(900_00);
    assert.equal(service.gtt(gtt).status, 'Fired');
  });

  it('that is far costs nothing: no move is decided before the market can come to it', async () => {
    const service = await GttService.open();
    const decided: number[] = [];
    const decide = service.market.lastPrint.bind(service.market);
    service.market.lastPrint = (id, tick) => {
      if (id === RELIANCE.id) decided.push(tick);
      return decide(id, tick);
    };
    const bounds = { lowest: 950_00, highest: 1_050_00 };
    Object.assign(service.market, { reach: (_id: number, tick: Tick) => ({ ...bounds, until: tick + 59 }) });
    const far = await service.place([{ trigger: 900_00, at: 905_00 }]);
    decided.length = 0;
    for (let second = 0; second < 50; second += 1) service.pass(1_000);
    assert.deepEqual(decided, []);
    bounds.lowest = 890_00;
    service.pass(60_000);
    service.moveTo(899_00);
    assert.equal(service.gtt(far).status, 'Fired');
    assert.equal(eventsOf(await service.records(), 'GttFired').length, 1);
  });
});
