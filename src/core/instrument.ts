/**
 * Instruments: indices, equities, futures and options with their lots, ticks and expiries, and the two ways to look
 * them up. The master that holds them is in `reference`.
 */

import type { Exchange, InstrumentId } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { EpochMs, IstDay } from '../base/time.ts';

export const INSTRUMENT_KINDS = ['index', 'equity', 'future', 'option'] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];
export type OptionType = 'CE' | 'PE';

interface InstrumentBase {
  readonly id: InstrumentId;
  readonly exchange: Exchange;
  readonly token: number;
  /** The canonical trading symbol, upper case: `RELIANCE-EQ`, `NIFTY29DEC26C24000`. */
  readonly tradingSymbol: string;
  /** The symbol without its series or its contract: `RELIANCE`, `NIFTY`. */
  readonly symbol: string;
  readonly companyName: string;
  /** Units in one lot; every order is a multiple of it. 1 in cash. */
  readonly lot: Quantity;
  /** The smallest step of a price, in paise. */
  readonly tick: Price;
  /** The largest quantity of one order; 0 when there is no such limit. Source: market-rules R1.25 to R1.28. */
  readonly freeze: Quantity;
}

export interface Index extends InstrumentBase {
  readonly kind: 'index';
  /** The descriptive name: `NIFTY 50`. */
  readonly indexName: string;
}

export interface Equity extends InstrumentBase {
  readonly kind: 'equity';
  readonly isin: string;
  /** NSE series (`EQ`, `BE`) or BSE group (`A`, `T`). */
  readonly series: string;
  /** Delivery only, and every trade is settled by itself. Source: market-rules R1.4. */
  readonly tradeForTrade: boolean;
  /** True when futures and options on it are listed. */
  readonly hasDerivatives: boolean;
}

interface Contract extends InstrumentBase {
  /** The index or the equity that it is written on, in the cash segment of its exchange. */
  readonly underlying: InstrumentId;
  readonly underlyingKind: 'index' | 'equity';
  readonly expiryDay: IstDay;
  /** The instant after which it no longer trades. */
  readonly expiresAt: EpochMs;
  /**
   * The first date on which it is listed. That of an adjusted contract can lie before its first trading day. Source:
   * market-rules R7.6.
   */
  readonly listedOn: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  /** The contract that this one replaced on its first day, after a corporate action. Source: market-rules R7.6. */
  readonly replaces?: InstrumentId;
  /**
   * The contract that replaces this one after a corporate action, and that contract's first trading day. This one then
   * no longer trades.
   */
  readonly replacedBy?: Replacement;
}

export interface Replacement {
  readonly id: InstrumentId;
  readonly from: IstDay;
}

export interface Future extends Contract {
  readonly kind: 'future';
}

export interface Option extends Contract {
  readonly kind: 'option';
  readonly strike: Price;
  readonly optionType: OptionType;
}

export type Derivative = Future | Option;
/** An instrument of the master. Which fields it has depends on its `kind`. */
export type Instrument = Index | Equity | Derivative;

/** The instruments as the core reads them: the facts of one instrument. */
export interface Instruments {
  /** `undefined` for an id that was never listed. An expired contract is still known. */
  get(id: InstrumentId): Instrument | undefined;
}

/** The instruments as the gateway reads them: lookups by the words of the wire. */
export interface InstrumentDirectory extends Instruments {
  /**
   * The instrument of a trading symbol, whatever its letter case; index aliases are known (`Nifty 50`). `undefined`
   * when unknown, and for a contract that has expired or is not yet listed at `at`. Source: market-rules R1.11, R7.8.
   */
  find(exchange: Exchange, tradingSymbol: string, at: EpochMs): Instrument | undefined;
  /**
   * The instrument of an id that a client names; `undefined` when unknown, and for a contract that has expired, is not
   * yet listed or has been replaced at `at`. `get` makes all the strikes that a contract's expiry ever has to find one
   * of them; this makes nothing for an expiry that is not listed.
   */
  listed(id: InstrumentId, at: EpochMs): Instrument | undefined;
  /** At most `limit` live instruments that match every word of `text`, in the order of contract W12. */
  search(text: string, limit: number, at: EpochMs): readonly Instrument[];
  /** All indices in the order of the index list. */
  indices(): readonly Index[];
  /** The live expiries of an underlying over its futures and options, ascending. Source: market-rules R1.35. */
  expiries(underlying: InstrumentId, at: EpochMs): readonly IstDay[];
  /** The live options of one underlying and expiry, by ascending strike, call before put; empty when none. */
  chain(underlying: InstrumentId, expiry: IstDay, at: EpochMs): readonly Option[];
  /** The underlying that an index name, cash symbol or contract symbol stands for, in derivatives. */
  underlyingOf(exchange: Exchange, name: string, at: EpochMs): InstrumentId | undefined;
  /** Every live instrument of an exchange, in the order of the symbol file. */
  list(exchange: Exchange, at: EpochMs): Iterable<Instrument>;
  /** How many instruments are live at `at`. */
  count(at: EpochMs): number;
  /**
   * The work that `search`, `list` and `count` need first on the date of `at`: about a second in a process that begins,
   * in pieces of about a millisecond. `undefined` when it is done. They do the rest of it at once when they are asked
   * before.
   */
  listing(at: EpochMs): Iterator<undefined, void> | undefined;
}

/**
 * The group that shares one margin portfolio: the underlying of a contract, or the instrument itself. Source:
 * market-rules R4.28.
 */
export function marginGroup(instrument: Instrument): InstrumentId {
  return isDerivative(instrument) ? instrument.underlying : instrument.id;
}

/**
 * True for a trade-for-trade share: each purchase is received and each sale delivered, whatever the other side traded.
 * Source: market-rules R1.4.
 */
export function settlesGross(instrument: Instrument | undefined): boolean {
  return instrument?.kind === 'equity' && instrument.tradeForTrade;
}

/** The ISINs of units of funds, and so of all exchange traded funds, begin with this. */
const FUND_ISIN = 'INF';

/**
 * True when the band of an instrument slides during a day, so that orders outside of the new band are cancelled:
 * futures, shares with contracts, and exchange traded funds. Source: market-rules R1.42, R1.43, R1.45.
 */
export function slidesBand(instrument: Instrument): boolean {
  if (instrument.kind === 'equity') return instrument.hasDerivatives || instrument.isin.startsWith(FUND_ISIN);
  return instrument.kind === 'future';
}

/** True for a future or an option, on a share or an index. */
export function isDerivative(instrument: Instrument): instrument is Derivative {
  return instrument.kind === 'future' || instrument.kind === 'option';
}
