import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise } from '../../../src/base/money.ts';
import { HOUR_MS, type IstDay, istInstant } from '../../../src/base/time.ts';
import { DAY_END_STEPS } from '../../../src/core/broker/settlement/day-end-steps.ts';
import { FIRST_DAY, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { serviceWithOneOfEach } from '../../kit/settlement/one-of-each.ts';
import { Service } from '../../kit/settlement/service.ts';

/** The account's holdings, positions and money, whatever way they came there. */
function worth({ live }: Service): unknown {
  const [account] = live.state.accounts;
  assert.ok(account);
  const { books, positions, holdings } = account;
  return {
    day: live.state.day,
    books: { ...books },
    positions: [...positions.values()],
    holdings: [...holdings.values()],
  };
}

const MIDNIGHT = (day: number): number => day * 24;

test('a service that was away goes through every day that it missed, in order, each at its own time', async () => {
  const service = await serviceWithOneOfEach();
  await service.restartAt(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  const end = (day: number): string[] =>
    DAY_END_STEPS.map(() => `EndDay ${day} at ${(MIDNIGHT(day + 1) * HOUR_MS - 1) / HOUR_MS}`);
  assert.deepEqual(await service.turns(), [
    'RollDay 0 at 0',
    ...end(0),
    `RollDay 1 at ${MIDNIGHT(1)}`,
    ...end(1),
    `RollDay 3 at ${MIDNIGHT(2)}`,
    ...end(3),
    `RollDay 4 at ${MIDNIGHT(4)}`,
    ...end(4),
    `RollDay 7 at ${MIDNIGHT(5)}`,
  ]);
  assert.equal(service.live.state.day, FIRST_DAY + 7, 'a Saturday belongs to the Monday after it');
});

test('it comes to what a service that ran all the time came to', async () => {
  const away = await serviceWithOneOfEach();
  await away.restartAt(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  const awake = await serviceWithOneOfEach();
  for (let hour = 11; hour <= 5 * 24 + 12; hour += 1) awake.pass(istInstant(FIRST_DAY, hour * HOUR_MS));
  assert.deepEqual(worth(away), worth(awake));
});

test('contracts that expired meanwhile were settled at the closes of their own day, and carried ones at those of each day', async () => {
  const service = await serviceWithOneOfEach();
  await service.restartAt(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  const [account] = service.live.state.accounts;
  assert.ok(account);
  assert.deepEqual(
    [...account.positions.values()].map((row) => [row.instrument, row.carriedBuyQuantity, row.carriedBuyAmount]),
    [[NIFTY_FUTURE.id, 65, 65 * (24_300_00 + 4 * 10_00)]],
  );
  const holding = account.holdings.get(RELIANCE.isin);
  assert.deepEqual([holding?.settled, holding?.cost], [520, 500 * 1_240_00 + 20 * 1_250_00]);
  const index = 24_100_00 + 2 * 10_00;
  const moved =
    65 * (index - 24_000_00 - 150_00) +
    65 * (24_110_00 - index) +
    65 * 4 * 10_00 -
    500 * (25_00 + 1_240_00) -
    20 * 1_250_00;
  const { brokerage, levies } = service.live.state.house;
  assert.equal(account.books.cash, 1_000_000_000 + moved - brokerage - levies);
});

test('a clock that goes back does not begin a day again', async () => {
  const service = await serviceWithOneOfEach();
  service.pass(istInstant((FIRST_DAY + 1) as IstDay, HOUR_MS));
  const before = await service.turns();
  const begun = service.live.state.day;
  await service.restartAt(istInstant(FIRST_DAY, 11 * HOUR_MS));
  assert.equal(service.live.state.day, begun);
  assert.deepEqual(await service.turns(), before);
});

test('no record is of a later instant than that which it is, whatever SPAN files are filed for the next trading day', async () => {
  const [friday, monday] = [FIRST_DAY + 4, FIRST_DAY + 7] as const;
  const service = new Service((day) => (day === monday ? ['filed on Friday'] : []));
  service.pass(service.now);
  await service.enrol(1_000_000_000);
  service.pass(istInstant(friday as IstDay, 20 * HOUR_MS));
  const deposit = { type: 'DepositCash', account: 0 as AccountId, amount: paise(100), opening: false } as const;
  const hours = [-1, 1, 36, 56];
  const seen: number[] = [];
  for (const hour of hours) {
    service.pass(istInstant((friday + 1) as IstDay, hour * HOUR_MS));
    await service.submit(deposit);
    seen.push((service.live.state.at - istInstant((friday + 1) as IstDay)) / HOUR_MS);
  }
  assert.deepEqual(seen, hours);
  assert.deepEqual(service.live.state.riskFiles, ['filed on Friday']);
});

test('nor is one of a service that begins on a Saturday with files for the Monday', async () => {
  const files = new Map<number, string[]>();
  const service = new Service((day) => files.get(day) ?? []);
  service.pass(istInstant((FIRST_DAY + 5) as IstDay, HOUR_MS));
  files.set(FIRST_DAY + 7, ['filed on Saturday']);
  const noon = istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS);
  await service.restartAt(noon);
  assert.deepEqual([service.live.state.at, service.live.state.riskFiles], [noon, ['filed on Saturday']]);
});
