import type { AccountId, InstrumentId, OrderNumber } from '../../base/ids.ts';
import type { Paise, Quantity } from '../../base/money.ts';
import type { Product } from '../order.ts';
import type { ContractNote } from './contract-note.ts';

/**
 * The extra charges of shares by a conversion, in paise; below 0 the account gets them back. Source: market-rules 6.1.
 */
export interface ConversionCosts {
  readonly brokerage: Paise;
  /** All that the broker passes on, the depository's fee among it. */
  readonly levies: Paise;
}

/**
 * Shares that were converted between intraday and delivery are charged as the new product. Source: market-rules 6.1,
 * R5.16.
 */
export interface ConversionCharged extends ConversionCosts {
  readonly type: 'ConversionCharged';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly from: Product;
  readonly to: Product;
  readonly quantity: Quantity;
  /**
   * The orders that it took units of, each with all of its units that are now charged as the class that it was not
   * placed for.
   */
  readonly units: readonly (readonly [order: OrderNumber, units: Quantity])[];
}

/** The charges of the day, as its contract note has them. Source: market-rules section 6. */
export interface ChargesPosted {
  readonly type: 'ChargesPosted';
  readonly account: AccountId;
  readonly note: ContractNote;
  /** The part of the note that was posted at conversions; absent when there were none. */
  readonly paid?: ConversionCosts;
}
