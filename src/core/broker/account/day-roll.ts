/**
 * The beginning of a trading day: fresh books and limits for every account. The end of a day is in `settlement/`.
 */

import { assert } from '../../../base/assert.ts';
import { negatePaise, type Quantity, ZERO_PAISE, ZERO_PRICE, ZERO_QUANTITY } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Account, Position } from '../../account.ts';
import { BookStore } from '../../exchange/book/book-store.ts';
import { NO_BREAKER } from '../../exchange/guards/circuit-breaker.ts';
import { carriedAmount, costOfOpen, netQuantity } from '../../position.ts';
import { accountOf, NOTHING_YET, type State } from '../../state.ts';
import { firstOrderNumber } from '../orders/order-number.ts';
import { fileRow } from './rows.ts';

/**
 * Begins the day with fresh books and limits: flat rows are gone, open contracts are carried at the marks that the
 * day's end gave them. The money that moved on the day before is cash from here on. Source: market-rules R4.30, R5.8,
 * R5.9, R7.5 (7), R7.8.
 */
export function rollDay(state: State, day: IstDay): void {
  state.day = day;
  state.dayEnd = undefined;
  state.squaredOff.clear();
  state.widenedBands.clear();
  state.breaker = NO_BREAKER;
  keepWaiting(state);
  state.books.clear();
  state.bookStore = new BookStore(firstOrderNumber(day));
  state.replies.clear();
  for (const account of state.accounts) rollAccount(account);
}

/** Keeps the orders that wait at the broker for a coming session, and drops all others. */
function keepWaiting(state: State): void {
  const waiting = [...state.orders.values()].filter(({ number }) => state.afterMarket.has(number));
  state.orders.clear();
  for (const account of state.accounts) account.orders = [];
  for (const order of waiting) {
    state.orders.set(order.number, order);
    accountOf(state, order.account).orders.push(order.number);
  }
}

function rollAccount(account: Account): void {
  account.peakMargin = ZERO_PAISE;
  account.lossStage = 'None';
  account.unfunded = NOTHING_YET;
  account.exercises = NOTHING_YET;
  account.physicalDeliveries = NOTHING_YET;
  delete account.converted;
  const rows = [...account.positions.values()];
  account.positions.clear();
  account.portfolios.clear();
  account.deliveries.clear();
  for (const row of rows) if (netQuantity(row) !== 0) fileRow(account, carry(row));
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
