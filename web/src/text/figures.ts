/**
 * Figures as people read them. The service sends decimal text; nothing here adds, rounds or compares money. Grouping is
 * that of India: `12,34,567.89`.
 */

const MINUS = '\u2212';
const LAST_GROUP = /(\d)(?=(\d\d)+\d(?:\.|$))/g;

/** Decimal text with Indian grouping and a true minus; other text as it is. */
export function grouped(decimal: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(decimal)) return decimal;
  const isNegative = decimal.startsWith('-');
  const [whole = '', decimals] = decimal.replace('-', '').split('.');
  const text = `${whole.replace(LAST_GROUP, '$1,')}${decimals === undefined ? '' : `.${decimals}`}`;
  return isNegative ? MINUS + text : text;
}

/** As `grouped`, with a plus before what is above zero: for results and changes. */
export function signed(decimal: string): string {
  return signOf(decimal) > 0 ? `+${grouped(decimal)}` : grouped(decimal);
}

/** -1, 0 or 1. */
export function signOf(decimal: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(decimal)) return 0;
  return decimal.startsWith('-') ? -1 : 1;
}

/** The class that colours a result; its sign stands in the text too. */
export function signClass(decimal: string): string {
  const sign = signOf(decimal);
  return sign > 0 ? 'gain' : sign < 0 ? 'loss' : '';
}
