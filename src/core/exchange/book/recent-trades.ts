import type { Tick } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Turnover } from '../../market.ts';

/** How many ticks of trades are kept: as many as the longest average looks back. Source: market-rules R1.47. */
const RECENT_TICKS = 60;

/** What users traded in one tick. */
export type RecentRow = readonly [tick: Tick, quantity: number, value: number];

/** The trades that users made as aggressors in the last minute before the last of them, summed by tick. */
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

  /** What was traded in the `ticks` that end with `end`: at most a minute, and `end` not before the last trade. */
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
