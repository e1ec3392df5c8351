import assert from 'node:assert/strict';
import test from 'node:test';
import type { Price } from '../../../src/base/money.ts';
import { firstTickOf } from '../../../src/base/tick.ts';
import { openLoss } from '../../../src/core/broker/settlement/open-loss.ts';
import type { Event } from '../../../src/core/event.ts';
import { portsAt } from '../../../src/core/ports.ts';
import { dayOf, ExchangeHours } from '../../kit/exchange/exchange-hours.ts';

/** A Friday and the Monday after it; the Tuesday is a holiday. */
const [FRIDAY, SATURDAY, MONDAY, WEDNESDAY] = ['2026-11-20', '2026-11-21', '2026-11-23', '2026-11-25'] as const;
const GROUNDS = { by: 'operator', why: 'a test' };

function eventOf<Type extends Event['type']>(events: readonly Event[], type: Type): Extract<Event, { type: Type }> {
  const found = events.find((event): event is Extract<Event, { type: Type }> => event.type === type);
  assert.ok(found, `${type} in ${JSON.stringify(events)}`);
  return found;
}

/** The service from the Friday on, with 1,000 shares, of which 500 are pledged. */
function fromFriday() {
  const hours = new ExchangeHours(FRIDAY);
  const { id: instrument } = hours.instrument('share');
  const account = hours.user;
  hours.world.give(account, instrument, 1_000, 1_000_000_00);
  const pledge = { account, instrument, quantity: 500 as never };
  eventOf(hours.world.submit({ type: 'PledgeShares', ...pledge }).events, 'SharesPledged');
  const close = (day: string) => hours.market.previousClose(instrument, firstTickOf(dayOf(day)));
  const closes = { thursday: close(FRIDAY), friday: close(MONDAY) };
  assert.notEqual(closes.thursday, closes.friday);
  return { hours, account, instrument, closes };
}

test('shares that are pledged or released on a Saturday count at the close of the Friday', () => {
  const { hours, account, instrument, closes } = fromFriday();
  hours.passTo(SATURDAY, '12:00');
  const change = { account, instrument, quantity: 1 as never };
  const pledged = eventOf(hours.world.submit({ type: 'PledgeShares', ...change }).events, 'SharesPledged');
  assert.deepEqual([pledged.price, pledged.collateral], [closes.friday, 501 * closes.friday * 0.9]);
  const released = eventOf(hours.world.submit({ type: 'ReleaseShares', ...change }).events, 'SharesReleased');
  assert.deepEqual([released.price, released.collateral], [closes.friday, 500 * closes.friday * 0.9]);
});

test('a band that is widened on a Saturday is that of the Monday, as one that is widened on the Monday', () => {
  const widened = (day: string, role: 'share' | 'small share', percent: number) => {
    const { hours } = fromFriday();
    hours.passTo(day, '08:00');
    const command = { type: 'WidenBand', instrument: hours.instrument(role).id, percent, ...GROUNDS } as const;
    return eventOf(hours.world.submit(command).events, 'BandWidened');
  };
  for (const role of ['share', 'small share'] as const) {
    for (const percent of [21, 30]) assert.deepEqual(widened(SATURDAY, role, percent), widened(MONDAY, role, percent));
  }
});

test('a dividend that is announced on a Saturday is measured by the close of the Friday', () => {
  const announce = (dividend: number) => {
    const { hours, instrument } = fromFriday();
    hours.passTo(SATURDAY, '12:00');
    const terms = { before: 1, after: 1, dividend: dividend as Price, exDay: dayOf(WEDNESDAY) };
    return hours.world.submit({ type: 'AnnounceCorporateAction', kind: 'dividend', listings: [instrument], ...terms });
  };
  const { closes } = fromFriday();
  const special = Math.ceil(closes.friday / 50);
  for (const dividend of [special - 1, special]) {
    const { action } = eventOf(announce(dividend).events, 'CorporateActionAnnounced');
    assert.equal(action.adjustsContracts, dividend === special);
  }
  const { reply } = announce(closes.friday);
  assert.deepEqual(reply.type === 'Refused' && reply.refusal, {
    rule: 'DividendTooLarge',
    dividend: closes.friday,
    close: closes.friday,
  });
});

test('on a Saturday nothing is lost of what the Friday has marked, wherever its last trade was', () => {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '10:00');
  const { world, ports, user } = hours;
  const future = hours.instrument('future');
  const order = {
    instrument: future.id,
    side: 'S',
    product: 'M',
    terms: hours.terms(future, 'MKT'),
    remarks: '',
  } as const;
  eventOf(world.submit({ type: 'PlaceOrder', account: user, ...order }).events, 'Traded');
  const lost = () => openLoss(world.state, portsAt(ports, world.state, world.at), world.account(user));
  hours.passTo(SATURDAY, '12:00');
  assert.notEqual(hours.last(future), hours.market.previousClose(future.id, firstTickOf(dayOf(MONDAY))));
  assert.equal(lost(), 0);
});
