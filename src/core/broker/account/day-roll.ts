/**
 * The beginning of a trading day: fresh books and limits for every account. The end of a day is in `settlement/`.
 */

import { assert, must } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import { negatePaise, type Quantity, ZERO_PAISE, ZERO_PRICE, ZERO_QUANTITY } from '../../../base/money.ts';
import { type Account, NO_ENTRIES, type Position } from '../../account.ts';
import { BookStore } from '../../exchange/book/book-store.ts';
import { NO_BREAKER } from '../../exchange/guards/circuit-breaker.ts';
import { packedBooks } from '../../ledger/books.ts';
import { accountsWithin, begunBy, isIdle, isWatched } from '../../portions/portion.ts';
import { carriedAmount, costOfOpen, netQuantity } from '../../position.ts';
import { liveOrderOf, NOTHING_YET, type State } from '../../state.ts';
import { firstOrderNumber } from '../orders/order-number.ts';
import type { AccountsRolled, DayRolled } from '../settlement/settlement-events.ts';
import { fileRow } from './rows.ts';

/**
 * Begins the day with fresh books and limits: flat rows are gone, open contracts are carried at the marks that the
 * day's end gave them. The money that moved on the day before is cash from here on. The accounts from `upTo` on follow
 * with portions of their own. Source: market-rules R4.30, R5.8, R5.9, R7.5 (7), R7.8.
 */
export function rollDay(state: State, event: DayRolled): void {
  const { day, upTo } = event;
  const before = state.day;
  state.day = day;
  state.dayEnd = undefined;
  state.squaredOff.clear();
  state.widenedBands.clear();
  state.breaker = NO_BREAKER;
  state.books.clear();
  state.bookStore = new BookStore(firstOrderNumber(day));
  state.replies.clear();
  rollAccounts(state, event);
  if (upTo === undefined) keepWaiting(state);
  else state.portion = { of: 'RollDay', number: 1, from: upTo, before };
}

/** Begins the day for the accounts of one more portion. */
export function rollMore(state: State, event: AccountsRolled): void {
  const { day, from, upTo } = event;
  const due = must(state.portion, 'a day is beginning');
  assert(day === state.day && due.of === 'RollDay' && due.from === from, 'the portions of a day follow each other');
  rollAccounts(state, event);
  state.portion = upTo === undefined ? undefined : { ...due, number: due.number + 1, from: upTo };
  if (upTo === undefined) keepWaiting(state);
}

/** Keeps the orders that wait at the broker for a coming session, and drops all others. */
function keepWaiting(state: State): void {
  const waiting = state.afterMarket.numbers().map((number) => liveOrderOf(state, number));
  state.orders.clear();
  for (const order of waiting) state.orders.add(order);
}

function rollAccounts(state: State, event: DayRolled | AccountsRolled): void {
  for (const account of accountsWithin(state, begunBy(event))) {
    rollAccount(state, account);
    if (isIdle(account)) state.active.delete(account.id);
    if (!isWatched(account)) state.watched.delete(account.id);
  }
}

function rollAccount(state: State, account: Account): void {
  account.peakMargin = ZERO_PAISE;
  account.lossStage = 'None';
  account.unfunded = NOTHING_YET;
  account.exercises = NOTHING_YET;
  account.physicalDeliveries = NOTHING_YET;
  delete account.converted;
  account.orders = waitingOf(state, account);
  const rows = [...account.positions.values()];
  account.positions = NO_ENTRIES;
  account.portfolios = NO_ENTRIES;
  account.deliveries = NO_ENTRIES;
  for (const row of rows) if (netQuantity(row) !== 0) fileRow(account, carry(row));
  account.books = packedBooks(account.books);
}

/** The orders of an account that outlive their day: those that wait at the broker. */
function waitingOf(state: State, { orders }: Account): readonly OrderNumber[] {
  if (orders.length === 0) return NOTHING_YET;
  const waiting = orders.filter((number) => {
    const order = state.orders.findLive(number);
    if (order === undefined) return false;
    assert(order.afterMarket !== undefined && order.afterMarket.day >= state.day, 'no order outlives its day');
    return true;
  });
  return waiting.length === 0 ? NOTHING_YET : waiting;
}

/** The row at the beginning of the next day: the open quantity at its mark, with its original cost. */
function carry(row: Position): Position {
  assert(row.mark > 0, 'an open contract was marked when the day ended');
  const net = netQuantity(row);
  const amount = carriedAmount(row);
  return {
    ...row,
    carriedBuyQuantity: Math.max(0, net) as Quantity,
    carriedBuyAmount: net > 0 ? amount : ZERO_PAISE,
    carriedSellQuantity: Math.max(0, -net) as Quantity,
    carriedSellAmount: net < 0 ? amount : ZERO_PAISE,
    carriedCost: net > 0 ? costOfOpen(row) : negatePaise(costOfOpen(row)),
    dayBuyQuantity: ZERO_QUANTITY,
    dayBuyAmount: ZERO_PAISE,
    daySellQuantity: ZERO_QUANTITY,
    daySellAmount: ZERO_PAISE,
    mark: ZERO_PRICE,
  };
}
