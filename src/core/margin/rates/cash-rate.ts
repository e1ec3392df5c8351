import type { Equity } from '../../instrument.ts';
import { BASIS_POINTS } from '../fixed-point.ts';
import type { MarginRates, VarGroup } from './margin-rates.ts';
import { dailyDeviation } from './scan-range.ts';

/** Rates of the cash segment in basis points of the value. Source: market-rules R4.20, R4.22. */
export interface CashRate {
  /** Value at risk. */
  readonly valueAtRisk: number;
  /** Extreme loss margin. */
  readonly extremeLoss: number;
  /** The rate that an intraday position or order blocks. */
  readonly upfront: number;
}

/**
 * The rates of a share by its own facts: the exchanges' files of VaR groups are not at hand. A share with contracts is
 * of the first group; of the others the series says how liquid they are. `volatility` is annual: 0.28. Source:
 * market-rules R4.20 (VaR and ELM), R4.22 (the least).
 */
export function cashRate(rates: MarginRates, share: Equity, volatility: number): CashRate {
  const { deviations, valueAtRisk: least, extremeLoss, intraday } = rates.group(groupOf(rates, share));
  const moved = Math.round(deviations * dailyDeviation(volatility) * BASIS_POINTS);
  const valueAtRisk = Math.max(moved, least);
  const upfront = Math.min(Math.max(valueAtRisk + extremeLoss, intraday), BASIS_POINTS);
  return { valueAtRisk, extremeLoss, upfront };
}

function groupOf(rates: MarginRates, { tradeForTrade, hasDerivatives, series, isin }: Equity): VarGroup {
  if (tradeForTrade) return 'tradeForTrade';
  if (rates.isBroadIndexFund(isin)) return 'broadIndexFund';
  return hasDerivatives ? 'first' : rates.groupOfSeries(series);
}
