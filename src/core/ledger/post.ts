import type { AccountId } from '../../base/ids.ts';
import { addPaise } from '../../base/money.ts';
import { marginUsed } from '../broker/account/funds.ts';
import type { Event } from '../event.ts';
import { accountOf, type State } from '../state.ts';
import { assertBalanced, booksToMove } from './books.ts';
import { postingsOf } from './postings.ts';

/**
 * Adds the lines of an event to the balances of the state, and notes them among the postings of the record. The
 * beginning of a day is noted even without lines, because entries belong to their day. For `apply` alone.
 */
export function post(state: State, event: Event): void {
  const lines = postingsOf(state, event);
  if (lines.length === 0 && event.type !== 'DayRolled' && event.type !== 'AccountsRolled') return;
  assertBalanced(lines);
  for (const line of lines) {
    if (line.account === undefined) {
      state.house[line.book] = addPaise(state.house[line.book], line.amount);
    } else {
      state.active.add(line.account);
      const books = booksToMove(accountOf(state, line.account), line.book);
      books[line.book] = addPaise(books[line.book], line.amount);
    }
  }
  state.posted.push({ event, lines });
}

/** Forgets the postings of the record before. The list keeps its room for those that come. */
export function beginPostings({ posted }: State): void {
  while (posted.length > 0) posted.pop();
}

/**
 * Notes new peaks of margin, once a record is whole: between a fill and the new block of its portfolio an order would
 * count twice.
 * Source: market-rules R4.30, reliability I20.
 */
export function notePeaks(state: State): void {
  for (const { lines } of state.posted) {
    let noted: AccountId | undefined;
    for (const { account: id } of lines) {
      if (id === undefined || id === noted) continue;
      noted = id;
      const account = accountOf(state, id);
      const used = marginUsed(account);
      if (used > account.peakMargin) account.peakMargin = used;
    }
  }
}
