import assert from 'node:assert/strict';
import test from 'node:test';
import type { Event } from '../../../src/core/event.ts';
import { holdingsOf } from '../../../src/core/query.ts';
import { NIFTY, RELIANCE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import {
  listed,
  NIFTY_24000_CALL,
  NIFTY_24200_PUT,
  NIFTY_24500_CALL,
  NIFTY_NEAR,
  RELIANCE_1240_CALL,
  RELIANCE_1250_CALL,
  RELIANCE_1280_PUT,
  RELIANCE_1300_CALL,
  RELIANCE_NEAR,
} from '../../kit/settlement/expiring.ts';

function sttOf(events: readonly Event[]): number {
  const notes = ofType(events, 'ChargesPosted');
  return notes.flatMap(({ note }) => note.sections).reduce((sum, { stt }) => sum + stt, 0);
}

test('index contracts settle in cash at the close of the index, as in R7.1', () => {
  const day = Day.charged();
  const { world } = day;
  const [long, short, carrier] = ['AB1234', 'CD1234', 'EF1234'].map((name) => world.user(name, CRORE));
  assert.ok(long !== undefined && short !== undefined && carrier !== undefined);
  day.quote(NIFTY.id, 24_100);
  day.quote(NIFTY_24000_CALL.id, 200);
  day.quote(NIFTY_24200_PUT.id, 150);
  day.quote(NIFTY_NEAR.id, 24_050);
  day.trade({ by: long, of: NIFTY_24000_CALL.id, side: 'B', units: 65, at: 200_00 });
  day.trade({ by: short, of: NIFTY_24200_PUT.id, side: 'S', units: 65, at: 150_00 });
  day.trade({ by: carrier, of: NIFTY_NEAR.id, side: 'B', units: 65, at: 24_050_00 });
  day.quote(NIFTY_NEAR.id, 24_110);
  day.next();
  day.quote(NIFTY.id, 24_130.4);
  day.quote(NIFTY_24000_CALL.id, 0.05);
  const before = [long, short, carrier].map((account) => day.cash(account));
  const events = day.end();
  world.nextDay();
  const [charges] = ofType(events, 'ChargesPosted');
  assert.ok(charges);
  assert.equal(ofType(events, 'ChargesPosted').length, 1, 'only what is exercised is charged at expiry');
  assert.equal(charges.account, long);
  assert.equal(sttOf(events), 13_00, 'STT 0.15 % of 8,476.00, to the rupee');
  const moved = [long, short, carrier].map((account, index) => day.cash(account) - (before[index] ?? 0));
  assert.deepEqual(moved, [8_476_00 - 13_00, -4_524_00, 1_326_00]);
  for (const account of [long, short, carrier]) {
    assert.equal(world.account(account).positions.size, 0, 'positions of expired contracts are gone');
  }
  assert.deepEqual(
    ofType(events, 'PositionSettled').map(({ reason }) => reason),
    ['Exercise', 'Assignment', 'CashSettlement'],
  );
});

test('options out of the money lapse at nothing', () => {
  const day = Day.charged();
  const by = day.world.user('AB1234', CRORE);
  day.quote(NIFTY_24500_CALL.id, 40);
  day.trade({ by, of: NIFTY_24500_CALL.id, side: 'B', units: 65, at: 40_00 });
  day.next();
  day.quote(NIFTY.id, 24_500);
  const before = day.cash(by);
  const events = day.end();
  day.world.nextDay();
  assert.equal(day.cash(by), before);
  assert.deepEqual(
    ofType(events, 'PositionSettled').map(({ reason, price }) => [reason, price]),
    [['Lapse', 0]],
  );
});

test('a stock call in the money is delivered: the strike is paid, the shares come on T+1, as in R7.2', () => {
  const day = Day.charged();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1240_CALL.id, 25);
  day.trade({ by, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  day.next();
  day.quote(RELIANCE.id, 1_260);
  const before = day.cash(by);
  const events = day.end();
  assert.equal(sttOf(events), 630_00, 'STT 0.1 % of 500 shares at the close');
  day.world.nextDay();
  const stamp = 95_00;
  assert.equal(
    before - day.cash(by),
    620_000_00 + 630_00 + stamp,
    'stamp duty 0.015 % of the close: 94.50, to the rupee',
  );
  const [onNextDay] = holdingsOf(day.world.account(by), listed);
  assert.deepEqual([onNextDay?.unsettled, onNextDay?.settled, onNextDay?.cost], [500, 0, 620_000_00]);
  day.next();
  const [after] = holdingsOf(day.world.account(by), listed);
  assert.deepEqual([after?.unsettled, after?.settled], [0, 500]);
});

test('a short put receives, a long put and a short future deliver what is owned', () => {
  const day = new Day();
  const { world } = day;
  const receiver = world.user('AB1234', CRORE);
  const deliverer = world.user('CD1234', CRORE);
  world.give(deliverer, RELIANCE.id, 1_000, 1_000_000_00);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1280_PUT.id, 35);
  day.quote(RELIANCE_NEAR.id, 1_255);
  day.trade({ by: receiver, of: RELIANCE_1280_PUT.id, side: 'S', units: 500, at: 35_00 });
  day.trade({ by: deliverer, of: RELIANCE_1280_PUT.id, side: 'B', units: 500, at: 35_00 });
  day.trade({ by: deliverer, of: RELIANCE_NEAR.id, side: 'S', units: 500, at: 1_255_00 });
  day.next();
  day.quote(RELIANCE.id, 1_260);
  const before = [day.cash(receiver), day.cash(deliverer)];
  day.next();
  const basis = 1_255_00;
  assert.equal(day.cash(receiver) - (before[0] ?? 0), -500 * 1_280_00);
  assert.equal(
    day.cash(deliverer) - (before[1] ?? 0),
    500 * 1_280_00 + 500 * 1_260_00 + 500 * (basis - 1_260_00),
    'the put sells at its strike; the future is marked to the close and sells there',
  );
  assert.equal(world.account(deliverer).holdings.size, 0);
  assert.equal(holdingsOf(world.account(receiver), listed)[0]?.unsettled, 500);
});

test('contracts of one underlying net off: a call spread in the money leaves money and moves no shares, as in R7.3', () => {
  const day = Day.charged();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1240_CALL.id, 25);
  day.quote(RELIANCE_1250_CALL.id, 20);
  day.trade({ by, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  day.trade({ by, of: RELIANCE_1250_CALL.id, side: 'S', units: 500, at: 20_00 });
  day.next();
  day.quote(RELIANCE.id, 1_260);
  const before = day.cash(by);
  const events = day.end();
  assert.equal(sttOf(events), 0, 'what is not delivered bears no tax on deliveries');
  day.world.nextDay();
  assert.equal(day.cash(by) - before, 500 * 10_00);
  assert.equal(day.world.account(by).holdings.size, 0);
});

test('a short call without the shares is closed out 20 % above the close', () => {
  const day = Day.charged();
  const by = day.world.user('AB1234', CRORE);
  day.world.give(by, RELIANCE.id, 100, 100_000_00);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1240_CALL.id, 25);
  day.trade({ by, of: RELIANCE_1240_CALL.id, side: 'S', units: 500, at: 25_00 });
  day.next();
  day.quote(RELIANCE.id, 1_260);
  const before = day.cash(by);
  const events = day.end();
  day.world.nextDay();
  const [closeOut] = ofType(events, 'PositionSettled').filter(({ reason }) => reason === 'CloseOut');
  assert.deepEqual([closeOut?.quantity, closeOut?.price], [400, 1_512_00]);
  const stt = Math.round((100 * 1_260 * 0.1) / 100) * 100;
  const depository = 13_50 + 2_43;
  assert.equal(day.cash(by) - before, 500 * 1_240_00 - 400 * 1_512_00 - stt - depository);
  assert.equal(day.world.account(by).holdings.size, 0);
});

test('a call out of the money and a contract of a later expiry stay as they are', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1300_CALL.id, 5);
  day.trade({ by, of: RELIANCE_1300_CALL.id, side: 'B', units: 500, at: 5_00 });
  assert.deepEqual(ofType(day.next(), 'PositionSettled'), [], 'a day before its expiry nothing is settled');
  assert.equal(day.world.account(by).positions.size, 1);
  const events = day.next();
  assert.deepEqual(
    ofType(events, 'PositionSettled').map(({ reason }) => reason),
    ['Lapse'],
  );
  assert.equal(day.world.account(by).holdings.size, 0);
});
