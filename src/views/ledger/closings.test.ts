import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { type Closing, Closings } from './closings.ts';

const ACCOUNTS = 700;
const KEPT = 7;

/** The closings of each account in a list, oldest first. */
type Plain = Map<AccountId, Closing[]>;

function forgetPlain(plain: Plain, before: IstDay, from: number, to: number): void {
  for (const [account, closings] of plain) {
    if (account < from || account >= to) continue;
    plain.set(
      account,
      closings.filter(({ day }) => day >= before),
    );
  }
}

function assertSame(closings: Closings, plain: Plain): void {
  for (let id = 0; id < ACCOUNTS; id += 1) {
    const account = id as AccountId;
    assert.deepEqual(closings.of(account), plain.get(account) ?? []);
  }
  const all = [...plain].sort(([one], [other]) => one - other);
  assert.deepEqual(
    [...closings],
    all.flatMap(([account, kept]) => kept.map((closing) => [account, closing])),
  );
}

for (const seed of [11, 12]) {
  test(`closings are kept and forgotten as in a list of each account, while days begin in portions, seed ${seed}`, () => {
    const random = new Random(seed);
    const closings = new Closings();
    const plain: Plain = new Map();
    // A gap of weeks: the day that is closed is older than all that are kept.
    const days = Array.from({ length: 24 }, (_, index) => (20_000 + index + (index > 12 ? 30 : 0)) as IstDay);
    for (const [index, day] of days.entries()) {
      const begun = days[index + 1] ?? ((day + 1) as IstDay);
      const kept = Math.min(day, begun - KEPT) as IstDay;
      const cuts = [0, random.below(300), 300 + random.below(300), Number.POSITIVE_INFINITY];
      for (const [place, from] of cuts.slice(0, -1).entries()) {
        const to = cuts[place + 1] ?? 0;
        closings.forget(kept, to);
        forgetPlain(plain, (begun - KEPT) as IstDay, from, to);
        for (let id = from; id < Math.min(to, ACCOUNTS); id += 1) {
          const account = id as AccountId;
          if (!random.chance(40)) continue;
          const closing: Closing = { day, amounts: [['payin', random.below(1_000) as Paise]] };
          closings.add(closing, account);
          plain.set(account, [...(plain.get(account) ?? []), closing]);
        }
        assertSame(closings, plain);
      }
    }
  });
}

test('closings that are added account by account stand as they did, the oldest first', () => {
  const closings = new Closings();
  const closingOf = (day: number): Closing => ({ day: day as IstDay, amounts: [['cash', 5 as Paise]] });
  for (const day of [20_001, 20_003]) closings.add(closingOf(day), 1 as AccountId);
  for (const day of [20_002, 20_003]) closings.add(closingOf(day), 4 as AccountId);
  assert.deepEqual(closings.of(4 as AccountId), [closingOf(20_002), closingOf(20_003)]);
  assert.deepEqual(
    Array.from(closings, ([account, { day }]) => [account, day]),
    [
      [1, 20_001],
      [1, 20_003],
      [4, 20_002],
      [4, 20_003],
    ],
  );
});
