/**
 * The rows of an account's positions: it finds or makes them, files them by portfolio and ISIN, and marks them for new
 * sums of margin. The figures of a row are in `core/position.ts`.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import { type Account, ownTable, type Portfolio, type Position, positionKey } from '../../account.ts';
import type { Product } from '../../order.ts';
import { emptyPosition, type PositionFacts } from '../../position.ts';
import { NO_MARGIN } from './funds.ts';

/**
 * The row of a position. It is made and filed under its portfolio and its ISIN when there is none. For `apply` alone,
 * which gets every row that it changes from here, so that margins add up the changed rows again.
 */
export function rowOf(account: Account, facts: PositionFacts, product: Product): Position {
  const key = positionKey(facts.instrument, product);
  const known = account.positions.get(key);
  if (known !== undefined) {
    touch(account, known);
    return known;
  }
  const row = emptyPosition(facts, product);
  fileRow(account, row);
  return row;
}

/** Files a row under its key, its portfolio and, for deliveries, its ISIN. */
export function fileRow(account: Account, row: Position): void {
  ownTable(account, 'positions').set(positionKey(row.instrument, row.product), row);
  const { legs } = portfolioOf(account, row.group);
  const rows = legs.get(row.instrument);
  if (rows === undefined) legs.set(row.instrument, [row]);
  else rows.push(row);
  touch(account, row);
  if (row.product !== 'C') return;
  const deliveries = account.deliveries.get(row.isin);
  if (deliveries === undefined) ownTable(account, 'deliveries').set(row.isin, [row]);
  else deliveries.push(row);
}

/**
 * Takes a row out of its account and its portfolio. The caller removes it from the rows by ISIN. For `apply` alone.
 */
export function dropRow(account: Account, row: Position): void {
  touch(account, row);
  ownTable(account, 'positions').delete(positionKey(row.instrument, row.product));
  const { legs } = portfolioOf(account, row.group);
  const left = legs.get(row.instrument)?.filter((leg) => leg !== row) ?? [];
  if (left.length === 0) legs.delete(row.instrument);
  else legs.set(row.instrument, left);
}

/** A portfolio that was never added up has nothing to add up again. */
function touch(account: Account, { group, instrument, kind }: Position): void {
  if (kind !== 'future' && kind !== 'option') return;
  const portfolio = account.portfolios.get(group);
  if (portfolio?.sums === undefined) return;
  const { touched } = portfolio;
  if (touched[touched.length - 1] !== instrument) touched.push(instrument);
}

export function portfolioOf(account: Account, group: Portfolio['group']): Portfolio {
  const known = account.portfolios.get(group);
  if (known !== undefined) return known;
  const portfolio = emptyPortfolio(group);
  ownTable(account, 'portfolios').set(group, portfolio);
  return portfolio;
}

export function emptyPortfolio(group: InstrumentId): Portfolio {
  return { group, parts: NO_MARGIN, legs: new Map(), sums: undefined, touched: [] };
}
