import type { RealFigure } from '../verdict.ts';

/**
 * Futures and options. Volatility ratios are the published ones with 15 % of their distance from 1, at least 0.03, to
 * both sides. Lots and open units of options are known as multiples of an earlier market, so they have wide ranges.
 * The next month is known of two contracts: 30 to 40 % to both sides. Straddles are those of weeks with weekends:
 * `always` hours have none.
 */
export const REAL_CONTRACTS: Readonly<Record<string, RealFigure>> = {
  'straddle.1': {
    text: 'NIFTY straddle, % of the index at a volatility of 13.1 %, 1 day',
    real: 0.67,
    source: 'F',
    only: 'exchange',
  },
  'straddle.4': { text: 'NIFTY straddle, 4 days', real: 0.93, source: 'F', only: 'exchange' },
  'straddle.5': { text: 'NIFTY straddle, 5 days', real: 1.16, source: 'F', only: 'exchange' },
  'straddle.6': { text: 'NIFTY straddle, 6 days', real: 1.45, source: 'F', only: 'exchange' },
  'straddle.11': { text: 'NIFTY straddle, 11 days', real: 1.79, source: 'F', only: 'exchange' },
  'straddle.18': { text: 'NIFTY straddle, 18 days', real: 2.31, source: 'F', only: 'exchange' },
  'vix.overMonth': { text: 'INDIA VIX over the volatility of 30 days at the money', real: 1, source: 'X' },
  'smileNear.-2': { text: 'volatility at z = -2 over z = 0, 1 to 2 days', real: [1.3, 1.4], source: 'F', strict: true },
  'smileNear.-1': { text: 'at z = -1', real: [1.12, 1.18], source: 'F', strict: true },
  'smileNear.0': { text: 'at z = 0', real: [0.98, 1.02], source: 'F', strict: true },
  'smileNear.1': { text: 'at z = 1', real: [0.96, 1.02], source: 'F', strict: true },
  'smileNear.2': { text: 'at z = 2', real: [1.14, 1.2], source: 'F', strict: true },
  'smileFar.-2': {
    text: 'volatility at z = -2 over z = 0, 8 to 16 days',
    real: [1.31, 1.41],
    source: 'F',
    strict: true,
  },
  'smileFar.-1': { text: 'at z = -1', real: [1.12, 1.18], source: 'F', strict: true },
  'smileFar.0': { text: 'at z = 0', real: [0.97, 1.01], source: 'F', strict: true },
  'smileFar.1': { text: 'at z = 1', real: [0.9, 0.96], source: 'F', strict: true },
  'smileFar.2': { text: 'at z = 2', real: [1.03, 1.09], source: 'F', strict: true },
  'optionLots.0': {
    text: 'NIFTY option at the money, lots of its last day',
    real: [21_700_000, 43_400_000],
    source: 'F',
  },
  'optionLots.1': { text: 'lots, 1 day before', real: [5_110_000, 10_220_000], source: 'F' },
  'optionLots.4': { text: 'lots, 4 days before', real: [2_170_000, 4_340_000], source: 'F' },
  'optionLots.6': { text: 'lots, 6 days before', real: [1_988_000, 3_976_000], source: 'F' },
  'optionLots.11': { text: 'lots, 11 days before', real: [31_500, 63_000], source: 'F' },
  'optionLots.18': { text: 'lots, 18 days before', real: [3_290, 6_580], source: 'F' },
  'optionInterest.1': { text: 'open units at the money, 1 day before', real: [5_110_000, 10_220_000], source: 'F' },
  'optionInterest.6': { text: 'open units at the money, 6 days before', real: [2_450_000, 4_900_000], source: 'F' },
  'optionInterest.11': { text: 'open units at the money, 11 days before', real: [595_000, 1_190_000], source: 'F' },
  'futureLots.NIFTY': { text: 'near future of NIFTY, lots of a day', real: [71_000, 106_000], source: 'F' },
  'futureLots.BANKNIFTY': { text: 'near future of BANKNIFTY, lots of a day', real: 31_000, source: 'F' },
  'futureLots.RELIANCE': { text: 'near future of RELIANCE, lots of a day', real: [20_700, 29_800], source: 'F' },
  'futureLots.HDFCBANK': { text: 'near future of HDFCBANK, lots of a day', real: [43_000, 52_000], source: 'F' },
  'futureInterest.NIFTY': { text: 'near future of NIFTY, open units', real: [15.6e6, 17.1e6], source: 'F' },
  'futureInterest.BANKNIFTY': { text: 'near future of BANKNIFTY, open units', real: [1.4e6, 2.6e6], source: 'F' },
  'futureInterest.RELIANCE': { text: 'near future of RELIANCE, open units', real: [95e6, 120e6], source: 'F' },
  'futureInterest.HDFCBANK': { text: 'near future of HDFCBANK, open units', real: [200e6, 233e6], source: 'F' },
  'nextInterest.60': { text: 'next future of NIFTY, open units, 60 days before', real: [0.55e6, 1.25e6], source: 'F' },
  'nextInterest.40': { text: 'next future of NIFTY, open units, 40 days before', real: [1.5e6, 2.9e6], source: 'F' },
  'nextInterest.roll': {
    text: 'next future of NIFTY, open units, last day of the near one',
    real: [9.4e6, 17.4e6],
    source: 'F',
  },
  'basis.rate': { text: 'carry of the near future of NIFTY, % a year', real: [4.3, 7.7], source: 'F' },
  'basis.deviation': { text: 'basis beside its carry, sd, bp', real: [10, 13], source: 'F' },
};
