import type { Exchange } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { OptionType } from '../../instrument.ts';

/** One contract of a SPAN parameter file. */
export interface SpanContract {
  /** In paise. */
  readonly price: Price;
  /**
   * The sixteen scenarios of market-rules R4.3 in their order: the loss of one long unit in hundredths of a paisa,
   * weight included. Whole numbers.
   */
  readonly losses: Float64Array;
  /** The composite delta of one long unit in hundred-thousandths; negative for puts. A whole number. */
  readonly delta: number;
}

/**
 * The figures of a file for one underlying and everything that is written on it. Rates are whole hundredths of a paisa.
 */
export interface SpanUnderlying {
  /** As the contracts of the master name it: `NIFTY`. */
  readonly symbol: string;
  /** The price of the underlying, in paise. */
  readonly spot: Price;
  /** The charge for one unit of delta that offsets another expiry; `undefined` when the file has none. */
  readonly calendarRate: number | undefined;
  /** The least margin of one short unit; 0 in the files of NSE. */
  readonly shortOptionMinimum: number;
  /** By `spanKey`. */
  readonly contracts: ReadonlyMap<string, SpanContract>;
}

/** A SPAN parameter file of one derivatives segment, as far as margins use it. Source: market-rules R4.4 to R4.12. */
export interface SpanFile {
  /** SHA-256 of its bytes in hex, by which the journal names it. */
  readonly digest: string;
  readonly exchange: Exchange;
  /** The business date that the file states. */
  readonly day: IstDay;
  /** By symbol. */
  readonly underlyings: ReadonlyMap<string, SpanUnderlying>;
}

/** The imported files by their digests. A file that was once named by a command is there for ever. */
export interface SpanFiles {
  get(digest: string): SpanFile | undefined;
}

/**
 * The key of a contract among those of its underlying: a future by its expiry, an option by expiry, type and strike.
 */
export function spanKey(
  expiryDay: IstDay,
  option?: { readonly strike: Price; readonly optionType: OptionType },
): string {
  return option === undefined ? String(expiryDay) : `${expiryDay}${option.optionType}${option.strike}`;
}
