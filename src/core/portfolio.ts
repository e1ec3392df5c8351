import type { InstrumentId } from '../base/ids.ts';
import { NO_ENTRIES, type Portfolio, type Position } from './account.ts';

/** The one list of all portfolios that have no row of their share. */
export const NO_ROWS: readonly Position[] = Object.freeze([]);

/** The rows of an instrument in its portfolio, one for each product that it has. */
export function rowsIn({ group, shares, legs }: Portfolio, instrument: InstrumentId): readonly Position[] {
  return instrument === group ? shares : (legs.get(instrument) ?? NO_ROWS);
}

/** Gives an instrument other rows in its portfolio. */
export function setRowsIn(portfolio: Portfolio, instrument: InstrumentId, rows: readonly Position[]): void {
  if (instrument === portfolio.group) {
    portfolio.shares = rows;
    return;
  }
  const legs = ownLegs(portfolio);
  if (rows.length === 0) legs.delete(instrument);
  else legs.set(instrument, rows);
}

/** The table of contracts of a portfolio to write into: its own from here on. */
function ownLegs(portfolio: Portfolio): Map<InstrumentId, readonly Position[]> {
  if (portfolio.legs === NO_ENTRIES) portfolio.legs = new Map();
  return portfolio.legs as Map<InstrumentId, readonly Position[]>;
}
