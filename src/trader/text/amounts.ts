/**
 * Numbers as traders in India write them: 12,34,567.80. They are texts all the way, so no digit is lost.
 */

/** A decimal text with commas by lakh and crore: `1234567.8` is `12,34,567.8`. Other text stays as it is. */
export function grouped(text: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  if (whole === '') return text;
  const last = whole.slice(-3);
  const before = whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ',');
  return `${sign}${before === '' ? last : `${before},${last}`}${rest}`;
}

/** As `grouped`; nothing for a price or a quantity of zero. */
export function blankZero(text: string): string {
  return /^0(\.00)?$/.test(text) ? '' : grouped(text);
}

/** As `grouped`, with a plus in front of a gain. */
export function signed(text: string): string {
  return isAbove(text) ? `+${grouped(text)}` : grouped(text);
}

/** A number of an answer as text with two decimals. */
export function rupeesOf(value: number): string {
  return value.toFixed(2);
}

/** The direction of a change: a gain, a loss, or none of both. */
export function toneOf(change: string): 'up' | 'down' | undefined {
  if (isAbove(change)) return 'up';
  return change.startsWith('-') && isAbove(change.slice(1)) ? 'down' : undefined;
}

function isAbove(text: string): boolean {
  return /^\d/.test(text) && /[1-9]/.test(text);
}
