import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import { type EpochMs, HOUR_MS, istInstant, MINUTE_MS, SECOND_MS } from '../../../src/base/time.ts';
import { positionKey } from '../../../src/core/account.ts';
import { trialOf } from '../../../src/core/broker/trials/order-trial.ts';
import type { Event } from '../../../src/core/event.ts';
import type { Phase } from '../../../src/core/exchange/phase.ts';
import type { Order } from '../../../src/core/order.ts';
import { netQuantity } from '../../../src/core/position.ts';
import { ordersOf } from '../../../src/core/query.ts';
import { FIRST_DAY, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import type { Quote } from '../../kit/money/still-market.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import { Service } from '../../kit/settlement/service.ts';

/** A position that its cut-off closes with an order that rests: the market took a part of it and went on. */
class Resting {
  readonly day: Day;
  readonly by: AccountId;
  readonly of: InstrumentId;
  readonly order: Order;

  constructor(side: 'B' | 'S' = 'B', of: InstrumentId = RELIANCE.id, day = new Day()) {
    this.day = day;
    this.of = of;
    this.by = day.world.user('AB1234', CRORE);
    const units = of === RELIANCE.id ? 100 : 130;
    const rupees = of === RELIANCE.id ? 1_260 : 24_000;
    day.quote(of, rupees);
    day.trade({ by: this.by, of, side, units, at: rupees * 100, product: 'I' });
    day.squareOff(of === RELIANCE.id ? 'SharesWithContracts' : 'Contracts');
    const touch = { bid: rupees * 100, ask: rupees * 100, last: rupees * 100, close: rupees * 100 };
    this.show({ ...touch, size: units / 2 });
    assert.equal(day.placeCounterOrders(), 1);
    this.order = must(
      ordersOf(day.world.state, day.world.account(this.by)).find(({ squareOff }) => squareOff) as Order | undefined,
      'the desk placed an order',
    );
    assert.deepEqual([this.order.status, this.order.filled], ['Open', units / 2]);
  }

  /** A minute later the market shows something else, and what rests has met it. */
  show(quote: Quote): void {
    const { world, market } = this.day;
    world.at = (world.at + MINUTE_MS) as EpochMs;
    market.quotes.set(this.of, quote);
    world.submit({ type: 'MoveMarket', instrument: this.of, tick: market.tickAt(world.at) });
  }

  reprice(): readonly Event[] {
    const { events } = this.day.world.submit({ type: 'RepriceOrder', order: this.order.number });
    this.day.check();
    return events;
  }

  get net(): number {
    const row = this.day.world.account(this.by).positions.get(positionKey(this.of, 'I'));
    return row === undefined ? 0 : netQuantity(row);
  }
}

test('an order of the square-off that the market has left behind is brought to the market again', () => {
  for (const [side, price, limit] of [
    ['B', 1_200_00, 1_194_00],
    ['S', 1_300_00, 1_306_50],
  ] as const) {
    const resting = new Resting(side);
    resting.show({ bid: price, ask: price, last: price, close: 1_260_00 });
    const events = resting.reprice();
    const [replaced, ...more] = ofType(events, 'OrderReplaced');
    assert.deepEqual(
      [replaced?.keepsPriority, replaced?.terms.priceType, replaced?.terms.price, more.length],
      [false, 'LMT', limit, 0],
    );
    assert.deepEqual([resting.order.status, resting.order.filled, resting.net], ['Complete', 100, 0]);
    assert.equal(resting.day.placeCounterOrders(), 0, 'it is one order, with one fee');
  }
});

test('a limit that the market has not gone past stays: it would only trade for less', () => {
  for (const last of [1_253_70, 1_255_00, 1_260_00, 1_290_00]) {
    const resting = new Resting();
    resting.show({ last, close: 1_260_00 });
    assert.deepEqual(resting.reprice(), []);
    assert.equal(resting.order.terms.price, 1_253_70);
    resting.show({ bid: 1_253_65, last, close: 1_260_00, size: 1 });
    assert.equal(
      ofType(resting.reprice(), 'OrderReplaced')[0]?.terms.price,
      1_247_40,
      'what is bid comes before what was traded',
    );
  }
});

test('it is brought no further than band and limit price protection let it, and no further twice', () => {
  const share = new Resting();
  share.show({ bid: 1_100_00, last: 1_100_00, close: 1_260_00, size: 1, band: [1_134_00, 1_386_00] });
  assert.equal(ofType(share.reprice(), 'OrderReplaced')[0]?.terms.price, 1_134_00);
  assert.deepEqual(share.reprice(), []);
  const future = new Resting('B', NIFTY_FUTURE.id);
  future.show({ bid: 23_300_00, last: 24_000_00, close: 24_000_00, size: 65 });
  const [replaced] = ofType(future.reprice(), 'OrderReplaced');
  assert.equal(replaced?.terms.price, 23_280_00, 'the protection of 3 %, nearer than a half per cent below the bid');
});

test("an order keeps its price where the market takes nothing, when it has ended, or when it is not the risk desk's", () => {
  const resting = new Resting();
  const { day, by } = resting;
  resting.show({ bid: 1_200_00, last: 1_200_00, close: 1_260_00, closed: true });
  const own = day.world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 90_00 });
  assert.deepEqual(day.world.submit({ type: 'RepriceOrder', order: own.number }).events, []);
  assert.equal(resting.order.status, 'Cancelled', 'a closed market ends what rests');
  assert.deepEqual(resting.reprice(), []);
  const halt = { type: 'SetSwitch', target: { kind: 'Halt', exchange: 'NSE' }, by: 'asha', why: 'a test' } as const;
  const halted = new Resting();
  halted.show({ bid: 1_200_00, last: 1_200_00, close: 1_260_00 });
  halted.day.world.submit({ ...halt, on: true });
  assert.deepEqual(halted.reprice(), []);
  halted.day.world.submit({ ...halt, on: false });
  halted.reprice();
  assert.equal(halted.order.status, 'Complete');
});

test('the trial of its record names the checks that judged it', () => {
  const resting = new Resting();
  resting.show({ bid: 1_200_00, last: 1_200_00, close: 1_260_00, size: 1 });
  resting.reprice();
  const { world, ports } = resting.day;
  const record = must(world.records.at(-1), 'it is recorded');
  const trial = trialOf(world.state, ports, record, resting.order.number);
  assert.deepEqual([trial?.step, trial?.refusal], ['modification', undefined]);
  const unasked = trial?.findings.filter(({ outcome }) => outcome === 'unasked').map(({ name }) => name) ?? [];
  assert.ok(unasked.includes('the margin is there'), 'nothing that holds up clients alone was asked');
});

test('the service looks once a minute, and a restart comes to the same', async () => {
  const cutOff = istInstant(FIRST_DAY, 23 * HOUR_MS + 55 * MINUTE_MS);
  const service = new Service();
  service.pass(service.now);
  await service.enrol(CRORE);
  await service.trade({ of: RELIANCE.id, side: 'B', units: 100, product: 'I', at: 1_250_00 });
  const show = (bid: number, size: number): void => {
    service.market.quotes.set(RELIANCE.id, { bid, ask: 1_400_00, last: bid, close: 1_250_00, size });
  };
  show(1_250_00, 10);
  service.pass((cutOff + SECOND_MS) as EpochMs);
  const order = must(
    [...service.live.state.orders.values()].find(({ squareOff }) => squareOff),
    'the desk placed an order',
  );
  assert.deepEqual([order.status, order.filled, order.terms.price], ['Open', 10, 1_243_75]);
  show(1_200_00, 10);
  service.pass((cutOff + 59 * SECOND_MS) as EpochMs);
  assert.deepEqual([order.filled, order.terms.price], [10, 1_243_75]);
  service.pass((cutOff + MINUTE_MS) as EpochMs);
  assert.deepEqual([order.filled, order.terms.price], [20, 1_194_00]);
  show(1_150_00, 100);
  service.pass((cutOff + MINUTE_MS + 30 * SECOND_MS) as EpochMs);
  assert.equal(order.filled, 20);
  await service.restartAt((cutOff + 2 * MINUTE_MS) as EpochMs);
  const now = must(service.live.state.orders.get(order.number), 'it is there');
  assert.deepEqual([now.status, now.terms.price], ['Complete', 1_144_25]);
});

/** A share in the phases of its afternoon, as a test says. */
function inPhase(day: Day): { phase: Phase } {
  const shown: { phase: Phase } = { phase: 'Continuous' };
  const { market } = day;
  market.phase = (id) => (id === RELIANCE.id ? shown.phase : 'Continuous');
  market.isOpen = (id) => market.phase(id) === 'Continuous';
  return shown;
}

test('intraday positions that continuous trading left go into the closing auction at the market, by an order that is placed where it is missing', () => {
  const day = new Day();
  const shown = inPhase(day);
  const resting = new Resting('S', RELIANCE.id, day);
  const band = [1_240_00, 1_320_00] as const;
  shown.phase = 'ClosingEntry';
  resting.show({ last: 1_300_00, close: 1_260_00, band });
  const [replaced] = ofType(resting.reprice(), 'OrderReplaced');
  assert.deepEqual([replaced?.terms.priceType, replaced?.terms.price], ['MKT', 1_320_00]);
  assert.equal(day.placeCounterOrders(), 0);
  const late = new Day();
  const afternoon = inPhase(late);
  const by = late.world.user('AB1234', CRORE);
  late.quote(RELIANCE.id, 1_260);
  late.trade({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_260_00, product: 'I' });
  late.squareOff('SharesWithContracts');
  const placedIn = (phase: Phase): number => {
    afternoon.phase = phase;
    return late.placeCounterOrders();
  };
  assert.deepEqual(
    (
      ['ClosingReference', 'ClosingLimitOnly', 'ClosingMatching', 'PostClose', 'PreOpenMatching', 'Buffer'] as const
    ).map(placedIn),
    [0, 0, 0, 0, 0, 0],
    'no order is placed where it would be refused, nor after the close',
  );
  assert.equal(placedIn('ClosingEntry'), 1);
  assert.equal(placedIn('ClosingEntry'), 0);
});
