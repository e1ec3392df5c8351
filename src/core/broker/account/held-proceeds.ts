import { type Paise, type Quantity, scaleHalfUp, ZERO_PAISE } from '../../../base/money.ts';
import type { Account, Holding, Position } from '../../account.ts';

/** One delivery sale: its row, its units and its amount. */
export interface DeliverySale {
  /** The row that it fills. */
  readonly row: Readonly<Position>;
  /** True for a trade-for-trade share. */
  readonly gross: boolean;
  readonly units: Quantity;
  readonly amount: Paise;
}

/**
 * The part of a delivery sale's proceeds that pays for nothing before the next day: the proceeds of shares that are not
 * settled yet, and all proceeds of a trade-for-trade share. Settled shares are sold first; shares bought today under
 * the same listing are netted, unless it is trade-for-trade. `rows` are today's delivery rows of the ISIN before the
 * sale; `isGross` is true of a trade-for-trade one. Source: market-rules R1.4, R4.24.
 */
export function heldByFill(
  holding: Holding | undefined,
  rows: readonly Readonly<Position>[],
  { row, gross, units, amount }: DeliverySale,
  isGross: (row: Readonly<Position>) => boolean,
): Paise {
  if (gross) return amount;
  let settled = holding === undefined ? 0 : holding.settled - holding.pledged;
  for (const one of rows) settled -= takenBy(one, isGross);
  const today = Math.max(0, row.dayBuyQuantity - row.daySellQuantity);
  const unsettled = units - today - Math.max(0, settled);
  return unsettled <= 0 ? ZERO_PAISE : scaleHalfUp(amount, unsettled, units);
}

/** Units that sales of a row took from shares that were held before today. */
function takenBy(row: Readonly<Position>, isGross: (row: Readonly<Position>) => boolean): number {
  const { daySellQuantity: sold, dayBuyQuantity: bought } = row;
  const netted = Math.min(sold, bought);
  return netted > 0 && isGross(row) ? sold : sold - netted;
}

/** The most proceeds that may be held back from an account: those of its delivery sales of today. */
export function mostHeld({ positions }: Account): number {
  let most = 0;
  for (const row of positions.values()) if (row.product === 'C') most += row.daySellAmount;
  return most;
}
