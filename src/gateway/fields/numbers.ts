import { formatRupees } from '../../base/decimal.ts';
import { averagePriceHalfUp, type Paise, type Price, type Quantity } from '../../base/money.ts';

/** An amount or a price as a JSON number of rupees (28.37). Source: contract W20, W28. */
export function rupeesNumber(amount: Paise | Price): number {
  return amount / 100;
}

/**
 * The average price of `units` that cost `amount`, two decimals half up; `0.00` for none. Source: market-rules R3.32.
 */
export function averageText(amount: Paise, units: Quantity): string {
  return formatRupees(averagePriceHalfUp(amount, units));
}

/**
 * The text of a field that may come as text or as a number (contract R3, W10): `undefined` when it is neither, or when
 * a number is not a plain decimal of at most four places.
 */
export function decimalText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
  const text = String(value);
  return /^-?\d+(\.\d{1,4})?$/.test(text) ? text : undefined;
}
