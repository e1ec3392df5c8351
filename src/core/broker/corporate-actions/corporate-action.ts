import type { InstrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';

export const CORPORATE_ACTION_KINDS = ['bonus', 'split', 'dividend'] as const;
export type CorporateActionKind = (typeof CORPORATE_ACTION_KINDS)[number];

/**
 * A company's change to its shares on an ex-date. A share has at most one on a day, so its ISIN and the day identify
 * it. Source: market-rules R7.6, R7.7.
 */
export interface CorporateAction {
  readonly kind: CorporateActionKind;
  readonly isin: string;
  /** Every listing of the share, the one that it was announced by first. */
  readonly listings: readonly InstrumentId[];
  /** The first trading day on which the share is bought without it. */
  readonly exDay: IstDay;
  /** `after` units stand for `before` units from the ex-date on; in lowest terms, 1 and 1 for a dividend. */
  readonly before: number;
  readonly after: number;
  /** Paise paid for each unit that is held when the ex-date begins; 0 unless it is a dividend. */
  readonly dividend: Price;
  /**
   * True when futures and options are adjusted: for every bonus and split, and for a dividend from 2 % of the price.
   */
  readonly adjustsContracts: boolean;
}

/**
 * The announced actions, in the order of their announcement. A new list replaces an old one, and a list never changes.
 */
export type CorporateActions = readonly CorporateAction[];

/** A dividend of a fiftieth of the price and more is special: strikes are reduced by it. Source: market-rules R7.6. */
const SPECIAL_SHARE = 50;

/**
 * True for a dividend a share of at least 2 % of the close before its announcement, both in paise. Source: market-rules
 * R7.6.
 */
export function isSpecialDividend(dividend: Price, close: Price): boolean {
  return dividend * SPECIAL_SHARE >= close;
}

export const NO_CORPORATE_ACTIONS: CorporateActions = Object.freeze([]);
