/**
 * The entries of the trading day by account and book, oldest first, and the closings of the last days. They are the
 * postings that moved the balances of the state, so a balance is what was brought forward and its entries. Margin and
 * collateral are not here: their balances are explained by what they are now.
 */
import {
  type Complete,
  type Json,
  list,
  objectOf,
  oneOf,
  pair,
  places,
  record,
  Undecodable,
  whole,
} from '../base/codec.ts';
import type { AccountId } from '../base/ids.ts';
import { inMemory, type MakeStore } from '../base/logs/byte-log.ts';
import { PlacedRows, type Stretches } from '../base/logs/placed-rows.ts';
import { addPaise, negatePaise, type Paise, ZERO_PAISE } from '../base/money.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Event } from '../core/event.ts';
import { type Line, MONEY_BOOKS, type MoneyBook } from '../core/ledger/books.ts';
import { POSTINGS } from '../core/ledger/postings.ts';
import { AccountTable } from '../core/portions/account-table.ts';
import { begunBy, type NumberRange } from '../core/portions/portion.ts';
import type { Posted } from '../core/state.ts';
import { type Closing, Closings } from './ledger/closings.ts';
import { type Cause, causeOf, EntryLog, type LedgerEntry, type OwnTrade } from './ledger/ledger-entries.ts';

/** The entries of one account, by book their places in the log: an account has few, and most have none. */
interface EntriesOfDay {
  readonly log: EntryLog;
  /** The place of its first one. Entries of the account before that are of a day that is closed. */
  readonly first: number;
  readonly places: { [Book in MoneyBook]?: number[] };
  /** The sum that moved its cash without another book: a number, because most accounts have no more than that. */
  cash: Paise;
  /** The sums that came to its cash from other books before the day is closed; absent while nothing did. */
  settled?: Map<MoneyBook, Paise>;
}

/** How many days back the closings are kept. */
const CLOSINGS_KEPT = 7;

const kindOf = oneOf('entry', 'trade', 'closing');
const bookOf = oneOf(...MONEY_BOOKS);
const storedEntryOf = record<Omit<LedgerEntry, 'event'> & { readonly event: Event }>({
  at: whole,
  book: bookOf,
  amount: whole,
  event: eventOf,
});
const sideOf = oneOf('B', 'S');
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

const NO_ENTRIES: Stretches<LedgerEntry> = [];
const MONEY: ReadonlySet<string> = new Set(MONEY_BOOKS);

export class Ledger {
  private day = 0 as IstDay;
  private readonly makeStore: MakeStore;
  /** The entries of the running day. */
  private log: EntryLog;
  /** Those of the day before, while it is not closed for all accounts. */
  private before: EntryLog | undefined;
  private readonly today = new AccountTable<EntriesOfDay>();
  private readonly past = new Closings();

  constructor(makeStore: MakeStore = inMemory) {
    this.makeStore = makeStore;
    this.log = new EntryLog(makeStore);
  }

  /** Folds the postings of one record. */
  fold(at: EpochMs, posted: readonly Posted[]): void {
    for (const { event, lines } of posted) {
      if (event.type === 'DayRolled') {
        const before = this.day;
        this.day = event.day;
        this.before = this.log;
        this.log = new EntryLog(this.makeStore);
        this.roll(before, begunBy(event), lines);
      } else if (event.type === 'AccountsRolled') {
        this.roll(event.before, begunBy(event), lines);
      } else {
        for (const line of lines) {
          if (!isMoney(line)) continue;
          const { account, book, amount } = line;
          this.add({ at, book, amount, event: causeOf(event, account) }, account);
        }
      }
    }
  }

  /** Today's entries of one book, oldest first. */
  entriesOf(account: AccountId, book: MoneyBook): Stretches<LedgerEntry> {
    const entries = this.today.get(account);
    const found = entries?.places[book];
    return entries === undefined || found === undefined ? NO_ENTRIES : new PlacedRows(entries.log, found);
  }

  /** The accounts that have entries of a day that is not closed for them, ascending. */
  *movedAccounts(): IterableIterator<AccountId> {
    for (const [account] of this.today) yield account;
  }

  /** Oldest first. */
  closingsOf(account: AccountId): readonly Closing[] {
    return this.past.of(account);
  }

  /** The day that runs, then each closing and each entry in a row with its account. */
  *rows(): Generator<StoredRow> {
    yield this.day;
    for (const [account, closing] of this.past) yield [account, 'closing', closing];
    if (this.before !== undefined) yield* this.rowsOf(this.before);
    yield* this.rowsOf(this.log);
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    if (!Array.isArray(stored)) {
      this.day = whole(stored, 'day');
      return;
    }
    const row = places(stored, 'a line of the ledger', 3);
    const account: AccountId = whole(row[0], 'account');
    const kind = kindOf(row[1], 'kind');
    if (kind === 'closing') this.past.add(closingOf(row[2], 'closing'), account);
    else this.add(kind === 'trade' ? decodeTrade(row[2]) : decodeEntry(row[2], account), account);
  }

  /** The entries of a log that belong to a day that is not closed for their account. */
  private *rowsOf(log: EntryLog): Generator<StoredRow> {
    for (let place = 0; place < log.size; place += 1) {
      const account = log.account(place);
      const entries = this.today.get(account);
      if (entries?.log !== log || place < entries.first) continue;
      const { event, ...entry } = log.read(place);
      if (event.type === 'OwnTrade') yield [account, 'trade', encodeTrade(entry, event)];
      else yield [account, 'entry', { ...entry, event }];
    }
  }

  private add(entry: LedgerEntry, account: AccountId): void {
    let entries = this.today.get(account);
    if (entries === undefined) {
      entries = { log: this.log, first: this.log.size, places: {}, cash: ZERO_PAISE };
      this.today.set(account, entries);
    }
    if (entry.book === 'cash') addCash(entries, entry);
    const { log, places: byBook } = entries;
    const place = log.add(entry, account);
    const known = byBook[entry.book];
    if (known === undefined) byBook[entry.book] = [place];
    else known.push(place);
  }

  /**
   * The day `before` is closed for the accounts of a range: what it brought to cash, by the books that it came from.
   */
  private roll(before: IstDay, { from, to }: NumberRange, lines: readonly Line[]): void {
    const sums = new Map<AccountId, Map<MoneyBook, Paise>>();
    for (const [account, { cash, settled }] of this.today.within(from, to)) {
      if (cash !== 0) addSum(sums, account, 'cash', cash);
      for (const [book, amount] of settled ?? []) addSum(sums, account, book, amount);
      this.today.delete(account);
    }
    if (to === Number.POSITIVE_INFINITY) this.before = undefined;
    for (const line of lines) {
      if (isMoney(line) && line.book !== 'cash') addSum(sums, line.account, line.book, negatePaise(line.amount));
    }
    // Closings before the last days are brought forward as one sum.
    this.past.forget(Math.min(before, this.day - CLOSINGS_KEPT) as IstDay, to);
    for (const [account, sum] of sums) {
      const amounts = MONEY_BOOKS.flatMap((book) => {
        const amount = sum.get(book) ?? ZERO_PAISE;
        return amount === 0 ? [] : [[book, amount] as const];
      });
      if (amounts.length > 0) this.past.add({ day: before, amounts }, account);
    }
  }
}

/** The entry of a trade as a row. */
function encodeTrade(entry: Omit<LedgerEntry, 'event'>, { trade, instrument, side, price, quantity }: OwnTrade) {
  const { at, book, amount } = entry;
  return [at, book, amount, trade, instrument, side, price, quantity] as const;
}

function decodeTrade(stored: Json | undefined): LedgerEntry {
  const row = places(stored, 'a trade', 8);
  return {
    at: whole(row[0], 'at'),
    book: bookOf(row[1], 'book'),
    amount: whole(row[2], 'amount'),
    event: {
      type: 'OwnTrade',
      trade: whole(row[3], 'trade'),
      instrument: whole(row[4], 'instrument'),
      side: sideOf(row[5], 'side'),
      price: whole(row[6], 'price'),
      quantity: whole(row[7], 'quantity'),
    } satisfies Complete<OwnTrade>,
  } satisfies Complete<LedgerEntry>;
}

/** An entry with its whole event, which version 6 has of trades, too. */
function decodeEntry(stored: Json | undefined, account: AccountId): LedgerEntry {
  const { event, ...entry } = storedEntryOf(stored, 'entry');
  return { ...entry, event: causeOf(event, account) };
}

/** Events that bring another book to cash before the day is closed. */
const SETTLED_BOOKS: { readonly [Type in Cause['type']]?: MoneyBook } = { SharesSettled: 'delivery' };

function addCash(entries: EntriesOfDay, { event, amount }: LedgerEntry): void {
  const from = SETTLED_BOOKS[event.type];
  if (from === undefined) {
    entries.cash = addPaise(entries.cash, amount);
    return;
  }
  entries.settled ??= new Map();
  entries.settled.set(from, addPaise(entries.settled.get(from) ?? ZERO_PAISE, amount));
}

function addSum(sums: Map<AccountId, Map<MoneyBook, Paise>>, account: AccountId, book: MoneyBook, amount: Paise): void {
  const sum = sums.get(account) ?? new Map<MoneyBook, Paise>();
  sums.set(account, sum);
  sum.set(book, addPaise(sum.get(book) ?? ZERO_PAISE, amount));
}

function isMoney(line: Line): line is Line & { readonly account: AccountId; readonly book: MoneyBook } {
  return line.account !== undefined && MONEY.has(line.book);
}
