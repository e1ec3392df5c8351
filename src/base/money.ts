/**
 * Money, prices and quantities as branded whole numbers: paise, paise a unit, and units. A function here ends the
 * process when its result is not a safe integer. Texts of amounts are in `decimal.ts`.
 */
import { assert, InvariantError } from './assert.ts';
import type { Brand } from './brand.ts';

/** An amount of money in integer paise. */
export type Paise = Brand<'Paise'>;
/** A price in integer paise for one unit. */
export type Price = Brand<'Price'>;
/** A count of units (shares, or units of the underlying): an integer. */
export type Quantity = Brand<'Quantity'>;

export const ZERO_PAISE = 0 as Paise;
export const ZERO_PRICE = 0 as Price;
export const ZERO_QUANTITY = 0 as Quantity;

function checked(value: number): number {
  if (!Number.isSafeInteger(value)) throw new InvariantError(`not a safe integer: ${value}`);
  return value;
}

/** Brands a safe integer as paise; anything else is a bug. */
export function paise(value: number): Paise {
  return checked(value) as Paise;
}

/** Brands a safe integer as a price in paise. */
export function price(value: number): Price {
  return checked(value) as Price;
}

/** Brands a safe integer as a quantity of units. */
export function quantity(value: number): Quantity {
  return checked(value) as Quantity;
}

/** `unitPrice` times `units`, in paise; checked against the safe range. */
export function amountOf(unitPrice: Price, units: Quantity): Paise {
  return checked(unitPrice * units) as Paise;
}

export function addPaise(a: Paise, b: Paise): Paise {
  return checked(a + b) as Paise;
}

export function subtractPaise(a: Paise, b: Paise): Paise {
  return checked(a - b) as Paise;
}

export function negatePaise(a: Paise): Paise {
  return (a === 0 ? 0 : -a) as Paise;
}

/**
 * `amount` times `numerator / denominator`, rounded half up (away from zero for negative amounts) to the paisa,
 * exactly.
 * Source: market-rules R0.3.
 */
export function scaleHalfUp(amount: Paise, numerator: number, denominator: number): Paise {
  return divideHalfUp(amount, numerator, denominator) as Paise;
}

/** `amount / units` as a price in paise, half up; 0 when there are no units. The division happens where it is shown. */
export function averagePriceHalfUp(amount: Paise, units: Quantity): Price {
  if (units === 0) return ZERO_PRICE;
  return divideHalfUp(amount, 1, units) as Price;
}

/** The largest multiple of `tick` that is not above `value`. */
export function floorToTick(value: number, tick: Price): Price {
  return (Math.floor(value / tick) * tick) as Price;
}

/** The smallest multiple of `tick` that is not below `value`. */
export function ceilToTick(value: number, tick: Price): Price {
  return (Math.ceil(value / tick) * tick) as Price;
}

/** The multiple of `tick` nearest to `value`, halves up. */
export function roundToTick(value: number, tick: Price): Price {
  return (Math.floor(value / tick + 0.5) * tick) as Price;
}

function divideHalfUp(value: number, numerator: number, denominator: number): number {
  const product = value * numerator;
  if (Number.isSafeInteger(product * 2) && denominator > 0) {
    const magnitude = Math.floor((2 * Math.abs(product) + denominator) / (2 * denominator));
    return product < 0 ? -magnitude : magnitude;
  }
  return divideHalfUpExact(BigInt(value) * BigInt(numerator), BigInt(denominator));
}

function divideHalfUpExact(product: bigint, denominator: bigint): number {
  assert(denominator > 0n, 'division by zero');
  const magnitude = ((product < 0n ? -product : product) * 2n + denominator) / (2n * denominator);
  return checked(Number(product < 0n ? -magnitude : magnitude));
}
