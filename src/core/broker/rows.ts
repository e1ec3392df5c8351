import type { Product } from '../order.ts';
import { emptyPosition, type PositionFacts } from '../position.ts';
import { type Account, type Portfolio, type Position, positionKey } from '../state.ts';
import { NO_MARGIN } from './funds.ts';

/** The row of a position, made and filed under its portfolio and its ISIN when there is none. For `apply` alone. */
export function rowOf(account: Account, facts: PositionFacts, product: Product): Position {
  const key = positionKey(facts.instrument, product);
  const known = account.positions.get(key);
  if (known !== undefined) return known;
  const row = emptyPosition(facts, product);
  fileRow(account, row);
  return row;
}

/** Files a row under its key, its portfolio and, for deliveries, its ISIN. */
export function fileRow(account: Account, row: Position): void {
  account.positions.set(positionKey(row.instrument, row.product), row);
  const { legs } = portfolioOf(account, row.group);
  const rows = legs.get(row.instrument);
  if (rows === undefined) legs.set(row.instrument, [row]);
  else rows.push(row);
  if (row.product !== 'C') return;
  const deliveries = account.deliveries.get(row.isin);
  if (deliveries === undefined) account.deliveries.set(row.isin, [row]);
  else deliveries.push(row);
}

export function portfolioOf(account: Account, group: Portfolio['group']): Portfolio {
  const known = account.portfolios.get(group);
  if (known !== undefined) return known;
  const portfolio: Portfolio = { group, parts: NO_MARGIN, legs: new Map() };
  account.portfolios.set(group, portfolio);
  return portfolio;
}
