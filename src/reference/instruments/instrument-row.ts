import type { Exchange } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { OptionType } from '../../core/instrument.ts';

/**
 * A row of a symbol file: its fields as the file has them, not yet compared with the master. Source: contract section
 * 5.
 */
export interface InstrumentRow {
  readonly exchange: Exchange;
  readonly token: number;
  readonly lot: Quantity;
  readonly tradingSymbol: string;
  readonly companyName: string;
  /** Empty for indices and contracts. */
  readonly isin: string;
  /** 0 for an index. */
  readonly tick: Price;
  readonly freeze: Quantity;
  /** The further fields of a row of NFO or BFO. */
  readonly contract: ContractRow | undefined;
}

export interface ContractRow {
  /** The underlying's symbol, with which the trading symbol begins. */
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly underlyingKind: 'index' | 'equity';
  /** `undefined` for a future. */
  readonly option: { readonly strike: Price; readonly type: OptionType } | undefined;
}

/** Why a line of an imported file is not taken. */
export interface LineError {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A row with the line that it was read from. */
export interface ImportedRow extends InstrumentRow {
  readonly line: number;
}

/** True for a row of an index: no ISIN and a tick of 0. */
export function isIndexRow(row: InstrumentRow): boolean {
  return row.contract === undefined && row.isin === '' && row.tick === 0;
}
