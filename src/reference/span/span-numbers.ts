/**
 * Numbers and dates of SPAN files: texts as whole numbers in the units that margins are reckoned in, and the words for
 * the faults of such texts. Prices of the wire are parsed in `base/decimal.ts`.
 */
import type { Price } from '../../base/money.ts';
import { dayOfCivil, type IstDay } from '../../base/time.ts';

const DECIMAL = /^[+-]?[0-9]{1,12}(\.[0-9]{0,12})?$/;

/** The fault of a text that had to be a number. */
export const NOT_A_NUMBER = 'this is not a number';

/** A figure of one unit is at most ten lakh rupees, so that margins of large positions stay whole numbers. */
const MOST_RUPEES = 1_000_000;

/** Hundredths of a paisa in a rupee: the unit of risk arrays and rates. */
const ARRAY_UNITS = 10_000;
/** A composite delta has five places. Source: market-rules R4.5. */
const DELTA_UNITS = 100_000;

/**
 * A decimal in rupees as whole hundredths of a paisa, half away from zero; `undefined` for text that is none, and
 * beyond `MOST_RUPEES`.
 */
export function arrayUnits(text: string): number | undefined {
  return scaled(text, ARRAY_UNITS);
}

/** The fault of a text that is not a figure in rupees. */
export function figureFault(text: string): string {
  return DECIMAL.test(text) ? `it is ${text}: below what it can be, or beyond ${MOST_RUPEES} rupees` : NOT_A_NUMBER;
}

/** A composite delta of one unit, from -1 to 1, in hundred-thousandths. */
export function deltaUnits(text: string): number | undefined {
  const delta = scaled(text, DELTA_UNITS);
  return delta === undefined || Math.abs(delta) > DELTA_UNITS ? undefined : delta;
}

/** A price in rupees, 0 to `MOST_RUPEES`, as paise. */
export function spanPrice(text: string): Price | undefined {
  const price = scaled(text, 100);
  return price === undefined || price < 0 ? undefined : (price as Price);
}

/** `YYYYMMDD`. */
export function spanDay(text: string): IstDay | undefined {
  const match = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text);
  return match ? dayOfCivil(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

/** A plain decimal as it is. */
export function spanDecimal(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/** The fault of a number that is not `value`, the only one that margins are reckoned with; `undefined` when it is. */
export function only(text: string, value: number): string | undefined {
  return spanDecimal(text) === value ? undefined : `it is ${text}; only ${value} is read`;
}

function scaled(text: string, units: number): number | undefined {
  if (!DECIMAL.test(text) || Math.abs(Number(text)) > MOST_RUPEES) return undefined;
  const value = Number(text) * units;
  const whole = Math.round(Math.abs(value));
  return value < 0 && whole > 0 ? -whole : whole;
}
