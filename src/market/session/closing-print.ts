import type { Price } from '../../base/money.ts';
import type { DayPhase } from './sessions.ts';

/**
 * The print that ends a day after continuous trading: the trade of a share's closing auction, or the level of an index
 * once its members have closed. Its price is the official close. Source: market-rules R2.2, R2.14, R2.16.
 */
export class ClosingPrint {
  /** After IST midnight. */
  readonly second: number;
  /** Lots that the market's own orders trade with each other; 0 of an index. */
  readonly lots: number;
  private readonly find: () => Price;
  private found: Price | undefined;

  /** `find` computes the price when it is first asked for. */
  constructor(second: number, lots: number, find: () => Price) {
    this.second = second;
    this.lots = lots;
    this.find = find;
  }

  /** In paise. No answer may show it before `second`. */
  get price(): Price {
    this.found ??= this.find();
    return this.found;
  }
}

/**
 * The second of a day in which its closing auction is matched; `undefined` on a day without one. Source: market-rules
 * R2.2.
 */
export function closingMatchedAt(phases: readonly DayPhase[]): number | undefined {
  return phases.find(({ phase }) => phase === 'ClosingMatching')?.start;
}

/**
 * The second of a day in which a share has closed: in its auction, or with its continuous trading; 0 on a day without
 * trading.
 */
export function closedAt(phases: readonly DayPhase[]): number {
  return closingMatchedAt(phases) ?? phases.find(({ phase }) => phase === 'Continuous')?.end ?? 0;
}
