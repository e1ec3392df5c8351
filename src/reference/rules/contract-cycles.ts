import { must } from '../../base/assert.ts';
import type { IstDay } from '../../base/time.ts';
import type { DataRow } from './data-table.ts';
import { byKey, type Dated, effectiveOn } from './dated.ts';

export const DERIVATIVE_EXCHANGES = ['NFO', 'BFO'] as const;
export type DerivativeExchange = (typeof DERIVATIVE_EXCHANGES)[number];

/**
 * How many expiries of each kind are listed at a time. Futures are listed for the monthly ones. Source: market-rules
 * R1.32.
 */
export interface ContractCycle extends Dated {
  /** Weeks that are not the last of a month. */
  readonly weekly: number;
  readonly monthly: number;
  /** March, June, September and December, after the monthly ones. */
  readonly quarterly: number;
  /** June and December, after the quarterly ones. */
  readonly halfYearly: number;
}

/** The cycles of every underlying: its own, or else the one of its exchange. */
export class ContractCycles {
  private readonly bySymbol: ReadonlyMap<string, readonly ContractCycle[]>;

  constructor(rows: readonly DataRow[]) {
    const entries = rows.map((row) => ({
      key: `${row.oneOf('exchange', DERIVATIVE_EXCHANGES)} ${row.text('symbol')}`,
      from: row.day('from'),
      weekly: row.number('weekly'),
      monthly: row.number('monthly'),
      quarterly: row.number('quarterly'),
      halfYearly: row.number('halfYearly'),
    }));
    this.bySymbol = byKey(entries, (entry) => entry.key);
  }

  /** The cycle of an underlying on a day; the same object for all that share it. */
  on(exchange: DerivativeExchange, symbol: string, day: IstDay): ContractCycle {
    const entries = this.bySymbol.get(`${exchange} ${symbol}`) ?? this.bySymbol.get(`${exchange} *`);
    return effectiveOn(must(entries, `no contract cycle for ${exchange}`), day);
  }
}
