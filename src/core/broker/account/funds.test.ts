import assert from 'node:assert/strict';
import test from 'node:test';
import type { InstrumentId } from '../../../base/ids.ts';
import { type Paise, paise, quantity } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import { type ClientBooks, emptyClientBooks } from '../../ledger/books.ts';
import { addFill, emptyPosition } from '../../position.ts';
import {
  availableMargin,
  cashFree,
  marginUsed,
  totalMargin,
  unusedCollateral,
  withdrawable,
  writtenPremium,
} from './funds.ts';

type Books = { readonly [Book in keyof ClientBooks]?: number };

/** An account with nothing but these books, in paise. */
function account(books: Books): Account {
  return { books: { ...emptyClientBooks(), ...(books as ClientBooks) }, deliveries: new Map() } as unknown as Account;
}

/** Each book with a digit of its own, so that one which counts twice, or not at all, is seen. */
const USED = {
  span: 1,
  exposure: 20,
  restingPremium: 300,
  cashSegment: 4_000,
  heldProceeds: 50_000,
  realised: -600_000,
  charges: -7_000_000,
  settlement: -80_000_000,
  delivery: -900_000_000,
} as const;

test('margin in use is the sum of its parts, each once', () => {
  assert.equal(marginUsed(account(USED)), 987_654_321);
  for (const [book, amount] of Object.entries(USED))
    assert.equal(marginUsed(account({ [book]: amount })), Math.abs(amount));
});

test('profits, sales and credits to the client do not count as margin in use', () => {
  assert.equal(marginUsed(account({ realised: 1, charges: 1, settlement: 1, delivery: 1, premium: 1 })), 0);
});

test('the premium in use is resting and paid premium, less the proceeds of options that were held', () => {
  const used = (premium: number, restingPremium: number, written: number) =>
    marginUsed(account({ premium, restingPremium, writtenPremium: written }));
  assert.equal(used(-500, 300, 0), 800);
  assert.equal(used(200, 300, 0), 100);
  assert.equal(used(400, 300, 0), 0, 'surplus proceeds pay for nothing else');
  assert.equal(used(400, 300, 400), 300, 'proceeds of short options pay for nothing');
  assert.equal(used(400, 0, 401), 1);
});

test('the total margin is cash, pay-ins, delivery sales and collateral', () => {
  assert.equal(totalMargin(account({ cash: 1, payin: 20, delivery: 300, collateral: 4_000 })), 4_321);
  assert.equal(
    totalMargin(account({ cash: 1, delivery: -300 })),
    1,
    'a purchase counts as used margin, not as less cash',
  );
  assert.equal(availableMargin(account({ cash: 100, span: 101 })), -1);
});

test('margins use collateral before cash', () => {
  const held = { cash: 1_000, collateral: 500 };
  assert.deepEqual([unusedCollateral(account(held)), cashFree(account(held))], [500, 1_000]);
  const some = account({ ...held, span: 1, exposure: 20, cashSegment: 300 });
  assert.deepEqual([unusedCollateral(some), cashFree(some)], [179, 1_000]);
  assert.equal(unusedCollateral(account({ collateral: 1 })), 1);
  const floored = account({ collateral: 1_000, premiumFloor: 300, premium: 100 });
  assert.equal(unusedCollateral(floored), 700, 'a floor that premium received does not pay uses it too');
  const all = account({ ...held, span: 501 });
  assert.deepEqual([unusedCollateral(all), cashFree(all)], [0, 999]);
});

test("proceeds of today's delivery sales cannot be paid out before they settle", () => {
  assert.equal(withdrawable(account({ cash: 1_000, delivery: 300 })), 1_000);
  assert.equal(withdrawable(account({ cash: 1_000, delivery: 300, heldProceeds: 100 })), 1_000);
  assert.equal(withdrawable(account({ cash: 1_000, delivery: -300 })), 700);
  assert.equal(withdrawable(account({ cash: 100, span: 101 })), 0);
});

test('the proceeds of a short option count for the units of today that are still short', () => {
  const facts = { instrument: 1 as InstrumentId, group: 1 as InstrumentId, kind: 'option', isin: '' } as const;
  const row = emptyPosition(facts, 'M');
  const fill = (side: 'B' | 'S', units: number, amount: number): Paise => {
    addFill(row, side, quantity(units), paise(amount));
    return writtenPremium(row);
  };
  assert.equal(fill('S', 3, 1_000), 1_000);
  assert.equal(fill('B', 1, 300), 667, 'two thirds, halves up');
  assert.equal(fill('B', 2, 600), 0);
  assert.equal(fill('B', 5, 600), 0);
  assert.equal(fill('S', 6, 500), 167, 'one of nine is short');
  const single = emptyPosition(facts, 'M');
  addFill(single, 'S', quantity(1), paise(400));
  assert.equal(writtenPremium(single), 400, 'a single unit too');
});
