/**
 * Exact money for charges: shares and percentages without a remainder, rounded once at the end. Prices and balances are
 * `Paise` of `base/money.ts`.
 */

import { assert } from '../../base/assert.ts';
import { type Paise, paise } from '../../base/money.ts';

/**
 * An amount of money in hundred-billionths of a paisa. A rate in parts of a billion and a tax in whole percent of it
 * both leave no remainder in this unit, and a `bigint` has no end, so charges are exact until they are rounded.
 */
export type ExactAmount = bigint & { readonly __brand: 'ExactAmount' };

/** A share of an amount in parts of a billion: 0.1 % is 1,000,000 and one rupee a crore is 100. */
export type PartsPerBillion = number & { readonly __brand: 'PartsPerBillion' };

export const NOTHING = 0n as ExactAmount;

const PER_PAISA = 100_000_000_000n;
const PER_RUPEE = PER_PAISA * 100n;
const PER_PART_OF_A_BILLION = PER_PAISA / 1_000_000_000n;
/** A ten-thousandth of a rupee, the finest figure that is shown. */
const PER_SHOWN = PER_RUPEE / 10_000n;

/** An amount of paise in the unit of charges. Nothing is rounded. */
export function exactly(amount: Paise): ExactAmount {
  return (BigInt(amount) * PER_PAISA) as ExactAmount;
}

/** `parts` of a billion of an amount, without rounding. */
export function shareOf(amount: Paise, parts: PartsPerBillion): ExactAmount {
  return (BigInt(amount) * BigInt(parts) * PER_PART_OF_A_BILLION) as ExactAmount;
}

/** Whole percent of an amount that is made of shares and paise, without rounding. */
export function percentOf(amount: ExactAmount, percent: number): ExactAmount {
  const hundredfold = amount * BigInt(percent);
  assert(hundredfold % 100n === 0n, 'a percentage is taken once, of shares and paise');
  return (hundredfold / 100n) as ExactAmount;
}

/** The exact sum of amounts; 0 when there are none. */
export function sumOf(...amounts: readonly ExactAmount[]): ExactAmount {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum as ExactAmount;
}

/** The least amount of which `parts` of a billion, above 0, are at least `share`. */
export function leastWithShare(share: Paise, parts: PartsPerBillion): Paise {
  const [billionfold, divisor] = [BigInt(share) * 1_000_000_000n, BigInt(parts)];
  return paise(Number((billionfold + divisor - 1n) / divisor));
}

/** To the paisa, half up. Source: market-rules R0.3. */
export function roundToPaisa(amount: ExactAmount): Paise {
  return paise(Number(halfUp(amount, PER_PAISA)));
}

/** To the whole rupee, half up, in paise. Source: market-rules R6.2. */
export function roundToRupee(amount: ExactAmount): Paise {
  return paise(Number(halfUp(amount, PER_RUPEE)) * 100);
}

/** As a number of rupees with four decimals, half up, for display. */
export function shownRupees(amount: ExactAmount): number {
  return Number(halfUp(amount, PER_SHOWN)) / 10_000;
}

function halfUp(amount: bigint, unit: bigint): bigint {
  assert(amount >= 0n, 'a charge is not negative');
  return (2n * amount + unit) / (2n * unit);
}
