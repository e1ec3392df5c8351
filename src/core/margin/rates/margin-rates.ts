/**
 * The types of the dated margin rates: of contracts, of deliveries and of shares by group. The figures themselves are
 * reference data.
 */

import type { IstDay } from '../../../base/time.ts';
import type { Derivative } from '../../instrument.ts';

/**
 * The figures that the margin of futures and options of one underlying is made of. Rates are basis points. Source:
 * market-rules R0.9 (`span_param`).
 */
export interface ContractRates {
  /**
   * The least price scan range; of index options that live for more than nine months another. Source: market-rules
   * R4.1.
   */
  readonly priceFloor: number;
  readonly longDatedPriceFloor: number;
  /** The least volatility scan range. Source: market-rules R4.2. */
  readonly volatilityFloor: number;
  /** The charge of a calendar spread, of the later expiry's price. Source: market-rules R4.7. */
  readonly calendarRate: number;
  /** Whether a contract still offsets later ones on the day that it expires. Source: market-rules R4.38. */
  readonly spreadsOnExpiryDay: boolean;
  /** The exposure of futures and short options. Source: market-rules R4.13. */
  readonly exposure: number;
  /**
   * The exposure of options that are out of the money by more than `farFrom` of the previous close. Source:
   * market-rules R4.15.
   */
  readonly farFrom: number;
  readonly farExposure: number;
  /** The exposure of index options that live for more than nine months. Source: market-rules R4.15. */
  readonly longDatedExposure: number;
  /** The addition to the exposure of a short option on the day that it expires. Source: market-rules R4.16. */
  readonly expiryDayExposure: number;
}

/** The rates of the delivery margin, for contracts that may be delivered. Source: market-rules R4.17. */
export interface DeliveryRates {
  /**
   * Per cent of VaR and ELM that a long option in the money adds, by the trading days that are left; none beyond the
   * last.
   */
  readonly longOption: readonly number[];
  /**
   * On the day of expiry futures and short options need so much of their normal margin, and never more than so much of
   * their value. In per cent.
   */
  readonly ofNormal: number;
  readonly ofValue: number;
}

/** Groups of shares by the rule for their VaR. Source: market-rules R4.20. */
export type VarGroup = 'first' | 'second' | 'third' | 'tradeForTrade' | 'broadIndexFund';

/**
 * The figures of the shares of one group. Rates are basis points of the value. Source: market-rules R0.9
 * (`cash_margin`), R4.20, R4.22.
 */
export interface GroupRates {
  /** How many deviations of a day the value at risk is; 0 where it is one rate. */
  readonly deviations: number;
  /** The value at risk, or the least one. */
  readonly valueAtRisk: number;
  readonly extremeLoss: number;
  /** The least that intraday orders block. */
  readonly intraday: number;
}

/** The rates of all margins on one day. */
export interface MarginRates {
  readonly delivery: DeliveryRates;
  contracts(contract: Pick<Derivative, 'symbol' | 'underlyingKind'>): ContractRates;
  group(name: VarGroup): GroupRates;
  /** The group of the shares of a series, or of a group of BSE, that have no contracts and are not trade-for-trade. */
  groupOfSeries(series: string): VarGroup;
  /** True of a fund that follows an index of the whole market, not of a sector, a commodity or a strategy. */
  isBroadIndexFund(isin: string): boolean;
}

/** The figures by day. Source: market-rules R0.9. */
export interface MarginTable {
  on(day: IstDay): MarginRates;
}
