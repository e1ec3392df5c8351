import { type Paise, scaleHalfUp, ZERO_PAISE } from '../../../base/money.ts';

/**
 * The share of open orders' value that opens, when `closing` units of them close. Closing needs nothing. Source:
 * market-rules R4.25, R4.28.
 */
export function openingShare(amount: number, units: number, closing: number): Paise {
  const opening = units - closing;
  if (opening <= 0) return ZERO_PAISE;
  return closing === 0 ? (amount as Paise) : scaleHalfUp(amount as Paise, opening, units);
}
