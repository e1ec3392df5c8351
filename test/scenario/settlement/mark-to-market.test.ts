import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { positionKey } from '../../../src/core/account.ts';
import { availableMargin, withdrawable } from '../../../src/core/broker/account/funds.ts';
import { openLoss } from '../../../src/core/broker/settlement/open-loss.ts';
import { positionFigures } from '../../../src/core/query.ts';
import { NIFTY_CALL, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';

function figuresOf(day: Day, account: AccountId, last: number) {
  const row = day.world.account(account).positions.get(positionKey(NIFTY_FUTURE.id, 'M'));
  assert.ok(row);
  return positionFigures(row, price(last * 100));
}

test('a carried future is paid from settlement to settlement, and the parts are the whole, as in R5.11', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(NIFTY_FUTURE.id, 23_850);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 23_850_00 });
  const paid: number[] = [];
  const passDay = (): void => {
    const before = day.cash(by);
    day.next();
    paid.push(day.cash(by) - before);
  };
  day.quote(NIFTY_FUTURE.id, 23_900);
  passDay();
  day.quote(NIFTY_FUTURE.id, 23_960);
  passDay();
  day.quote(NIFTY_FUTURE.id, 23_990);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 23_990_00 });
  passDay();
  assert.deepEqual(paid, [3_250_00, 3_900_00, 1_950_00]);
  assert.equal(day.cash(by) - CRORE, 9_100_00);
  assert.equal(day.world.account(by).positions.size, 0);
});

test('a short future is paid the other way round', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(NIFTY_FUTURE.id, 23_850);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 23_850_00 });
  day.quote(NIFTY_FUTURE.id, 23_900);
  day.next();
  assert.equal(day.cash(by) - CRORE, -3_250_00);
});

test('the next day starts at the settlement price and remembers the cost, as in R5.10', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(NIFTY_FUTURE.id, 23_850);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 130, at: 23_850_00 });
  day.quote(NIFTY_FUTURE.id, 23_900);
  day.next();
  const atStart = figuresOf(day, by, 23_900);
  assert.deepEqual([atStart.netAveragePrice, atStart.uploadPrice, atStart.unrealised], [23_900_00, 23_850_00, 0]);
  day.quote(NIFTY_FUTURE.id, 23_950);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 23_950_00 });
  const { realised, unrealised, totalMtm, totalPnl } = figuresOf(day, by, 23_940);
  assert.deepEqual([realised, unrealised, totalMtm, totalPnl], [3_250_00, 2_600_00, 5_850_00, 12_350_00]);
});

test('a mixed day of carried and new units settles what each is worth, as in R5.12', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(NIFTY_FUTURE.id, 23_900);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 23_900_00 });
  day.next();
  day.quote(NIFTY_FUTURE.id, 23_950);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 23_950_00 });
  day.quote(NIFTY_FUTURE.id, 23_920);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 23_920_00 });
  const figures = figuresOf(day, by, 23_940);
  assert.deepEqual([figures.realised, figures.unrealised], [2_600_00, 1_950_00]);
  day.quote(NIFTY_FUTURE.id, 23_940);
  day.next();
  assert.equal(day.cash(by) - CRORE, 4_550_00);
});

test('an option is carried at its close without a payment, and its cost is remembered, as in R5.9', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(NIFTY_CALL.id, 400);
  day.trade({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 400_00 });
  day.quote(NIFTY_CALL.id, 450);
  const events = day.next();
  assert.deepEqual(
    ofType(events, 'PositionMarked').map((mark) => [mark.price, mark.gain]),
    [[450_00, 0]],
  );
  assert.equal(day.cash(by), CRORE - 65 * 400_00);
  const row = day.world.account(by).positions.get(positionKey(NIFTY_CALL.id, 'M'));
  assert.deepEqual([row?.carriedBuyAmount, row?.carriedCost], [65 * 450_00, 65 * 400_00]);
});

test('a mark-to-market loss at the last price is not paid out, and a gain not before it has come', () => {
  for (const [last, loss] of [
    [23_900, 6_500_00],
    [24_100, 0],
  ] as const) {
    const day = new Day();
    const { world } = day;
    const by = world.user('AB1234', CRORE);
    day.quote(NIFTY_FUTURE.id, 24_000);
    day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00 });
    day.quote(NIFTY_FUTURE.id, last);
    const free = availableMargin(world.account(by)) - loss;
    const out = (amount: number) => world.submit({ type: 'PayOutCash', account: by, amount: paise(amount) }).reply;
    assert.deepEqual(out(free + 1), {
      type: 'Refused',
      refusal: { rule: 'AboveWithdrawable', amount: free + 1, withdrawable: free },
      at: world.at,
    });
    assert.equal(out(free).type, 'Done');
    day.next();
    assert.ok(availableMargin(world.account(by)) >= 0, 'the day took no more than was left');
  }
});

test('charges of the day are not paid out, and those of conversions, which are paid, count once', () => {
  const day = Day.charged();
  const { world } = day;
  const by = world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  for (const side of ['B', 'S'] as const)
    day.trade({ by, of: RELIANCE.id, side, units: 100, at: 1_260_00, product: 'I' });
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_260_00, product: 'I' });
  const row = { account: by, instrument: RELIANCE.id, from: 'I', to: 'C', side: 'B', age: 'day' } as const;
  const converted = world.submit({ type: 'ConvertPosition', ...row, quantity: quantity(10) });
  assert.equal(converted.reply.type, 'PositionConverted');
  const out = (amount: number) => world.submit({ type: 'PayOutCash', account: by, amount: paise(amount) }).reply;
  const refused = out(CRORE);
  assert.ok(refused.type === 'Refused' && refused.refusal.rule === 'AboveWithdrawable');
  const free = refused.refusal.withdrawable;
  assert.ok(free < withdrawable(world.account(by)));
  assert.equal(out(free).type, 'Done');
  day.next();
  assert.equal(withdrawable(world.account(by)), 0, 'the day took all that was left, and no more');
  assert.equal(availableMargin(world.account(by)), 0);
});

test('a loss that was realised is taken once, and an open gain makes up for it when the day ends, not before', () => {
  const day = new Day();
  const { world } = day;
  const by = world.user('AB1234', CRORE);
  day.quote(NIFTY_FUTURE.id, 24_000);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 130, at: 24_000_00 });
  day.quote(NIFTY_FUTURE.id, 23_900);
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 23_900_00 });
  const open = (): number => openLoss(world.state, day.desk(), world.account(by));
  assert.equal(open(), 6_500_00, 'the other half is lost too');
  day.quote(NIFTY_FUTURE.id, 24_300);
  assert.equal(open(), 0);
});
