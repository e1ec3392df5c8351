import assert from 'node:assert/strict';
import test from 'node:test';
import type { OrderNumber } from '../../../src/base/ids.ts';
import { price } from '../../../src/base/money.ts';
import { HOUR_MS, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import type { Phase } from '../../../src/core/exchange/phase.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { ProtectionE4, Side } from '../../../src/core/order.ts';
import { EVERY_DAY, type TradingDays } from '../../../src/core/trading-days.ts';
import { FIRST_DAY, NIFTY_CALL, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { type OrderWords, placement, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;
const PERCENT = 10_000;

/** A market whose every instrument is in the phase that a test says. */
class PhaseMarket extends StillMarket {
  now: Phase = 'Continuous';

  override phase(): Phase {
    return this.now;
  }
}

function open(phase: Phase, days: TradingDays = EVERY_DAY) {
  const market = new PhaseMarket();
  market.now = phase;
  const band = [900_05, 1_100_00] as const;
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, close: 1_000_00, band });
  const ports = testPorts({ market, days });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', CRORE);
  world.give(by, RELIANCE.id, 100, 100 * 1_000_00);
  const place = (words: Partial<OrderWords>, protection?: ProtectionE4) => {
    const command = placement({ by, of: RELIANCE.id, side: 'B', units: 10, product: 'C', ...words });
    const { reply } = world.submit(protection === undefined ? command : { ...command, protection });
    assert.ok(reply.type === 'OrderPlaced');
    return world.order(reply.order);
  };
  return { market, world, by, place, check: () => checkInvariants(world.state, ports) };
}

test('the limit of a market order in an auction is the edge of its band', () => {
  for (const phase of ['PreOpen', 'ClosingEntry'] as const) {
    const { place, check } = open(phase);
    const limits = (['B', 'S'] as const).map((side: Side) => place({ side }).terms.price);
    assert.deepEqual(limits, [1_100_00, 900_05]);
    check();
  }
});

test('in an auction a protection that a client names is counted from the reference', () => {
  const { place, check } = open('PreOpen');
  const limits = (['B', 'S'] as const).map((side: Side) => place({ side }, 3 * PERCENT).terms.price);
  assert.deepEqual(limits, [1_030_00, 970_00]);
  assert.equal(place({}, 20 * PERCENT).terms.price, 1_100_00, 'never beyond the band');
  check();
});

test('a market order without any reference is refused, and a limit of one paisa is a limit', () => {
  const { market, world, by, place } = open('Continuous');
  market.quotes.set(PAYTM.id, { last: 0, close: 0, band: [1, 100] });
  const words = { by, of: PAYTM.id, side: 'B', units: 1, product: 'C' } as const;
  assert.equal(world.refusal(words).rule, 'NoMarketReference');
  market.quotes.set(PAYTM.id, { last: 1, close: 1, band: [1, 100] });
  assert.deepEqual([place(words).status, place(words).terms.price], ['Open', 1], 'a last price of one paisa is one');
  assert.equal(place({ ...words, at: 1 }).status, 'Open');
  market.quotes.set(PAYTM.id, { last: 2, close: 2, band: [1, 100] });
  const stop = { ...words, side: 'S', product: 'I', type: 'SL-LMT', trigger: 1, at: 1 } as const;
  assert.equal(place(stop).status, 'TriggerPending', 'and a trigger of one paisa a trigger');
});

test('a stop takes the protection that its client named, else that of its trigger', () => {
  const { place, check } = open('Continuous');
  const stop = { units: 1, type: 'SL-MKT', trigger: 1_010_00 } as const;
  assert.equal(place(stop, PERCENT).terms.price, 1_020_10);
  assert.equal(place(stop).terms.price, 1_015_05, 'half a per cent from 500 rupees on');
  check();
});

test('the limit of a stop at the edge of the band is the edge', () => {
  const { market, place, check } = open('Continuous');
  const stop = (side: Side, trigger: number) => place({ side, units: 1, type: 'SL-MKT', trigger });
  const [buy, sale] = [stop('B', 1_100_00), stop('S', 900_05)];
  assert.deepEqual([buy.status, buy.terms.price], ['TriggerPending', 1_100_00]);
  assert.deepEqual([sale.status, sale.terms.price], ['TriggerPending', 900_05]);
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, band: [900_05, 1_100_05] });
  assert.equal(stop('B', 1_100_00).terms.price, 1_100_05);
  check();
});

test('the limit of a market order follows the better of users and the market', () => {
  const { world, by, place, check } = open('Continuous');
  const other = world.user('CD5678', CRORE);
  world.give(other, RELIANCE.id, 10, 10 * 1_000_00);
  const offer = (at: number) => world.place({ by: other, of: RELIANCE.id, side: 'S', units: 1, at, product: 'C' });
  offer(1_002_00);
  assert.equal(place({ units: 1 }, PERCENT).terms.price, 1_011_00, '1 % above the market, at 1,001');
  offer(1_000_00);
  assert.equal(place({ units: 1 }, PERCENT).terms.price, 1_010_00, '1 % above the user');
  world.place({ by, of: RELIANCE.id, side: 'B', units: 1, at: 999_50, product: 'C' });
  const sale = { by: other, of: RELIANCE.id, side: 'S', units: 1, product: 'C' } as const;
  assert.equal(place(sale, PERCENT).terms.price, 989_55, '1 % below the user, at 999.50, rounded up');
  check();
});

const HOURS = {
  closes: 11 * HOUR_MS,
  opens: 16 * HOUR_MS,
  release: 11 * HOUR_MS + 30 * MINUTE_MS,
  releaseOthers: 12 * HOUR_MS,
};
const WITH_INTAKE: TradingDays = { ...EVERY_DAY, afterMarket: () => HOURS };

test('an order that waits keeps its protection, as it was placed or modified, and is priced when it is released', () => {
  const { market, world, by, place, check } = open('Closed', WITH_INTAKE);
  const named = place({}, 2 * PERCENT);
  const plain = place({});
  const changed = place({}, 2 * PERCENT);
  const modify = { type: 'ModifyOrder', account: by, order: changed.number, terms: changed.terms } as const;
  assert.equal(world.submit({ ...modify, protection: 3 * PERCENT }).reply.type, 'OrderModified');
  const all = [named, plain, changed];
  for (const { status, terms } of all) assert.deepEqual([status, terms.price], ['AfterMarket', 0]);
  market.now = 'Continuous';
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_010_00, size: 1, last: 1_000_00 });
  world.at = istInstant(FIRST_DAY, HOURS.release);
  for (const { number } of all) world.submit({ type: 'ReleaseOrder', order: number });
  assert.deepEqual(
    all.map(({ terms }) => terms.price),
    [1_030_20, 1_015_05, 1_040_30],
  );
  check();
});

test('nothing is released before its hour, twice, or that nobody placed', () => {
  const { market, world, place } = open('Closed', WITH_INTAKE);
  const order = place({ at: 990_00 });
  const release = (number: OrderNumber) => {
    const { events } = world.submit({ type: 'ReleaseOrder', order: number });
    return events.some(({ type }) => type === 'AfterMarketReleased');
  };
  market.now = 'Continuous';
  world.at = istInstant(FIRST_DAY, HOURS.release - 1_000);
  assert.equal(release(order.number), false);
  world.at = istInstant(FIRST_DAY, HOURS.release);
  assert.equal(release((order.number + 1) as OrderNumber), false);
  assert.equal(release(order.number), true);
  assert.equal(order.status, 'Open');
  assert.equal(release(order.number), false);
});

test('an order is let out of a phase that holds it while its instrument is suspended', () => {
  const { market, world, by, place, check } = open('PreOpen');
  const order = place({ at: 990_00 });
  market.now = 'PreOpenMatching';
  const cancel = () => world.submit({ type: 'CancelOrder', account: by, order: order.number }).reply;
  const held = cancel();
  assert.ok(held.type === 'Refused' && held.refusal.rule === 'EntryClosed');
  const target = { kind: 'Suspension', instrument: RELIANCE.id } as const;
  world.submit({ type: 'SetSwitch', target, on: true, by: 'asha', why: 'a test' });
  assert.equal(cancel().type, 'OrderCancelled');
  assert.equal(order.status, 'Cancelled');
  check();
});

test('a stop that has fired is modified as a limit order: inside the protection, at any distance from its trigger', () => {
  const { market, world, by } = open('Continuous');
  market.quotes.set(NIFTY_CALL.id, { bid: 119_00, ask: 121_00, last: 120_00 });
  const stop = world.place({
    by,
    of: NIFTY_CALL.id,
    side: 'B',
    units: 65,
    type: 'SL-LMT',
    trigger: 125_00,
    at: 126_00,
  });
  assert.equal(stop.status, 'TriggerPending');
  market.quotes.set(NIFTY_CALL.id, { bid: 128_00, ask: 130_00, last: 129_00 });
  world.at = (world.at + 1_000) as typeof world.at;
  world.submit({ type: 'MoveMarket', instrument: NIFTY_CALL.id, tick: market.tickAt(world.at) });
  assert.equal(stop.status, 'Open');
  const modify = (at: number) => {
    const terms = { ...stop.terms, price: price(at) };
    const { reply } = world.submit({ type: 'ModifyOrder', account: by, order: stop.number, terms });
    return reply.type === 'Refused' ? reply.refusal.rule : reply.type;
  };
  assert.equal(modify(180_65), 'OutsideProtection', 'more than 40 % above 129.00');
  assert.equal(modify(80_00), 'OrderModified', 'further from its trigger than a stop may be');
});
