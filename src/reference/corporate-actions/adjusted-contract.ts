import { type Price, price, type Quantity, quantity, roundToTick } from '../../base/money.ts';
import type { CorporateAction } from '../../core/broker/corporate-actions/corporate-action.ts';
import type { InstrumentKind } from '../../core/instrument.ts';

/** Adjusted strikes are multiples of 0.05, whatever the distance of new ones. */
export const ADJUSTED_STRIKE_UNIT = 5 as Price;

/**
 * The strike that a contract has from the ex-date on: old / factor, or less the dividend. Source: market-rules R7.6,
 * R7.7.
 */
export function adjustedStrike(strike: Price, { before, after, dividend }: CorporateAction): Price {
  const exact = (strike * before) / after - dividend;
  return price(Math.max(roundToTick(exact, ADJUSTED_STRIKE_UNIT), ADJUSTED_STRIKE_UNIT));
}

/**
 * Units of an adjusted lot, or of another quantity of the contract's terms: old x factor, rounded down to whole units.
 * Source: R7.6.
 */
export function adjustedUnits(units: Quantity, { before, after }: CorporateAction): Quantity {
  return quantity(Math.floor((units * after) / before));
}

/**
 * The price of a contract just before the ex-date in the terms of the adjusted one, in paise and not rounded. A
 * dividend is no longer in a future; in an option it is, since its strike has fallen as far. Source: market-rules R7.6,
 * R7.7.
 */
export function adjustedContractPrice(value: number, kind: InstrumentKind, action: CorporateAction): number {
  const { before, after, dividend } = action;
  return kind === 'future' ? Math.max((value * before) / after - dividend, 1) : (value * before) / after;
}
