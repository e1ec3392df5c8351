import type { RealFigure } from '../verdict.ts';
import { REAL_BOOKS } from './real-books.ts';
import { REAL_CONTRACTS } from './real-contracts.ts';
import { REAL_PATHS } from './real-paths.ts';

/**
 * Where the real figures were measured, by their keys. All are public; the formulas are those of the files in this
 * folder.
 */
export const SOURCES: Readonly<Record<string, string>> = {
  D: 'NIFTY daily 2007-2026 and INDIA VIX (github ashwanthkumar/nifty-daily-moves-and-gaps); daily 2022-2026 (financelab11 and Yahoo)',
  M: 'NIFTY, BANKNIFTY 1 minute 2021-2023 (github d3v-S/OHLCData) and 2024 (sainipankaj15/BankNiftyData); NIFTY 1 minute Dec 2025 to Jun 2026 (Hbsandeep26/OB_mitigation)',
  R: 'RELIANCE 1 minute Dec 2025 to Jun 2026 (github Hbsandeep26/OB_mitigation), HDFCBANK, RELIANCE, TCS Jun 2026 (rahulpoptani)',
  B: 'BANKNIFTY with 12 members, 1 minute, Apr to May 2023 (github lullaharsh1/Dispersion)',
  S: 'NIFTY by seconds, 50 days Aug to Nov 2022 (github anshkumar/nse-tick-data)',
  C: '24 shares, daily 2024 to Aug 2026 (github ps3sep1995-collab/nse-data-store)',
  V: 'NSE bhavdata of 14 Nov 2025 and 21 Aug 2026 (github vwebbaker/nse-intraday-data, ps3sep1995-collab/nse-data-store)',
  F: 'NSE F&O bhavcopies, 58 days Jan to Mar 2026 (github AvilPage/historical-option-chain-data)',
  T: 'ticks of four stock futures with depth, 17 Nov 2025 (github vwebbaker/nse-intraday-data), and published snapshots of option chains',
  X: 'follows from the rules of the exchange or from arithmetic, not from a sample',
};

/** The real figure of every row, by the row's name. */
export const REAL_FIGURES: Readonly<Record<string, RealFigure>> = { ...REAL_PATHS, ...REAL_BOOKS, ...REAL_CONTRACTS };
