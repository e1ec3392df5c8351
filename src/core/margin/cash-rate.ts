import type { Equity } from '../instrument.ts';
import { BASIS_POINTS } from './fixed-point.ts';
import { dailyDeviation } from './scan-range.ts';

/** Rates of the cash segment in basis points of the value. Source: market-rules R4.20, R4.22. */
export interface CashRate {
  /** Value at risk. */
  readonly valueAtRisk: number;
  /** Extreme loss margin. */
  readonly extremeLoss: number;
  /** What an intraday position or order blocks. */
  readonly upfront: number;
}

const DEVIATIONS = 6;
const LEAST_LIQUID_VAR = 900;
const LESS_LIQUID_VAR = 2_150;
const ILLIQUID_VAR = 5_000;
const TRADE_FOR_TRADE_VAR = 7_500;
const STOCK_ELM = 350;
const FUND_ELM = 200;
const LEAST_UPFRONT = 2_000;

/** Series of NSE and groups of BSE whose shares are of the first liquidity group, and those of the second; the rest are of the third. */
const LIQUID = new Set(['EQ', 'RR', 'IV', 'A', 'B', 'E', 'IF']);
const LESS_LIQUID = new Set(['SM', 'X', 'M']);
/** ISINs of mutual fund units begin so. */
const FUND_ISIN = 'INF';

/**
 * The rates of a share by its own facts: the exchanges' files of VaR groups are not at hand. A share with contracts is liquid; of the others
 * the series says how liquid they are. `volatility` is annual: 0.28. Source: market-rules R4.20 (VaR and ELM), R4.22 (at least 20 %).
 */
export function cashRate(share: Equity, volatility: number): CashRate {
  const valueAtRisk = valueAtRiskOf(share, volatility);
  const extremeLoss = share.isin.startsWith(FUND_ISIN) ? FUND_ELM : STOCK_ELM;
  const upfront = share.tradeForTrade ? BASIS_POINTS : Math.max(valueAtRisk + extremeLoss, LEAST_UPFRONT);
  return { valueAtRisk, extremeLoss, upfront: Math.min(upfront, BASIS_POINTS) };
}

function valueAtRiskOf({ tradeForTrade, hasDerivatives, series }: Equity, volatility: number): number {
  if (tradeForTrade) return TRADE_FOR_TRADE_VAR;
  const moved = Math.round(DEVIATIONS * dailyDeviation(volatility) * BASIS_POINTS);
  if (hasDerivatives || LIQUID.has(series)) return Math.max(moved, LEAST_LIQUID_VAR);
  return Math.max(moved, LESS_LIQUID.has(series) ? LESS_LIQUID_VAR : ILLIQUID_VAR);
}
