/**
 * Prices and counts of recorded files as whole numbers: texts are read digit by digit, never through a float. A number
 * that cannot be taken comes back as one of the codes below 0, whose words are in `NUMBER_FAULTS`.
 */

/** The largest price that a column holds: 2,14,74,836.47 rupees. */
export const MOST_PAISE = 2 ** 31 - 1;
/** The largest count that a column holds. */
export const MOST_UNITS = 2 ** 48 - 1;
/** Decimals that decide whether a price lies on the paisa: within a millionth of a rupee of it. */
const MOST_DECIMALS = 6;
const DOUBLE_SLACK = 1e-4;

const NO_NUMBER = -1;
const BELOW_ZERO = -2;
const OFF_THE_PAISA = -3;
const TOO_LARGE = -4;

/** The words for each code. */
export const NUMBER_FAULTS: Readonly<Record<number, string>> = {
  [NO_NUMBER]: 'is not a number',
  [BELOW_ZERO]: 'is below zero',
  [OFF_THE_PAISA]: 'is not on the paisa',
  [TOO_LARGE]: 'is too large',
};

const ZERO = 48;
const NINE = 57;
const POINT = 46;
const MINUS = 45;

/** A price in rupees as paise, or a code. Zeros in front and spaces around it are let pass. */
export function paiseOfText(padded: string): number {
  const text = unpadded(padded);
  if (text.charCodeAt(0) === MINUS) return isNumber(text.slice(1)) ? BELOW_ZERO : NO_NUMBER;
  let at = 0;
  let paise = 0;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    paise = paise * 10 + (code - ZERO);
    if (paise > MOST_PAISE) return isNumber(text) ? TOO_LARGE : NO_NUMBER;
  }
  if (at === 0) return NO_NUMBER;
  paise *= 100;
  if (at === text.length) return paise <= MOST_PAISE ? paise : TOO_LARGE;
  if (text.charCodeAt(at) !== POINT) return NO_NUMBER;
  const decimals = paiseOfDecimals(text, at + 1);
  if (decimals < 0) return decimals;
  return paise + decimals <= MOST_PAISE ? paise + decimals : TOO_LARGE;
}

/** The decimals of a price as paise: the third to the sixth of them must be zeros, or nines. */
function paiseOfDecimals(text: string, from: number): number {
  let paise = 0;
  let zeros = true;
  let nines = text.length - from >= MOST_DECIMALS;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return NO_NUMBER;
    const place = at - from;
    if (place < 2) paise = paise * 10 + (code - ZERO);
    else if (place < MOST_DECIMALS) {
      zeros &&= code === ZERO;
      nines &&= code === NINE;
    }
  }
  if (text.length - from === 1) paise *= 10;
  if (zeros) return paise;
  return nines ? paise + 1 : OFF_THE_PAISA;
}

/** A price in rupees that a file holds as a double, as paise, or a code. */
export function paiseOfDouble(rupees: number): number {
  if (!Number.isFinite(rupees)) return NO_NUMBER;
  if (rupees < 0) return BELOW_ZERO;
  const paise = Math.round(rupees * 100);
  if (Math.abs(rupees * 100 - paise) > DOUBLE_SLACK) return OFF_THE_PAISA;
  return paise <= MOST_PAISE ? paise : TOO_LARGE;
}

/** A count of units, or a code. Zeros after a point are let pass: `69434.0`. */
export function unitsOfText(padded: string): number {
  const text = unpadded(padded);
  if (text.charCodeAt(0) === MINUS) return isNumber(text.slice(1)) ? BELOW_ZERO : NO_NUMBER;
  let units = 0;
  let at = 0;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    units = units * 10 + (code - ZERO);
    if (units > MOST_UNITS) return isNumber(text) ? TOO_LARGE : NO_NUMBER;
  }
  if (at === 0) return NO_NUMBER;
  return at === text.length || /^\.0*$/.test(text.slice(at)) ? units : NO_NUMBER;
}

/** A count of units that a file holds as a number, or a code. */
export function unitsOfNumber(units: number): number {
  if (!Number.isInteger(units)) return NO_NUMBER;
  if (units < 0) return BELOW_ZERO;
  return units <= MOST_UNITS ? units : TOO_LARGE;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d*)?$/.test(text);
}

function unpadded(text: string): string {
  const last = text.length - 1;
  return text.charCodeAt(0) <= 32 || text.charCodeAt(last) <= 32 ? text.trim() : text;
}
