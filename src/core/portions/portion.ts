/**
 * Work that looks at all accounts, such as a step of the day's end, comes in portions: one record for some accounts,
 * then the next. The state knows how far it has come, so a portion is done once, and a process that was stopped between
 * two goes on with the next one. A house whose accounts fit into one portion has one record, as if there were none.
 */

import { assert } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import type { Account } from '../account.ts';
import type { AccountsRolled, DayRolled } from '../broker/settlement/settlement-events.ts';
import { DAY_BOOKS, DAY_MEMO_BOOKS } from '../ledger/books.ts';
import { accountOf, type State } from '../state.ts';
import { isIntraday } from '../trading-days.ts';
import type { PortionedWork, PortionLimits } from './due-portion.ts';
import type { PortionDone } from './portion-events.ts';

/**
 * Some hundred accounts that traded: about fifty kilobytes of journal, and a few milliseconds. A row alone may
 * make an event of 400 bytes.
 */
const USUAL_PORTION: PortionLimits = { accounts: Number.POSITIVE_INFINITY, work: 8_192 };

/** The accounts from `from` on and below `to`. */
export interface AccountRange {
  readonly from: AccountId;
  readonly to: AccountId;
  /** True when no account that is not idle follows. */
  readonly isLast: boolean;
}

const FIRST = 0 as AccountId;

/** The accounts of the portion that is due: those from the due place on, until the limits are reached. At least one. */
export function dueAccounts(
  { accounts, active, portion }: Pick<State, 'accounts' | 'active' | 'portion'>,
  limits: PortionLimits | undefined,
): AccountRange {
  const most = limits ?? USUAL_PORTION;
  const from = portion?.from ?? FIRST;
  let [count, work] = [0, 0];
  for (const id of active.within(from, accounts.length)) {
    const account = accounts.at(id);
    const more = account === undefined ? 0 : workOf(account);
    if (count > 0 && (count >= most.accounts || work + more > most.work)) return { from, to: id, isLast: false };
    count += 1;
    work += more;
  }
  return { from, to: accounts.length as AccountId, isLast: true };
}

/** Account numbers from `from` on and below `to`, which may have no end. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

export const EVERYBODY: NumberRange = { from: 0, to: Number.POSITIVE_INFINITY };

/** The accounts for which a day begins by an event: all that follow its first one, or those of one portion. */
export function begunBy(event: DayRolled | AccountsRolled): NumberRange {
  return { from: event.type === 'DayRolled' ? EVERYBODY.from : event.from, to: event.upTo ?? EVERYBODY.to };
}

/** The accounts that are not idle, ascending: those of a range, or all. */
export function* accountsWithin(state: State, { from, to }: NumberRange = EVERYBODY): Iterable<Account> {
  for (const id of state.active.within(from, to)) yield accountOf(state, id);
}

/**
 * The work of an account of the active ones: the events that it may make, in thirtieths. One that is idle by now may
 * still have entries of the day to be closed.
 */
function workOf(account: Account): number {
  if (isIdle(account)) return 8;
  const { positions, portfolios, holdings, orders } = account;
  return 32 + 32 * positions.size + 16 * portfolios.size + 8 * holdings.size + orders.length;
}

/** The books that a day's beginning empties. */
const OF_THE_DAY = [...DAY_BOOKS, ...DAY_MEMO_BOOKS];

/** True for an account to which the turn of a day does nothing. */
export function isIdle(account: Account): boolean {
  const { positions, portfolios, holdings, orders, books, peakMargin, lossStage, converted } = account;
  if (positions.size + portfolios.size + holdings.size + orders.length > 0) return false;
  if (peakMargin !== 0 || lossStage !== 'None' || converted !== undefined) return false;
  if (account.unfunded.length + account.exercises.length + account.physicalDeliveries.length > 0) return false;
  for (const book of OF_THE_DAY) if (books[book] !== 0) return false;
  return true;
}

/** True for an account that the risk desk looks at each minute. */
export function isWatched({ positions, unfunded }: Pick<Account, 'positions' | 'unfunded'>): boolean {
  if (unfunded.length > 0) return true;
  for (const { kind, product } of positions.values()) if (isIntraday(kind, product)) return true;
  return false;
}

/** True when a command's portion is the one that is due. `number` is absent in the command of the first portion. */
export function isDue({ portion }: Pick<State, 'portion'>, of: PortionedWork, number = 0): boolean {
  return portion === undefined ? number === 0 : portion.of === of && portion.number === number;
}

/** For `apply` alone. */
export function applyPortionDone(state: State, { of, number, next, segment, after }: PortionDone): void {
  assert(isDue(state, of, number), 'the portions of a work follow each other');
  const place = { ...(segment && { segment }), ...(after && { after }) };
  state.portion = next === undefined ? undefined : { of, number: number + 1, from: next, ...place };
}
