/**
 * Numbers of orders and GTTs as people shorten them: by their last digits, of which zeros in front may be left out. `7`
 * is 2611230000000007 where counts have eight digits.
 */

const LONGEST = 16;

/** The number that the digits mean, or that none or several end with them. `undefined` for text that is not digits. */
export function numberMeant<N extends string>(
  numbers: readonly N[],
  text: string,
  countDigits: number,
): N | 'none' | 'several' | undefined {
  if (!/^\d+$/.test(text) || text.length > LONGEST) return undefined;
  const end = text.padStart(countDigits, '0');
  const [only, ...others] = numbers.filter((number) => number.endsWith(end));
  if (only === undefined) return 'none';
  return others.length === 0 ? only : 'several';
}
