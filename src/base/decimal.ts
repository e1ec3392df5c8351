import { type Paise, type Price, paise, price, type Quantity, quantity } from './money.ts';

const PRICE_TEXT = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,4}))?$/;
const QUANTITY_TEXT = /^[1-9][0-9]{0,8}$/;

/**
 * Parses a price in rupees into paise. `undefined` for text outside the grammar, or finer than a paisa.
 * Source: contract W10.
 */
export function parsePrice(text: string): Price | undefined {
  const match = PRICE_TEXT.exec(text);
  if (!match) return undefined;
  const decimals = (match[2] ?? '').padEnd(4, '0');
  if (decimals.slice(2) !== '00') return undefined;
  return price(Number(match[1]) * 100 + Number(decimals.slice(0, 2)));
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
