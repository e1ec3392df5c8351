/**
 * Trading symbols of contracts, in the forms of NSE and of BSE: written from their parts, and parsed into them. A
 * parsed symbol need not be listed: the master looks for its contract. Source: market-rules R1.9, R1.10.
 */
import { formatRupees, parsePrice } from '../../../base/decimal.ts';
import type { Price } from '../../../base/money.ts';
import { civilDate, dayOfCivil, type IstDay, MONTHS, twoDigits } from '../../../base/time.ts';
import type { OptionType } from '../../../core/instrument.ts';
import type { DerivativeExchange } from '../../rules/contract-cycles.ts';

const MONTH_NAMES: readonly string[] = MONTHS;
/** One character for each month, in the weekly symbols of BSE. */
const MONTH_CODES = '123456789OND';
const DATE_STYLE =
  /^([A-Z0-9&-]+?)(\d{2})(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d{2})(?:F|([CP])(\d+(?:\.\d+)?))$/;
const NATIVE_MONTHLY = /^(\d{2})(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?:FUT|(\d+(?:\.\d+)?)(CE|PE))$/;
const NATIVE_WEEKLY = /^(\d{2})([1-9OND])(\d{2})(?:FUT|(\d+(?:\.\d+)?)(CE|PE))$/;

/** The option part of a symbol; a future has none. */
export interface SymbolOption {
  readonly strike: Price;
  readonly type: OptionType;
}

/** The parts of a contract's symbol. */
export interface ContractName {
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  readonly option: SymbolOption | undefined;
}

/** The parts of a symbol of NSE, such as `NIFTY29DEC26C24000`. */
export interface DateStyleName {
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly option: SymbolOption | undefined;
}

/** The parts of a symbol of BSE after the underlying: a month, or a day for the weekly ones. */
export interface NativeName {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** The expiry of a weekly contract; `undefined` for a monthly one. */
  readonly expiryDay: IstDay | undefined;
  readonly option: SymbolOption | undefined;
}

/** The trading symbol of a contract in the grammar of its exchange. Source: market-rules R1.7, R1.9. */
export function contractSymbol(exchange: DerivativeExchange, name: ContractName): string {
  return contractSymbolHead(exchange, name) + contractSymbolTail(exchange, name.option);
}

/** The part that all contracts of an underlying and an expiry share. */
export function contractSymbolHead(exchange: DerivativeExchange, name: Omit<ContractName, 'option'>): string {
  const { year, month, day } = civilDate(name.expiryDay);
  const shortYear = twoDigits(year % 100);
  if (exchange === 'NFO') return `${name.symbol}${twoDigits(day)}${MONTHS[month - 1]}${shortYear}`;
  if (name.cycle === 'monthly') return `${name.symbol}${shortYear}${MONTHS[month - 1]}`;
  return `${name.symbol}${shortYear}${MONTH_CODES[month - 1]}${twoDigits(day)}`;
}

export function contractSymbolTail(exchange: DerivativeExchange, option: SymbolOption | undefined): string {
  if (!option) return exchange === 'NFO' ? 'F' : 'FUT';
  const strike = formatStrike(option.strike);
  return exchange === 'NFO' ? `${option.type.charAt(0)}${strike}` : `${strike}${option.type}`;
}

/** The terms in an upper-case tail, a future's has none: `C24000` or `F` on NSE, `24000CE` or `FUT` on BSE. */
export function parseContractTail(
  exchange: DerivativeExchange,
  tail: string,
): { readonly option: SymbolOption | undefined } | undefined {
  if (tail === contractSymbolTail(exchange, undefined)) return { option: undefined };
  const match = (exchange === 'NFO' ? /^([CP])(.+)$/ : /^(.+)(CE|PE)$/).exec(tail);
  if (!match) return undefined;
  const [type = '', strike = ''] = exchange === 'NFO' ? [match[1], match[2]] : [match[2], match[1]];
  const option = optionTerms(strike, type.startsWith('C') ? 'CE' : 'PE');
  return option && { option };
}

/** A strike without trailing zeros: `22500`, `432.5`. Source: market-rules R1.7. */
export function formatStrike(strike: Price): string {
  return formatRupees(strike).replace(/\.?0+$/, '');
}

/** Parses an upper-case NSE contract symbol; `undefined` when it is none. Source: market-rules R1.7. */
export function parseDateStyle(text: string): DateStyleName | undefined {
  const match = DATE_STYLE.exec(text);
  if (!match) return undefined;
  const [, symbol = '', day, monthName = '', year, type, strikeText] = match;
  const expiryDay = dayOfCivil(2000 + Number(year), monthNumber(monthName), Number(day));
  if (expiryDay === undefined) return undefined;
  if (strikeText === undefined) return { symbol, expiryDay, option: undefined };
  const option = optionTerms(strikeText, type === 'C' ? 'CE' : 'PE');
  return option && { symbol, expiryDay, option };
}

/**
 * Parses the part after the underlying of an upper-case BSE contract symbol; `undefined` for any other text. Only the
 * master knows which part of a symbol is the underlying. Source: market-rules R1.9, R1.10.
 */
export function parseNativeStyle(text: string): NativeName | undefined {
  const monthly = NATIVE_MONTHLY.exec(text);
  if (monthly) {
    const [, year, monthName = '', strike, type] = monthly;
    return native(2000 + Number(year), monthNumber(monthName), undefined, strike, type);
  }
  const weekly = NATIVE_WEEKLY.exec(text);
  if (!weekly) return undefined;
  const [, year, code = '', day, strike, type] = weekly;
  const month = MONTH_CODES.indexOf(code) + 1;
  const expiryDay = dayOfCivil(2000 + Number(year), month, Number(day));
  return expiryDay === undefined ? undefined : native(2000 + Number(year), month, expiryDay, strike, type);
}

/** 1 to 12 for `JAN` to `DEC`. */
export function monthNumber(name: string): number {
  return MONTH_NAMES.indexOf(name) + 1;
}

function native(
  year: number,
  month: number,
  expiryDay: IstDay | undefined,
  strike: string | undefined,
  type: string | undefined,
): NativeName | undefined {
  if (strike === undefined) return { year, month, expiryDay, option: undefined };
  const option = optionTerms(strike, type === 'CE' ? 'CE' : 'PE');
  return option && { year, month, expiryDay, option };
}

/** A strike has one spelling: no leading and no trailing zeros. */
function optionTerms(text: string, type: OptionType): SymbolOption | undefined {
  const strike = parsePrice(text);
  return strike !== undefined && strike > 0 && formatStrike(strike) === text ? { strike, type } : undefined;
}
