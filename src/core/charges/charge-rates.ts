/**
 * The rates of brokerage and levies by exchange and trade class, and the trade class of an order. The dated figures are
 * reference data; this file has their types.
 */

import type { Exchange } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { InstrumentKind } from '../instrument.ts';
import type { Product, Side } from '../order.ts';
import type { PartsPerBillion } from './exact-amount.ts';

const TRADE_CLASSES = ['delivery', 'intraday', 'future', 'option'] as const;
/** The class that decides the charges of an executed order. */
export type TradeClass = (typeof TRADE_CLASSES)[number];

/** The rates of one class of trades on one exchange: shares of the traded value, which for an option is its premium. */
export interface TradeRates {
  /** The brokerage of one executed order: the share, at most `most`; `most` itself when there is no share. */
  readonly brokerage: { readonly share: PartsPerBillion | undefined; readonly most: Paise };
  /** The exchange's transaction charge. */
  readonly transaction: PartsPerBillion;
  /** The contribution to the investor protection fund. */
  readonly investorProtection: PartsPerBillion;
  /** The turnover fee of the regulator. */
  readonly sebi: PartsPerBillion;
  readonly stt: Readonly<Record<Side, PartsPerBillion>>;
  readonly stamp: Readonly<Record<Side, PartsPerBillion>>;
  /** The clearing member's charge; no tax is on it. */
  readonly clearing: PartsPerBillion;
}

/** The charges in force on one day. Source: market-rules 6.1. */
export interface ChargeRates {
  /** Throws for a class that the exchange does not trade. */
  of(exchange: Exchange, tradeClass: TradeClass): TradeRates;
  /**
   * Goods and services tax on brokerage, transaction charge, investor protection, turnover fee and fees, in whole
   * percent.
   */
  readonly gstPercent: number;
  /** For each scrip that leaves the demat account on a day, before tax. */
  readonly depository: Paise;
  /** For each order that squared off a position at the cut-off, before tax. Source: market-rules R2.24. */
  readonly squareOff: Paise;
  /** STT on the intrinsic value of an option that is exercised in cash. */
  readonly exerciseStt: PartsPerBillion;
  /** STT on the value of shares that a derivative delivers or receives. Source: market-rules R7.2. */
  readonly physicalStt: PartsPerBillion;
  /** Stamp duty on the value of shares that a derivative delivers: the receiver pays it. */
  readonly physicalStamp: PartsPerBillion;
}

/** The rates by day, `undefined` where nothing is charged: a pure function, so that charges can be computed again. */
export interface ChargeTable {
  on(day: IstDay): ChargeRates | undefined;
}

/**
 * The trade class of an order of a product; an index does not trade. M on cash counts as I. Source: market-rules 6.1,
 * contract W9.
 */
export function tradeClassOf(kind: Exclude<InstrumentKind, 'index'>, product: Product): TradeClass {
  if (kind !== 'equity') return kind;
  return product === 'C' ? 'delivery' : 'intraday';
}
