import { type Paise, paise } from '../../base/money.ts';

/*
 * Inside of margins amounts are whole numbers of a part of a paisa, so that sums are exact whatever their order. They
 * become paise once, at the end.
 */

/** Losses, option values and charges are in hundredths of a paisa, the unit of a SPAN parameter file. */
export const PER_PAISA = 100;
/** Rates are whole basis points, so that a rate of a price is a whole number of these. */
export const BASIS_POINTS = 10_000;
/**
 * Composite deltas are in hundred-thousandths of a unit, the five places of a published file. Source: market-rules
 * R4.5.
 */
export const PER_UNIT = 100_000;

/** Paise, half up, of an amount in parts of a paisa. Source: market-rules R0.3. */
export function toPaise(amount: number, parts: number): Paise {
  return paise(Math.floor(amount / parts + 0.5));
}

/** A product of whole numbers up to here, divided by a hundred thousand, keeps what decides its rounding. */
const PLAIN = 2 ** 50;

/** `units` in hundred-thousandths times a rate of hundredths of a paisa a unit, in hundredths of a paisa, half up. */
export function chargeOf(units: number, rate: number): number {
  const product = units * rate;
  if (product < PLAIN) return Math.floor(product / PER_UNIT + 0.5);
  const whole = Math.floor(units / PER_UNIT);
  return whole * rate + Math.floor(((units - whole * PER_UNIT) * rate) / PER_UNIT + 0.5);
}
