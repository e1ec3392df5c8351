import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { istInstant } from '../../../src/base/time.ts';
import type { Equity } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Side } from '../../../src/core/order.ts';
import { everyDaySettledAs } from '../../../src/core/trading-days.ts';
import { dayOf, ExchangeHours } from '../../kit/exchange/exchange-hours.ts';
import { DATA } from '../../kit/exchange/exchange-ports.ts';
import { RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

/** Trades shares for delivery at the market's price. */
function trade(hours: ExchangeHours, of: Equity, side: Side, units: number): void {
  const { world, user } = hours;
  world.submit({
    type: 'PlaceOrder',
    account: user,
    instrument: of.id,
    side,
    product: 'C',
    terms: { priceType: 'MKT', retention: 'DAY', quantity: quantity(units), price: price(0), trigger: price(0) },
    remarks: '',
  });
  assert.equal([...world.state.orders.values()].at(-1)?.filled, units);
}

/** Shares in the depository account, and those on their way. */
function shares(hours: ExchangeHours, { isin }: Equity): readonly [settled: number, unsettled: number] {
  checkInvariants(hours.world.state, hours.ports);
  const holding = hours.world.account(hours.user).holdings.get(isin);
  return [holding?.settled ?? 0, holding?.unsettled ?? 0];
}

function shareOf(hours: ExchangeHours): Equity {
  const share = hours.instrument('share');
  assert.ok(share.kind === 'equity');
  return share;
}

test('on a settlement holiday shares trade, and what is on its way comes a day later', () => {
  const hours = new ExchangeHours('2026-03-30');
  hours.passTo('2026-03-30', '10:00');
  const share = shareOf(hours);
  trade(hours, share, 'B', 10);
  hours.passTo('2026-04-01', '10:00');
  assert.deepEqual(shares(hours, share), [0, 10]);
  trade(hours, share, 'S', 4);
  hours.passTo('2026-04-02', '10:00');
  assert.deepEqual(
    shares(hours, share),
    [0, 6],
    '1 April is the annual closing of banks; four of those on their way were sold',
  );
  trade(hours, share, 'B', 3);
  hours.passTo('2026-04-06', '10:00');
  assert.deepEqual(shares(hours, share), [6, 3]);
  hours.passTo('2026-04-07', '10:00');
  assert.deepEqual(shares(hours, share), [9, 0]);
});

test('shares that are sold on a settlement holiday leave the depository account before those on their way', () => {
  const hours = new ExchangeHours('2026-03-30');
  const { world, user } = hours;
  hours.passTo('2026-03-30', '10:00');
  const share = shareOf(hours);
  world.give(user, share.id, 10, 10_000_00);
  world.submit({ type: 'PledgeShares', account: user, instrument: share.id, quantity: quantity(7) });
  trade(hours, share, 'B', 10);
  hours.passTo('2026-04-01', '10:00');
  trade(hours, share, 'S', 8);
  hours.passTo('2026-04-02', '10:00');
  assert.deepEqual(shares(hours, share), [7, 5], 'pledged shares stay');
});

test('a Muhurat evening on a Sunday settles nothing', () => {
  const hours = new ExchangeHours('2026-11-06');
  hours.passTo('2026-11-06', '10:00');
  const share = shareOf(hours);
  trade(hours, share, 'B', 10);
  hours.passTo('2026-11-08', '18:05');
  trade(hours, share, 'B', 5);
  hours.passTo('2026-11-09', '10:00');
  assert.deepEqual(shares(hours, share), [0, 15]);
  hours.passTo('2026-11-11', '10:00');
  assert.deepEqual(shares(hours, share), [15, 0], '10 November is a holiday');
});

test("issue 17, 4.5: a Friday's purchase is settled at Monday's end in both regimes", () => {
  for (const regime of ['always', 'exchange'] as const) {
    const days = regime === 'exchange' ? DATA.days : everyDaySettledAs(DATA.days);
    const market = new StillMarket();
    market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
    const world = new World(testPorts({ market, days }), dayOf('2026-11-20'));
    const by = world.user('TRADER', 10_00_000_00);
    const bought = (units: number) =>
      world.place({ by, of: RELIANCE.id, side: 'B', units, at: 1_000_00, product: 'C' });
    const holding = () => must(world.account(by).holdings.get(RELIANCE.isin), 'shares');
    bought(10);
    world.passTo(istInstant(dayOf('2026-11-21'), 36_000_000));
    assert.deepEqual([holding().settled, holding().unsettled], [0, 10], regime);
    if (regime === 'always') bought(5);
    const weekend = regime === 'always' ? 15 : 10;
    for (const date of ['2026-11-22', '2026-11-23']) {
      world.passTo(istInstant(dayOf(date), 36_000_000));
      assert.deepEqual([holding().settled, holding().unsettled], [0, weekend], `${regime}, ${date}`);
    }
    world.passTo(istInstant(dayOf('2026-11-24'), 36_000_000));
    assert.deepEqual([holding().settled, holding().unsettled], [weekend, 0], regime);
    checkInvariants(world.state);
  }
});
