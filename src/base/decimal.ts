/**
 * Texts of prices, quantities and amounts, and the numbers behind them: parsing refuses any text outside the grammar
 * of the wire, formatting writes rupees with two decimals. Arithmetic on amounts is in `money.ts`.
 */
import { type Paise, type Price, paise, price, type Quantity, quantity } from './money.ts';

/** Digits before the point of a price at most. */
const MOST_RUPEE_DIGITS = 9;
/** Decimals of a price at most, of which those after the second must be zeros. */
const MOST_DECIMALS = 4;
const ZERO = 48;
const POINT = 46;
const QUANTITY_TEXT = /^[1-9][0-9]{0,8}$/;

/**
 * Parses a price in rupees into paise. `undefined` for text outside the grammar, or finer than a paisa.
 * Source: contract W10.
 */
export function parsePrice(text: string): Price | undefined {
  // By hand: every order has prices, and a match would be garbage of each.
  let at = 0;
  let rupees = 0;
  for (; at < text.length; at += 1) {
    const digit = digitAt(text, at);
    if (digit === undefined) break;
    rupees = rupees * 10 + digit;
  }
  if (at === 0 || at > MOST_RUPEE_DIGITS || (at > 1 && digitAt(text, 0) === 0)) return undefined;
  const decimals = at === text.length ? 0 : decimalsAt(text, at);
  return decimals === undefined ? undefined : price(rupees * 100 + decimals);
}

/** The paise after a point at `point`; `undefined` for anything else, or finer than a paisa. */
function decimalsAt(text: string, point: number): number | undefined {
  const count = text.length - point - 1;
  if (text.charCodeAt(point) !== POINT || count < 1 || count > MOST_DECIMALS) return undefined;
  let paise = 0;
  for (let place = 0; place < MOST_DECIMALS; place += 1) {
    const digit = place < count ? digitAt(text, point + 1 + place) : 0;
    if (digit === undefined || (place >= 2 && digit !== 0)) return undefined;
    if (place < 2) paise = paise * 10 + digit;
  }
  return paise;
}

function digitAt(text: string, at: number): number | undefined {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : undefined;
}

/** Parses a quantity of units; `undefined` for text outside the grammar. Source: contract W10. */
export function parseQuantity(text: string): Quantity | undefined {
  return QUANTITY_TEXT.test(text) ? quantity(Number(text)) : undefined;
}

/** Parses an amount in rupees, as an operator types it, into paise. */
export function parseRupees(text: string): Paise | undefined {
  const match = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,2}))?$/.exec(text);
  if (!match) return undefined;
  return paise(Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')));
}

/** Rupees with two decimals and no commas. Source: market-rules R0.2. */
export function formatRupees(amount: Paise | Price): string {
  const magnitude = Math.abs(amount);
  const rupees = Math.floor(magnitude / 100);
  const rest = magnitude - rupees * 100;
  const text = `${rupees}.${rest < 10 ? '0' : ''}${rest}`;
  return amount < 0 ? `-${text}` : text;
}

/** Rupees with two decimals and Western commas, for refusal texts only. Source: market-rules R3.25. */
export function formatRupeesWithCommas(amount: Paise | Price): string {
  const text = formatRupees(amount);
  const dot = text.indexOf('.');
  return text.slice(0, dot).replace(/\B(?=(\d{3})+$)/g, ',') + text.slice(dot);
}
