import type { InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import type { Derivative, OptionType } from '../../core/instrument.ts';
import type { DerivativeExchange } from '../rules/contract-cycles.ts';
import type { SymbolOption } from './contracts/contract-symbol.ts';

/**
 * The contracts of one underlying and one expiry, generated or imported. Instruments are made when they are asked for.
 */
export interface ListedSeries {
  readonly exchange: DerivativeExchange;
  readonly underlying: InstrumentId;
  readonly underlyingKind: 'index' | 'equity';
  /** The underlying's symbol. */
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  /** The beginning of the trading symbols of all its contracts. */
  readonly symbolHead: string;
  /** The beginning of the names of all its contracts. */
  readonly nameHead: string;
  /** True while its contracts can be found: until the instant of expiry. */
  isLive(at: EpochMs): boolean;
  hasFutureOn(day: IstDay): boolean;
  /** The strikes that are listed on `day`, ascending. */
  strikesOn(day: IstDay): Price[];
  /** The contract of these terms, the future without them; `undefined` when the series has none such. */
  contract(option: SymbolOption | undefined): Derivative | undefined;
  /** The contracts that are listed on `day`: the future first, then by strike, call before put. */
  contracts(day: IstDay): Generator<Derivative>;
  /** How many contracts are listed on `day`. */
  countOn(day: IstDay): number;
}

export const OPTION_TYPES: readonly OptionType[] = ['CE', 'PE'];
