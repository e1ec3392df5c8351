/**
 * The request fields of the wire, each with its shape and the words of its failure. `request.ts` reads requests by
 * them; the fields of answers are in `answers.ts`.
 */

import Type, { type TSchema, type TString } from 'typebox';
import { EXCHANGES } from '../../base/ids.ts';
import { PRINTABLE, WELL_FORMED } from '../../base/printable.ts';
import { PRICE_TYPES, PRODUCTS, RETENTIONS } from '../../core/order.ts';

/**
 * The facts that the schema of a request field states beside its shape. The keys are not JSON Schema words, so
 * validators and the published document pass over them.
 */
export interface FieldWords {
  /** The whole text for a missing or empty value; the operation's own form when absent. Source: contract 3.22. */
  readonly 'x-missing'?: string;
  /** The text for a wrong value or type. */
  readonly 'x-invalid'?: string;
  /** The value may come as a JSON number too. Source: contract R3, W10. */
  readonly 'x-number'?: true;
  /** The fewest digits of such a number as text: JSON has no zeros in front. 1 when absent. */
  readonly 'x-digits'?: number;
  /** Required to be there, but `""` (or an empty list) is a value. Source: contract W11, 3.20. */
  readonly 'x-blank'?: true;
  /** Another key that older clients use. Source: contract R5. */
  readonly 'x-alias'?: string;
  /** Of a list: the word for an item, with which a refusal names its place; it names none when absent. */
  readonly 'x-part'?: string;
  readonly description?: string;
}

const PRICE = '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,4})?$';
const QUANTITY = '^[1-9][0-9]{0,8}$';

/** Any printable text of at most `maxLength` characters. */
export function text(maxLength: number, words: FieldWords = {}): TString {
  return Type.String({ maxLength, pattern: PRINTABLE, ...words });
}

/**
 * A client's own note on an order, kept in every character: it is shown in JSON alone, and never in a log. Source:
 * contract W11.
 */
export function remarks(): TString {
  const invalid = 'remarks must be text of at most 256 characters';
  return Type.String({ maxLength: 256, pattern: WELL_FORMED, 'x-blank': true, 'x-invalid': invalid });
}

/** A program's name for a strategy or a device. Source: market-rules R9.5. */
export function tag(name: string, description: string): TString {
  const invalid = `${name} must be 1 to 32 letters, digits, points, dashes, colons or underlines`;
  return Type.String({ pattern: '^[A-Za-z0-9._:-]{1,32}$', 'x-invalid': invalid, description });
}

/** Text of a grammar that may come as a number too. */
function numeric(pattern: string, words: FieldWords): TString {
  return Type.String({ pattern, 'x-number': true, ...words });
}

export function exchange(words: FieldWords = {}) {
  return Type.Enum(EXCHANGES, { 'x-invalid': 'Invalid exchange provided', ...words });
}

export function tradingSymbol(words: FieldWords = {}): TString {
  return text(96, { description: 'a special character may be URL-encoded', ...words });
}

export function side() {
  return Type.Enum(['B', 'S'], { 'x-invalid': 'transactionType must be B or S' });
}

export function product(words: FieldWords = {}) {
  return Type.Enum(PRODUCTS, { 'x-invalid': 'product must be C, M or I', ...words });
}

export function priceType() {
  return Type.Enum(PRICE_TYPES, { 'x-invalid': 'priceType must be MKT, LMT, SL-LMT or SL-MKT' });
}

export function retention() {
  return Type.Enum(RETENTIONS, { 'x-invalid': 'retention must be DAY or IOC' });
}

/** Rupees by the grammar of contract W10. */
export function price(words: FieldWords = {}): TString {
  return numeric(PRICE, { 'x-invalid': 'Invalid price format. Must be a numeric string.', ...words });
}

/** Whole units, above 0. Source: contract W10. */
export function quantity(): TString {
  return numeric(QUANTITY, { 'x-invalid': 'Invalid quantity format. Must be a whole number above 0.' });
}

/** A decimal for numbers that are not prices, such as a percentage. */
export function decimal(invalid: string): TString {
  return numeric('^-?(0|[1-9][0-9]{0,8})(\\.[0-9]{1,4})?$', { 'x-invalid': invalid });
}

/**
 * A number that the service gave to an order, a GTT or an alert. A text that cannot be one, such as one with leading
 * zeros, is answered with `unknown`: the words for a number that was not given. Source: contract W10, W22.
 */
export function givenNumber(unknown: string): TString {
  return numeric('^[1-9][0-9]{0,15}$', { 'x-invalid': unknown });
}

export const ORDER_NOT_FOUND = 'order not found or invalid';
export function orderNumber(): TString {
  return givenNumber(ORDER_NOT_FOUND);
}

/** The grammar of an Idempotency-Key: visible ASCII characters. Source: contract W25. */
export const IDEMPOTENCY_KEY = '^[!-~]{1,128}$';

export function digits(pattern: string, words: FieldWords): TString {
  return numeric(pattern, words);
}

export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema);
}

/** The fields that every operation but login begins with. Source: interface §Endpoints. */
export const SIGNED_IN = {
  userId: Type.String({ description: 'the account id used at login' }),
  jKey: Type.String({ description: 'the session token' }),
};
