import type { Tick } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Turnover } from '../../market.ts';

/**
 * The number of ticks of trades that are kept: the longest average looks back this far. Source: market-rules R1.47.
 */
const RECENT_TICKS = 60;

/** The users' trades in one tick. */
export type RecentRow = readonly [tick: Tick, quantity: number, value: number];

/** The users' trades as aggressors, summed by tick, in the minute up to the last of them. */
export class RecentTrades {
  private rows: RecentRow[] = [];

  add(tick: Tick, price: Price, quantity: Quantity): void {
    const value = price * quantity;
    const last = this.rows[this.rows.length - 1];
    if (last?.[0] === tick) {
      this.rows[this.rows.length - 1] = [tick, last[1] + quantity, last[2] + value];
      return;
    }
    const oldest = this.rows[0];
    if (oldest !== undefined && oldest[0] <= tick - RECENT_TICKS) {
      this.rows = this.rows.filter((row) => row[0] > tick - RECENT_TICKS);
    }
    this.rows.push([tick, quantity, value]);
  }

  /**
   * The trades in the `ticks` that end with `end`. `ticks` is at most a minute, and `end` is not before the last trade.
   */
  within(end: Tick, ticks: number): Turnover {
    let quantity = 0;
    let value = 0;
    for (let index = this.rows.length - 1; index >= 0; index -= 1) {
      const row = this.rows[index];
      if (row === undefined || row[0] <= end - ticks) break;
      quantity += row[1];
      value += row[2];
    }
    return { quantity, value };
  }

  dump(): readonly RecentRow[] {
    return this.rows.map((row) => [...row] as const);
  }

  static load(rows: readonly RecentRow[]): RecentTrades {
    const trades = new RecentTrades();
    trades.rows = rows.map((row) => [...row] as const);
    return trades;
  }
}
