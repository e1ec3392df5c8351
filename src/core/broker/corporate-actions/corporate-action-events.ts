/**
 * The events of corporate actions: announced and withdrawn, dividends paid, holdings and positions adjusted. The action
 * itself is in `corporate-action.ts`.
 */

import type { AccountId, InstrumentId } from '../../../base/ids.ts';
import type { Paise, Price, Quantity } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { Product } from '../../order.ts';
import type { CorporateAction } from './corporate-action.ts';

/** A company has announced a change to its shares. Source: market-rules R7.6. */
export interface CorporateActionAnnounced {
  readonly type: 'CorporateActionAnnounced';
  readonly action: CorporateAction;
}

export interface CorporateActionWithdrawn {
  readonly type: 'CorporateActionWithdrawn';
  readonly isin: string;
  readonly exDay: IstDay;
}

/** A holder of shares on the ex-date has his dividend. */
export interface DividendPaid {
  readonly type: 'DividendPaid';
  readonly account: AccountId;
  readonly isin: string;
  readonly instrument: InstrumentId;
  readonly units: Quantity;
  /** Paise for each unit. */
  readonly dividend: Price;
  readonly amount: Paise;
}

/** Shares after a bonus or a split; their cost stays. Source: market-rules R7.6. */
export interface HoldingAdjusted {
  readonly type: 'HoldingAdjusted';
  readonly account: AccountId;
  readonly isin: string;
  readonly instrument: InstrumentId;
  /** How many units more there are. */
  readonly issued: number;
  readonly settled: Quantity;
  readonly unsettled: Quantity;
  readonly pledged: Quantity;
  /** Paid for the fraction of a unit. */
  readonly cash: Paise;
}

/**
 * A position goes on in the contract that a corporate action has put in the place of `from`, with these carried
 * quantities and amounts.
 * Source: market-rules R7.6.
 */
export interface PositionAdjusted {
  readonly type: 'PositionAdjusted';
  readonly account: AccountId;
  readonly product: Product;
  readonly from: InstrumentId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly isin: string;
  readonly carriedBuyQuantity: Quantity;
  readonly carriedBuyAmount: Paise;
  readonly carriedSellQuantity: Quantity;
  readonly carriedSellAmount: Paise;
  readonly carriedCost: Paise;
  /** Paid for the units beyond whole units of the new lot; below 0 the account pays. */
  readonly cash: Paise;
}
