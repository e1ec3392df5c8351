import assert from 'node:assert/strict';
import test from 'node:test';
import { positionKey } from '../../../src/core/account.ts';
import type { Event } from '../../../src/core/event.ts';
import { NIFTY_FUTURE, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { Day, ofType } from '../../kit/settlement/day.ts';

/** One lakh rupees, which carry an intraday position of four. */
const LAKH = 1_00_000_00;

function checked(day: Day): readonly Event[] {
  const { events } = day.world.submit({ type: 'CheckLosses' });
  day.check();
  return events;
}

function exposed(): { day: Day; by: number } {
  const day = new Day();
  const by = day.world.user('AB1234', LAKH);
  day.quote(RELIANCE.id, 1_000);
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 400, at: 1_000_00, product: 'I' });
  return { day, by };
}

test('a loss below 80 % of the funds is nobody’s business, and a look that finds nothing leaves no record', () => {
  const { day } = exposed();
  const { seq } = day.world.state;
  day.quote(RELIANCE.id, 800.05);
  assert.deepEqual(checked(day), []);
  assert.equal(day.world.state.seq, seq);
});

test('at 80 % the account is warned, once a day', () => {
  const { day } = exposed();
  day.quote(RELIANCE.id, 800);
  const [warning, ...more] = checked(day);
  assert.deepEqual(warning, {
    type: 'LossesReached',
    account: 0,
    stage: 'Warned',
    loss: 80_000_00,
    funds: LAKH,
  });
  assert.deepEqual([more, checked(day)], [[], []]);
  assert.equal(day.placeCounterOrders(), 0);
});

test('proceeds of deliveries of the day are cash that carries losses, as it pays for positions', () => {
  const day = new Day();
  const by = day.world.user('AB1234', 0);
  day.world.give(by, PAYTM.id, 100, LAKH);
  day.quote(PAYTM.id, 1_000);
  day.quote(RELIANCE.id, 1_000);
  day.trade({ by, of: PAYTM.id, side: 'S', units: 100, at: 1_000_00, product: 'C' });
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 400, at: 1_000_00, product: 'I' });
  day.quote(RELIANCE.id, 800.05);
  assert.deepEqual(checked(day), []);
  day.quote(RELIANCE.id, 800);
  const [warning] = ofType(checked(day), 'LossesReached');
  assert.deepEqual([warning?.stage, warning?.funds], ['Warned', LAKH]);
});

test('at 100 % the intraday positions of that account are squared off, and nobody else’s', () => {
  const { day, by } = exposed();
  const other = day.world.user('CD1234', 100 * LAKH);
  day.trade({ by: other, of: RELIANCE.id, side: 'B', units: 400, at: 1_000_00, product: 'I' });
  const pending = day.world.place({
    by: by as never,
    of: RELIANCE.id,
    side: 'S',
    units: 10,
    at: 1_200_00,
    product: 'I',
  });
  day.quote(RELIANCE.id, 750);
  const events = checked(day);
  assert.deepEqual(
    ofType(events, 'LossesReached').map(({ account, stage, loss }) => [account, stage, loss]),
    [[by, 'SquaredOff', LAKH]],
  );
  assert.equal(pending.status, 'Cancelled');
  assert.equal(day.placeCounterOrders(), 1);
  const held = (account: number) => {
    const row = day.world.account(account as never).positions.get(positionKey(RELIANCE.id, 'I'));
    return (row?.dayBuyQuantity ?? 0) - (row?.daySellQuantity ?? 0);
  };
  assert.deepEqual([held(by), held(other)], [0, 400]);
  assert.deepEqual(checked(day), [], 'it is over for the day');
  const refusal = day.world.refusal({
    by: by as never,
    of: RELIANCE.id,
    side: 'B',
    units: 1,
    at: 750_00,
    product: 'I',
  });
  assert.equal(refusal.rule, 'IntradayAfterSquareOff');
});

test('a realised loss counts with the open one, and carried positions do not', () => {
  const day = new Day();
  const by = day.world.user('AB1234', 5 * LAKH);
  day.quote(RELIANCE.id, 1_000);
  day.quote(NIFTY_FUTURE.id, 24_000);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00, product: 'M' });
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 1_000, at: 1_000_00, product: 'I' });
  day.quote(NIFTY_FUTURE.id, 16_000);
  day.quote(RELIANCE.id, 650);
  assert.deepEqual(checked(day), [], 'a loss of 5.2 lakh on the carried future is margin’s business');
  day.trade({ by, of: RELIANCE.id, side: 'S', units: 900, at: 650_00, product: 'I' });
  day.quote(RELIANCE.id, 100);
  const [event] = ofType(checked(day), 'LossesReached');
  assert.deepEqual([event?.stage, event?.loss], ['Warned', 900 * 350_00 + 100 * 900_00]);
});
