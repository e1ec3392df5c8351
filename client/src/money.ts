/**
 * Money as decimal text of rupees, as the wire has it, and as whole paise, in which sums are exact. Only the prices of
 * candles and the `fillPrice` of trades come as numbers.
 */

/** Rupees as decimal text, such as `"100.05"` or `"-3.00"`. */
export type Rupees = string;

/** Rupees as decimal text with parts of a paisa, such as `"3.5433"`; `toPaise` refuses those. */
export type FineRupees = string;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Rupees as whole paise: `"100.05"` and 100.05 are 10005. Zeros after the second decimal are passed over.
 * @throws RangeError for other text, as a blank one, for parts of a paisa, and beyond the safe integers.
 */
export function toPaise(rupees: Rupees | number): number {
  const [, sign, whole = '', decimals = ''] = DECIMAL.exec(String(rupees)) ?? [];
  if (whole === '') throw new RangeError(`not a decimal number of rupees: ${JSON.stringify(rupees)}`);
  if (!/^0*$/.test(decimals.slice(2))) throw new RangeError(`${rupees} rupees are not whole paise`);
  const paise = Number(whole + decimals.slice(0, 2).padEnd(2, '0'));
  if (!Number.isSafeInteger(paise)) throw new RangeError(`${rupees} rupees are too much to count in paise`);
  return sign === '-' && paise !== 0 ? -paise : paise;
}

/**
 * Whole paise as decimal text of rupees with two decimals: 10005 is `"100.05"`.
 * @throws RangeError for a number that is not a safe integer.
 */
export function fromPaise(paise: number): Rupees {
  if (!Number.isSafeInteger(paise)) throw new RangeError(`not a whole number of paise: ${paise}`);
  const digits = String(Math.abs(paise)).padStart(3, '0');
  return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
