import {
  addPaise,
  negatePaise,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
  ZERO_QUANTITY,
} from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { BookStore } from '../exchange/book-store.ts';
import { costOfOpen, netQuantity, openAmount } from '../position.ts';
import { type Account, emptyHolding, type Holding, type Position, type State } from '../state.ts';
import { fileRow } from './rows.ts';

/**
 * Ends the day: what was realised, paid and received becomes cash, shares settle into holdings, open contracts are carried at
 * their average, and the books of the day are empty. Nothing is created or lost: the open amount that is carried and the realised
 * result are exactly the balance of each row. Source: market-rules R5.8, R5.9, R5.18, R5.21, R3.34, R4.30.
 */
export function rollDay(state: State, day: IstDay): void {
  state.day = day;
  state.orders.clear();
  state.books.clear();
  state.bookStore = new BookStore();
  state.replies.clear();
  for (const account of state.accounts) rollAccount(account);
}

function rollAccount(account: Account): void {
  account.peakMargin = ZERO_PAISE;
  for (const holding of account.holdings.values()) {
    holding.settled = (holding.settled + holding.unsettled) as Quantity;
    holding.unsettled = ZERO_QUANTITY;
  }
  const rows = [...account.positions.values()];
  const deliveries = rows.filter((row) => row.product === 'C');
  for (const row of deliveries) if (netQuantity(row) < 0) sellShares(account, row);
  for (const row of deliveries) if (netQuantity(row) > 0) buyShares(account, row);
  for (const [isin, holding] of account.holdings) {
    if (holding.settled + holding.unsettled === 0) account.holdings.delete(isin);
  }
  account.positions.clear();
  account.portfolios.clear();
  account.deliveries.clear();
  account.orders = [];
  for (const row of rows) if (row.product !== 'C' && netQuantity(row) !== 0) fileRow(account, carry(row));
}

/** Shares sold leave the holding, whatever listing they were sold on; today's purchases on another listing make up for the rest. */
function sellShares(account: Account, row: Position): void {
  const holding = holdingOf(account, row);
  const sold = -netQuantity(row);
  const held = holding.settled + holding.unsettled;
  const cost = held === 0 ? ZERO_PAISE : scaleHalfUp(holding.cost, Math.min(sold, held), held);
  holding.cost = subtractPaise(holding.cost, cost);
  holding.settled = (holding.settled - sold) as Quantity;
}

function buyShares(account: Account, row: Position): void {
  const holding = holdingOf(account, row);
  holding.unsettled = (holding.unsettled + netQuantity(row)) as Quantity;
  holding.cost = addPaise(holding.cost, openAmount(row));
}

function holdingOf(account: Account, { isin, instrument }: Position): Holding {
  const known = account.holdings.get(isin);
  if (known !== undefined) return known;
  const holding = emptyHolding(isin, instrument);
  account.holdings.set(isin, holding);
  return holding;
}

/** The row as the next day begins with it: the open quantity at its average, its original cost beside it. */
function carry(row: Position): Position {
  const net = netQuantity(row);
  const carried: Position = {
    ...row,
    carriedBuyQuantity: Math.max(0, net) as Quantity,
    carriedBuyAmount: net > 0 ? openAmount(row) : ZERO_PAISE,
    carriedSellQuantity: Math.max(0, -net) as Quantity,
    carriedSellAmount: net < 0 ? openAmount(row) : ZERO_PAISE,
    carriedCost: net > 0 ? costOfOpen(row) : negatePaise(costOfOpen(row)),
    dayBuyQuantity: ZERO_QUANTITY,
    dayBuyAmount: ZERO_PAISE,
    daySellQuantity: ZERO_QUANTITY,
    daySellAmount: ZERO_PAISE,
  };
  return carried;
}
