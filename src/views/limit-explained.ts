/**
 * The figures of `limit`, each explained by the entries that add up to it. The amounts are those of the account's
 * books and of the ledger view. The answer of `limit` itself is made in the gateway.
 */
import { addPaise, negatePaise, type Paise, subtractPaise, ZERO_PAISE } from '../base/money.ts';
import { type EpochMs, formatIsoDay } from '../base/time.ts';
import type { Account } from '../core/account.ts';
import {
  availableMargin,
  cashBalance,
  cashSegmentUsed,
  dues,
  floorBeyondPremium,
  marginUsed,
  premiumToPay,
  premiumUsed,
  realisedLoss,
  totalMargin,
} from '../core/broker/account/funds.ts';
import type { MarginParts } from '../core/event.ts';
import type { MoneyBook } from '../core/ledger/books.ts';
import { entryText, type NameOf } from './ledger/entry-text.ts';
import type { Ledger } from './ledger.ts';

/** One of the amounts that make a figure. Without a time it is a sum or a balance. */
export interface FigureEntry {
  readonly at?: EpochMs;
  readonly text: string;
  readonly amount: Paise;
}

/**
 * A figure of `limit` by its name on the wire, or a part of `marginused` that has none there. Its entries sum to its
 * amount.
 */
export interface LimitFigure {
  readonly name: string;
  readonly amount: Paise;
  readonly entries: readonly FigureEntry[];
}

/**
 * Every figure of `limit` as the entries that make it, in the order in which one follows from another. Of each book the
 * newest `most` entries stand by themselves, and those before them are one sum. Source: market-rules R4.32.
 */
export function explainLimit(
  account: Account,
  ledger: Ledger,
  nameOf: NameOf,
  most = Number.POSITIVE_INFINITY,
): LimitFigure[] {
  const source = { account, ledger, nameOf, most };
  const funds = [cashFigure(source), payInFigure(source), collateralFigure(source)];
  const used = [
    partFigure(source, 'span', 'span'),
    partFigure(source, 'expo', 'exposure'),
    premiumFigure(source),
    cashSegmentFigure(source),
    lossFigure(source),
    duesFigure(source),
  ];
  const total: LimitFigure = { name: 'totalMargin', amount: totalMargin(account), entries: funds.map(asEntry) };
  const inUse: LimitFigure = { name: 'marginused', amount: marginUsed(account), entries: used.map(asEntry) };
  const less: FigureEntry = { text: 'marginused', amount: negatePaise(inUse.amount) };
  const left: LimitFigure = {
    name: 'availableMargin',
    amount: availableMargin(account),
    entries: [asEntry(total), less],
  };
  const peak = { text: 'the most that was in use since the day began', amount: account.peakMargin };
  return [...funds, total, ...used, inUse, left, { name: 'peak_mar', amount: account.peakMargin, entries: [peak] }];
}

interface Source {
  readonly account: Account;
  readonly ledger: Ledger;
  readonly nameOf: NameOf;
  readonly most: number;
}

function asEntry({ name, amount }: LimitFigure): FigureEntry {
  return { text: name, amount };
}

/** Today's entries of a book, after what was brought into the day. */
function bookEntries({ account, ledger, nameOf, most }: Source, book: MoneyBook): FigureEntry[] {
  const all = ledger.entriesOf(account.id, book);
  const shown = all.slice(Math.max(0, all.length - most), all.length);
  let forward = account.books[book];
  const entries: FigureEntry[] = [];
  for (const { at, event, amount } of shown) {
    entries.push({ at, text: entryText(event, nameOf), amount });
    forward = subtractPaise(forward, amount);
  }
  const earlier = all.length - shown.length;
  const text = earlier === 0 ? 'brought forward' : `brought forward, and ${earlier} earlier entries of today`;
  if (forward !== 0 || earlier > 0) entries.unshift({ text, amount: forward });
  return entries;
}

function negated(entries: readonly FigureEntry[]): FigureEntry[] {
  return entries.map((entry) => ({ ...entry, amount: negatePaise(entry.amount) }));
}

const CLOSING_WORDS: Readonly<Record<MoneyBook, string>> = {
  cash: 'opening balances, pay-outs and settlements',
  payin: 'pay-ins',
  premium: 'option premiums',
  delivery: 'deliveries',
  realised: 'result of futures and intraday positions',
  charges: 'charges',
  settlement: 'settlement',
};

/**
 * Cash as the days before left it, day by day as far as they are kept, what moved it today, and deliveries that brought
 * more than they cost.
 */
function cashFigure(source: Source): LimitFigure {
  const { account, ledger } = source;
  const entries = bookEntries(source, 'cash');
  const closed: FigureEntry[] = [];
  for (const { day, amounts } of ledger.closingsOf(account.id)) {
    for (const [book, amount] of amounts) closed.push({ text: `${formatIsoDay(day)}: ${CLOSING_WORDS[book]}`, amount });
  }
  const opening = entries[0]?.at === undefined ? entries.shift() : undefined;
  const before = subtractPaise(opening?.amount ?? ZERO_PAISE, sumOf(closed));
  if (before !== 0) closed.unshift({ text: opening?.text ?? 'brought forward', amount: before });
  if (account.books.delivery > 0) entries.push(...bookEntries(source, 'delivery'));
  return { name: 'cash', amount: cashBalance(account), entries: [...closed, ...entries] };
}

function payInFigure(source: Source): LimitFigure {
  return { name: 'payin', amount: source.account.books.payin, entries: bookEntries(source, 'payin') };
}

function collateralFigure({ account, nameOf }: Source): LimitFigure {
  const entries: FigureEntry[] = [];
  for (const { instrument, pledged, collateral } of account.holdings.values()) {
    if (pledged > 0)
      entries.push({ text: `${pledged} ${nameOf(instrument)} pledged, after haircut`, amount: collateral });
  }
  return { name: 'collateral', amount: account.books.collateral, entries };
}

/** The amount of one part that each portfolio blocks. */
function blocks({ account, nameOf }: Source, part: Exclude<keyof MarginParts, 'floor'>): FigureEntry[] {
  const entries: FigureEntry[] = [];
  for (const { group, parts } of account.portfolios.values()) {
    if (parts[part] !== 0) entries.push({ text: `${nameOf(group)} blocked`, amount: parts[part] });
  }
  return entries;
}

function partFigure(source: Source, name: string, part: 'span' | 'exposure'): LimitFigure {
  return { name, amount: source.account.books[part], entries: blocks(source, part) };
}

/** Entries whose sum counts as nothing when it is below 0. */
function atLeastNothing(name: string, amount: Paise, entries: FigureEntry[], why: string): LimitFigure {
  const beyond = subtractPaise(amount, sumOf(entries));
  if (beyond !== 0) entries.push({ text: why, amount: beyond });
  return { name, amount, entries };
}

function premiumFigure(source: Source): LimitFigure {
  const { writtenPremium: amount } = source.account.books;
  const written = amount > 0 ? [{ text: 'received for options that are short', amount }] : [];
  const entries = [...negated(bookEntries(source, 'premium')), ...blocks(source, 'premium'), ...written];
  const figure = atLeastNothing('premium', premiumToPay(source.account), entries, 'received net: not available today');
  const floor = floorBeyondPremium(source.account);
  if (floor > 0) entries.push({ text: 'margin of open orders, which premium received does not pay', amount: floor });
  return { ...figure, amount: premiumUsed(source.account) };
}

function cashSegmentFigure(source: Source): LimitFigure {
  const { account } = source;
  const { delivery, heldProceeds: amount } = account.books;
  const paid = delivery < 0 ? negated(bookEntries(source, 'delivery')) : [];
  const held = amount > 0 ? [{ text: 'proceeds of shares that are not settled, for the next day', amount }] : [];
  const entries = [...paid, ...blocks(source, 'cash'), ...held];
  return { name: 'cash segment', amount: cashSegmentUsed(account), entries };
}

function lossFigure(source: Source): LimitFigure {
  const entries = negated(bookEntries(source, 'realised'));
  return atLeastNothing('realised loss', realisedLoss(source.account), entries, 'a profit: cash from the next day on');
}

function duesFigure(source: Source): LimitFigure {
  const { account } = source;
  const entries = negated([...bookEntries(source, 'charges'), ...bookEntries(source, 'settlement')]);
  return atLeastNothing('charges and settlement', dues(account), entries, 'to come: not available before it is paid');
}

function sumOf(entries: readonly FigureEntry[]): Paise {
  let sum = ZERO_PAISE;
  for (const { amount } of entries) sum = addPaise(sum, amount);
  return sum;
}
