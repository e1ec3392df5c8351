/**
 * The rows of an account's positions: it finds or makes them, files them by portfolio and ISIN, and marks them for new
 * sums of margin. The figures of a row are in `core/position.ts`.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import { type Account, NO_ENTRIES, ownTable, type Portfolio, type Position, positionKey } from '../../account.ts';
import type { Product } from '../../order.ts';
import { NO_ROWS, rowsIn, setRowsIn } from '../../portfolio.ts';
import { emptyPosition, type PositionFacts } from '../../position.ts';
import { NO_MARGIN } from './funds.ts';

/**
 * The row of a position. It is made and filed under its portfolio and its ISIN when there is none. For `apply` alone,
 * which gets every row that it changes from here, so that margins add up the changed rows again.
 */
export function rowOf(account: Account, facts: PositionFacts, product: Product): Position {
  const portfolio = portfolioOf(account, facts.group);
  const known = rowOfProduct(rowsIn(portfolio, facts.instrument), product);
  if (known !== undefined) {
    touch(portfolio, known);
    return known;
  }
  const row = emptyPosition(facts, product);
  fileRow(account, row);
  return row;
}

/** It counts places, because the shared empty list is of another kind: an iterator over both would be an object. */
function rowOfProduct(rows: readonly Position[], product: Product): Position | undefined {
  for (let place = 0; place < rows.length; place += 1) {
    const row = rows[place] as Position;
    if (row.product === product) return row;
  }
  return undefined;
}

/** Files a row under its key, its portfolio and, for deliveries, its ISIN. */
export function fileRow(account: Account, row: Position): void {
  ownTable(account, 'positions').set(positionKey(row.instrument, row.product), row);
  const portfolio = portfolioOf(account, row.group);
  const others = rowsIn(portfolio, row.instrument);
  // A spread leaves room for sixteen more, and nearly all instruments have one row.
  setRowsIn(portfolio, row.instrument, others.length === 0 ? [row] : [...others, row]);
  touch(portfolio, row);
  if (row.product !== 'C') return;
  const deliveries = account.deliveries.get(row.isin);
  if (deliveries === undefined) ownTable(account, 'deliveries').set(row.isin, [row]);
  else deliveries.push(row);
}

/**
 * Takes a row out of its account and its portfolio. The caller removes it from the rows by ISIN. For `apply` alone.
 */
export function dropRow(account: Account, row: Position): void {
  const portfolio = portfolioOf(account, row.group);
  touch(portfolio, row);
  ownTable(account, 'positions').delete(positionKey(row.instrument, row.product));
  const left = rowsIn(portfolio, row.instrument).filter((other) => other !== row);
  setRowsIn(portfolio, row.instrument, left);
}

/** A portfolio that was never added up has nothing to add up again. */
function touch({ group, sums, touched }: Portfolio, { instrument }: Position): void {
  if (instrument === group || sums === undefined) return;
  if (touched[touched.length - 1] !== instrument) touched.push(instrument);
}

/** The portfolio of an account for a margin group. It is made, without rows and margin, when there is none. */
export function portfolioOf(account: Account, group: Portfolio['group']): Portfolio {
  const known = account.portfolios.get(group);
  if (known !== undefined) return known;
  const portfolio = emptyPortfolio(group);
  ownTable(account, 'portfolios').set(group, portfolio);
  return portfolio;
}

/** A portfolio without rows and without margin. */
export function emptyPortfolio(group: InstrumentId): Portfolio {
  return { group, parts: NO_MARGIN, shares: NO_ROWS, legs: NO_ENTRIES, sums: undefined, touched: [] };
}
