/**
 * The closings of the last days by day and account: a day that nobody is shown any more is dropped as a whole, so the
 * turn of a day looks at no account that had nothing on that day.
 */

import type { AccountId } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { MoneyBook } from '../../core/ledger/books.ts';
import { AccountTable } from '../../core/portions/account-table.ts';

/** The amounts that the books of one day brought to the cash of an account, with what moved its cash on that day. */
export interface Closing {
  readonly day: IstDay;
  readonly amounts: readonly (readonly [book: MoneyBook, amount: Paise])[];
}

/** The closings of one day. */
interface ClosedDay {
  readonly day: IstDay;
  readonly closings: AccountTable<Closing>;
  /** Of the accounts below this number they are forgotten. */
  forgottenTo: number;
}

export class Closings {
  /** Oldest first. */
  private days: ClosedDay[] = [];
  /** Above all accounts that had a closing. */
  private end = 0;

  /** Adds the closing of an account that has none of its day. */
  add(closing: Closing, account: AccountId): void {
    this.dayOf(closing.day).closings.set(account, closing);
    this.end = Math.max(this.end, account + 1);
  }

  /** Oldest first. */
  of(account: AccountId): readonly Closing[] {
    const found: Closing[] = [];
    for (const { closings, forgottenTo } of this.days) {
      const closing = account < forgottenTo ? undefined : closings.get(account);
      if (closing !== undefined) found.push(closing);
    }
    return found;
  }

  /**
   * Forgets the closings before a day, of the accounts below `to`: a day begins for some accounts after the others, in
   * the order of their numbers.
   */
  forget(before: IstDay, to: number): void {
    for (const closed of this.days) if (closed.day < before) closed.forgottenTo = to;
    this.days = this.days.filter(({ forgottenTo }) => forgottenTo !== Number.POSITIVE_INFINITY);
  }

  /** All closings with their accounts, account by account, the oldest first. */
  *[Symbol.iterator](): IterableIterator<readonly [AccountId, Closing]> {
    for (let id = 0; id < this.end; id += 1) {
      const account = id as AccountId;
      for (const closing of this.of(account)) yield [account, closing];
    }
  }

  private dayOf(day: IstDay): ClosedDay {
    const known = this.days.find((closed) => closed.day === day);
    if (known !== undefined) return known;
    const made: ClosedDay = { day, closings: new AccountTable(), forgottenTo: 0 };
    this.days.push(made);
    this.days.sort((one, other) => one.day - other.day);
    return made;
  }
}
