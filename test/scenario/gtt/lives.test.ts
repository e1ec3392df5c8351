import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AccountId, type GttNumber, instrumentId } from '../../../src/base/ids.ts';
import { type Price, price, quantity } from '../../../src/base/money.ts';
import { DAY_MS, HOUR_MS, type IstDay } from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { trialOf } from '../../../src/core/broker/trials/order-trial.ts';
import type { AnnounceCorporateAction, Command } from '../../../src/core/command.ts';
import { emptyState } from '../../../src/core/state.ts';
import { FIRST_DAY, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { EXPIRING_FUTURE, STOCK_FUTURE, STOCK_LOT } from '../../kit/money/stock-contracts.ts';
import { ASHA, BHIM, eventsOf, GttService, leg } from './gtt-service.ts';

const BUY = { trigger: 900_00, at: 905_00 } as const;

function modification(gtt: GttNumber, words: Parameters<typeof leg>[0], account: AccountId = ASHA): Command {
  return { type: 'ModifyGtt', account, gtt, instrument: RELIANCE.id, legs: [leg(words)], remarks: 'changed' };
}

describe('a GTT over restarts', () => {
  it('waits over days and restarts, and fires days later', async () => {
    const service = await GttService.open();
    const gtt = await service.place([BUY]);
    for (let day = 0; day < 5; day += 1) {
      service.passDays(1);
      await service.restart();
      assert.equal(service.gtt(gtt).status, 'Active');
    }
    service.moveTo(899_00);
    await service.restart();
    assert.equal(service.orderOf(gtt).status, 'Complete');
    assert.equal(service.state.orders.size, 1);
  });

  it('places one order when the process ends at any record of its firing, also while the price moves back', async () => {
    const first = await GttService.open();
    const gtt = await first.place([BUY, { trigger: 1_100_00, side: 'S', product: 'I' }]);
    const before = (await first.records()).length;
    first.moveTo(899_00);
    const records = await first.records();
    const types = records.slice(before).map(({ command }) => command.type);
    assert.deepEqual(types, ['MoveMarket', 'FireGtt']);
    for (let end = before; end <= records.length; end += 1) {
      for (const then of [899_00, 1_000_00, 1_101_00]) {
        const again = await GttService.open();
        again.now = first.now;
        again.quote(RELIANCE, then);
        await again.restart(records.slice(0, end));
        const { status, firing } = again.gtt(gtt);
        if (end === before) {
          const expected = { 89900: 0, 100000: undefined, 110100: 1 }[then];
          assert.equal(firing?.leg, expected, `before the trigger, then ${then}`);
          continue;
        }
        assert.deepEqual([status, firing?.leg], ['Fired', 0], `after record ${end}, then ${then}`);
        assert.equal(again.state.orders.size, 1);
        again.moveTo(1_150_00);
        assert.equal(again.state.orders.size, 1, 'the twin is gone');
      }
    }
  });

  it('meets the market as it then is, when the process was away as the price went by', async () => {
    const service = await GttService.open();
    const gtt = await service.place([BUY]);
    service.now = (service.now + HOUR_MS) as typeof service.now;
    service.quote(RELIANCE, 1_010_00);
    await service.restart();
    assert.equal(service.gtt(gtt).status, 'Active', 'the exchange was halted while the process was away');
    service.quote(RELIANCE, 880_00);
    service.now = (service.now + HOUR_MS) as typeof service.now;
    await service.restart();
    assert.equal(service.gtt(gtt).status, 'Fired');
  });
});

describe('a GTT that its client changes', () => {
  it('fires by the new trigger alone', async () => {
    const service = await GttService.open();
    const gtt = await service.place([BUY]);
    await service.submit(modification(gtt, { trigger: 1_100_00, at: 1_110_00, units: 3 }));
    service.moveTo(899_00);
    assert.equal(service.gtt(gtt).status, 'Active');
    service.moveTo(1_100_00);
    assert.deepEqual([service.orderOf(gtt).terms.quantity, service.gtt(gtt).remarks], [3, 'changed']);
  });

  it('keeps the way of a trigger that stays, also where the price has come close to it', async () => {
    const service = await GttService.open();
    const gtt = await service.place([BUY]);
    service.moveTo(900_05);
    await service.submit(modification(gtt, { trigger: 900_00, at: 899_00 }));
    assert.equal(service.gtt(gtt).legs[0].way, 'Falling');
    service.moveTo(900_00);
    assert.equal(service.orderOf(gtt).terms.price, 899_00);
  });

  it('can no longer be modified or cancelled while its order is on the way', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 1_010_00, at: 1_020_00 }]);
    service.quote(RELIANCE, 1_000_00, { ask: 1_050_00 });
    await service.trade(BHIM, { side: 'S', units: 1, at: 1_010_00 });
    const replies = [
      service.submit({ type: 'PlaceOrder', account: ASHA, ...taking() }),
      service.submit(modification(gtt, { trigger: 900_00, at: 901_00 })),
      service.submit({ type: 'CancelGtt', account: ASHA, gtt }),
    ];
    const [, modified, cancelled] = await Promise.all(replies);
    for (const reply of [modified, cancelled]) {
      assert.deepEqual(reply?.type === 'Refused' && reply.refusal, { rule: 'GttNotActive' });
    }
    await service.settle();
    assert.equal(service.gtt(gtt).status, 'Fired');
    assert.equal(eventsOf(await service.records(), 'GttFired').length, 1);
  });

  function taking() {
    const { terms } = leg({ trigger: 1, units: 1, at: 1_010_00 });
    return { instrument: RELIANCE.id, side: 'B', product: 'I', terms, remarks: '' } as const;
  }

  it('never fires once it is cancelled, and leaves the other legs and GTTs alone', async () => {
    const service = await GttService.open();
    const [gone, stays] = [await service.place([BUY]), await service.place([BUY])];
    await service.submit({ type: 'CancelGtt', account: ASHA, gtt: gone });
    service.moveTo(890_00);
    assert.deepEqual([service.gtt(gone).status, service.gtt(stays).status], ['Cancelled', 'Fired']);
  });

  it('is unknown to every other client', async () => {
    const service = await GttService.open();
    const gtt = await service.place([BUY]);
    const unknown = { rule: 'GttNotFound' };
    assert.deepEqual(await service.refusal({ type: 'CancelGtt', account: BHIM, gtt }), unknown);
    assert.deepEqual(await service.refusal(modification(gtt, { trigger: 800_00, at: 1_00 }, BHIM)), unknown);
    assert.deepEqual(await service.refusal({ type: 'CancelGtt', account: ASHA, gtt: 1 as GttNumber }), unknown);
  });
});

describe('a GTT ends', () => {
  it('when its year is over, and not on its last day', async () => {
    const service = await GttService.open();
    const gtt = await service.place([BUY]);
    service.passDays(365);
    assert.equal(service.gtt(gtt).status, 'Active');
    await service.restart();
    service.passDays(1);
    assert.deepEqual([service.gtt(gtt).status, service.gtt(gtt).end], ['Expired', 'YearOver']);
    service.moveTo(890_00);
    assert.equal(service.state.orders.size, 0);
  });

  it('when its contract has expired', async () => {
    const service = await GttService.open();
    const legs = [{ trigger: 950_00, units: STOCK_LOT, at: 955_00, product: 'M' }] as const;
    const expiring = await service.place(legs, { instrument: EXPIRING_FUTURE.id });
    const other = await service.place(legs, { instrument: STOCK_FUTURE.id });
    service.passDays(1);
    assert.deepEqual([service.gtt(expiring).status, service.gtt(expiring).end], ['Cancelled', 'InstrumentEnded']);
    assert.equal(service.gtt(other).status, 'Active');
    await service.restart();
  });

  const LISTINGS = [RELIANCE.id, RELIANCE_BSE.id] as const;
  function announcement(words: Partial<AnnounceCorporateAction>): AnnounceCorporateAction {
    const exDay = (FIRST_DAY + 1) as IstDay;
    const bonus = { kind: 'bonus', before: 1, after: 2, dividend: 0 as Price } as const;
    return { type: 'AnnounceCorporateAction', listings: LISTINGS, exDay, ...bonus, ...words };
  }

  it('when a bonus or a split changes its share or its contract, before the new price can fire it', async () => {
    for (const kind of ['bonus', 'split'] as const) {
      const service = await GttService.open();
      const share = await service.place([BUY]);
      const legs = [{ trigger: 950_00, units: STOCK_LOT, at: 955_00, product: 'M' }] as const;
      const contract = await service.place(legs, { instrument: STOCK_FUTURE.id });
      assert.equal((await service.submit(announcement({ kind }))).type, 'Done');
      assert.equal(service.gtt(share).status, 'Active', 'until the ex-date');
      service.quote(RELIANCE, 500_00);
      service.quote(STOCK_FUTURE, 502_00);
      service.passDays(1);
      service.pass(1_000);
      for (const gtt of [share, contract])
        assert.deepEqual([service.gtt(gtt).status, service.gtt(gtt).end], ['Cancelled', 'CorporateAction']);
      assert.equal(service.state.orders.size, 0);
    }
  });

  it('at a special dividend, and not at a usual one', async () => {
    for (const [paise, status] of [
      [30_00, 'Cancelled'],
      [10_00, 'Active'],
    ] as const) {
      const service = await GttService.open();
      const gtt = await service.place([BUY]);
      const words = { kind: 'dividend', before: 1, after: 1, dividend: price(paise) } as const;
      assert.equal((await service.submit(announcement(words))).type, 'Done');
      service.passDays(1);
      assert.equal(service.gtt(gtt).status, status);
    }
  });

  it('when its trigger fired before an ex-date and the order could not be placed any more', async () => {
    const first = await GttService.open();
    const gtt = await first.place([BUY]);
    assert.equal((await first.submit(announcement({}))).type, 'Done');
    first.moveTo(899_00);
    const records = await first.records();
    const again = await GttService.open();
    again.now = (first.now + DAY_MS) as typeof first.now;
    again.quote(RELIANCE, 450_00);
    await again.restart(records.filter(({ command }) => command.type !== 'FireGtt'));
    assert.deepEqual([again.gtt(gtt).status, again.gtt(gtt).end], ['Cancelled', 'CorporateAction']);
    assert.equal(again.state.orders.size, 0);
    assert.equal(again.state.standing.has(instrumentId('NSE', RELIANCE.token)), false);
  });
});

describe('the order of a GTT', () => {
  it('names its GTT in the journal, and is judged again with every check for the question why', async () => {
    const service = await GttService.open(50_000_00);
    const gtt = await service.place([{ ...BUY, units: 100 }]);
    service.moveTo(899_00);
    const records = await service.records();
    const [received] = eventsOf(records, 'OrderReceived');
    assert.equal(received?.gtt, gtt);
    const state = emptyState();
    const { strictTrigger: _, ...ports } = service.ports;
    const trials = records.flatMap((record) => {
      const trial = trialOf(state, ports, record, service.orderOf(gtt).number);
      applyRecord(state, record);
      return trial === undefined ? [] : [trial];
    });
    const [trial, ...others] = trials;
    assert.equal(others.length, 0);
    assert.deepEqual([trial?.step, trial?.refusal?.rule, trial?.terms.quantity], ['placement', 'MarginShortfall', 100]);
    const margin = trial?.findings.find(({ name }) => name === 'the margin is there');
    assert.ok(margin !== undefined && margin.figures.length > 0);
  });

  it('can be modified and cancelled by its client as any other', async () => {
    const service = await GttService.open();
    const gtt = await service.place([{ trigger: 900_00, at: 850_00 }]);
    service.moveTo(899_00);
    const { number, terms } = service.orderOf(gtt);
    const more = { ...terms, quantity: quantity(20) };
    await service.submit({ type: 'ModifyOrder', account: ASHA, order: number, terms: more });
    assert.equal(service.orderOf(gtt).terms.quantity, 20);
    assert.equal((await service.submit({ type: 'CancelOrder', account: ASHA, order: number })).type, 'OrderCancelled');
    assert.equal(service.gtt(gtt).status, 'Fired', 'the GTT has done its part');
  });
});
