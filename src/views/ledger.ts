/**
 * The entries of the trading day by account and book, oldest first, and the closings of the last days. They are the
 * postings that moved the balances of the state, so a balance is what was brought forward and its entries. Margin and
 * collateral are not here: their balances are explained by what they are now.
 */
import { type Json, list, objectOf, oneOf, pair, places, record, Undecodable, whole } from '../base/codec.ts';
import type { AccountId } from '../base/ids.ts';
import { addPaise, negatePaise, type Paise, ZERO_PAISE } from '../base/money.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Event } from '../core/event.ts';
import { type Line, MONEY_BOOKS, type MoneyBook } from '../core/ledger/books.ts';
import { POSTINGS } from '../core/ledger/postings.ts';
import { AccountSet } from '../core/portions/account-set.ts';
import { begunBy, type NumberRange } from '../core/portions/portion.ts';
import type { Posted } from '../core/state.ts';

/** The amount that one event moved in one book of an account. */
export interface LedgerEntry {
  readonly at: EpochMs;
  readonly book: MoneyBook;
  readonly amount: Paise;
  readonly event: Event;
}

/** The amounts that the books of one day brought to the cash of an account, with what moved its cash on that day. */
export interface Closing {
  readonly day: IstDay;
  readonly amounts: readonly (readonly [book: MoneyBook, amount: Paise])[];
}

/** The entries of one account by book: an account has few, and most have none. */
type EntriesOfDay = { [Book in MoneyBook]?: LedgerEntry[] };

/** How many days back the closings are kept. */
const CLOSINGS_KEPT = 7;

const kindOf = oneOf('entry', 'closing');
const bookOf = oneOf(...MONEY_BOOKS);
const entryOf = record<LedgerEntry>({ at: whole, book: bookOf, amount: whole, event: eventOf });
const closingOf = record<Closing>({ day: whole, amounts: list(pair(bookOf, whole<Paise>)) });

/** An event is kept as it was recorded: its fields are those of its type. */
function eventOf(stored: Json | undefined, field: string): Event {
  const found = objectOf(stored, field);
  if (isEvent(found)) return found;
  throw new Undecodable(`${field} is not an event`);
}

function isEvent(found: object): found is Event {
  return 'type' in found && typeof found.type === 'string' && found.type in POSTINGS;
}

const NO_ENTRIES: readonly LedgerEntry[] = [];
const NO_CLOSINGS: readonly Closing[] = [];
const MONEY: ReadonlySet<string> = new Set(MONEY_BOOKS);

export class Ledger {
  private day = 0 as IstDay;
  private readonly today = new Map<AccountId, EntriesOfDay>();
  private readonly past = new Map<AccountId, Closing[]>();
  /** The accounts of `today` and of `past`, in their order. */
  private readonly withEntries = new AccountSet();
  private readonly withClosings = new AccountSet();

  /** Folds the postings of one record. */
  fold(at: EpochMs, posted: readonly Posted[]): void {
    for (const { event, lines } of posted) {
      if (event.type === 'DayRolled') {
        const before = this.day;
        this.day = event.day;
        this.roll(before, begunBy(event), lines);
      } else if (event.type === 'AccountsRolled') {
        this.roll(event.before, begunBy(event), lines);
      } else {
        for (const line of lines) {
          if (isMoney(line)) this.add({ at, book: line.book, amount: line.amount, event }, line.account);
        }
      }
    }
  }

  /** Today's entries of one book, oldest first. */
  entriesOf(account: AccountId, book: MoneyBook): readonly LedgerEntry[] {
    return this.today.get(account)?.[book] ?? NO_ENTRIES;
  }

  /** Oldest first. */
  closingsOf(account: AccountId): readonly Closing[] {
    return this.past.get(account) ?? NO_CLOSINGS;
  }

  /** The day that runs, then each closing and each entry in a row with its account. */
  *rows(): Generator<StoredRow> {
    yield this.day;
    for (const [account, closings] of this.past) for (const closing of closings) yield [account, 'closing', closing];
    for (const [account, books] of this.today) {
      for (const entries of Object.values(books)) for (const entry of entries) yield [account, 'entry', entry];
    }
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    if (!Array.isArray(stored)) {
      this.day = whole(stored, 'day');
      return;
    }
    const row = places(stored, 'a line of the ledger', 3);
    const account: AccountId = whole(row[0], 'account');
    if (kindOf(row[1], 'kind') === 'entry') this.add(entryOf(row[2], 'entry'), account);
    else this.close(closingOf(row[2], 'closing'), account);
  }

  private add(entry: LedgerEntry, account: AccountId): void {
    let books = this.today.get(account);
    if (books === undefined) {
      books = {};
      this.today.set(account, books);
      this.withEntries.add(account);
    }
    const entries = books[entry.book];
    if (entries === undefined) books[entry.book] = [entry];
    else entries.push(entry);
  }

  /**
   * The day `before` is closed for the accounts of a range: what it brought to cash, by the books that it came from.
   */
  private roll(before: IstDay, { from, to }: NumberRange, lines: readonly Line[]): void {
    const sums = new Map<AccountId, Map<MoneyBook, Paise>>();
    for (const account of this.withEntries.within(from, to)) {
      for (const { book, amount, event } of this.entriesOf(account, 'cash')) {
        addSum(sums, account, SETTLED_BOOKS[event.type] ?? book, amount);
      }
      this.today.delete(account);
      this.withEntries.delete(account);
    }
    for (const line of lines) {
      if (isMoney(line) && line.book !== 'cash') addSum(sums, line.account, line.book, negatePaise(line.amount));
    }
    const kept = (this.day - CLOSINGS_KEPT) as IstDay;
    for (const account of this.withClosings.within(from, to)) this.forget(account, kept);
    for (const [account, sum] of sums) {
      const amounts = MONEY_BOOKS.flatMap((book) => {
        const amount = sum.get(book) ?? ZERO_PAISE;
        return amount === 0 ? [] : [[book, amount] as const];
      });
      if (amounts.length > 0) this.close({ day: before, amounts }, account);
    }
  }

  private close(closing: Closing, account: AccountId): void {
    const closings = this.past.get(account);
    this.withClosings.add(account);
    if (closings === undefined) this.past.set(account, [closing]);
    else closings.push(closing);
  }

  /** Closings before `day` are brought forward as one sum. */
  private forget(account: AccountId, day: IstDay): void {
    const kept = this.closingsOf(account).filter((closing) => closing.day >= day);
    if (kept.length > 0) {
      this.past.set(account, kept);
      return;
    }
    this.past.delete(account);
    this.withClosings.delete(account);
  }
}

/** Events that bring another book to cash before the day is closed. */
const SETTLED_BOOKS: { readonly [Type in Event['type']]?: MoneyBook } = { SharesSettled: 'delivery' };

function addSum(sums: Map<AccountId, Map<MoneyBook, Paise>>, account: AccountId, book: MoneyBook, amount: Paise): void {
  const sum = sums.get(account) ?? new Map<MoneyBook, Paise>();
  sums.set(account, sum);
  sum.set(book, addPaise(sum.get(book) ?? ZERO_PAISE, amount));
}

function isMoney(line: Line): line is Line & { readonly account: AccountId; readonly book: MoneyBook } {
  return line.account !== undefined && MONEY.has(line.book);
}
