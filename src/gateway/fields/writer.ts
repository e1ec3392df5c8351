/**
 * Compiles the schema of an answer into a function that writes it as JSON, as `byte-writer.ts` does for quotes. So an
 * answer has the fields of its schema and no others; only candles of minutes are written by hand, to the same bytes.
 */

import {
  IsArray,
  IsInteger,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  type Static,
  type TObject,
  type TSchema,
} from 'typebox';
import { formatRupees } from '../../base/decimal.ts';

/**
 * Marks a text whose characters never need escaping in JSON (numbers, times, words of a closed set), so that it is
 * copied as it is.
 */
export const PLAIN = 'x-plain';

/**
 * Says how many decimals a number is written with. Some clients take a number without a point for paise. Source:
 * contract W28.
 */
export const DECIMALS = 'x-decimals';

/** Marks a text that is written from a number: `rupees` from paise, `integer` from a whole number. */
export const FIGURE = 'x-figure';

/** Quotes a text for JSON; the same bytes as `JSON.stringify`. */
export function jsonText(text: string): string {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/**
 * The same text in one piece. Concatenation leaves a tree of small texts, which each use of a kept text would walk
 * again.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

/**
 * Compiles the schema of an answer into a function that writes a value of it as JSON by string concatenation, in the
 * order of the schema's properties: the same bytes as `JSON.stringify`, but for numbers with `DECIMALS`. Knows objects,
 * arrays, strings and finite numbers; anything else is refused when it is compiled, so no answer can hold null, true or
 * false (contract R9).
 */
export function compileWriter<T extends TSchema>(schema: T): (value: Static<T>) => string {
  const arrays: TSchema[] = [];
  collectArrays(schema, arrays);
  const lists = arrays.map((array, index) => listSource(array, index, arrays)).join('');
  const source = `${lists}return (value) => ${expressionOf(schema, 'value', arrays)};`;
  return new Function('jsonText', 'formatRupees', source)(jsonText, formatRupees) as (value: Static<T>) => string;
}

/** Inner arrays come before the arrays that use them. */
function collectArrays(schema: TSchema, into: TSchema[]): void {
  if (IsArray(schema)) {
    collectArrays(schema.items, into);
    if (!into.includes(schema)) into.push(schema);
  } else if (IsObject(schema)) {
    for (const property of Object.values(schema.properties)) collectArrays(property, into);
  }
}

/** A function for each array of the schema, so that its loop is compiled once. */
function listSource(array: TSchema, index: number, arrays: readonly TSchema[]): string {
  const item = IsArray(array) ? expressionOf(array.items, 'item', arrays) : '';
  return `const list${index} = (list) => {
  let text = '[';
  for (let i = 0; i < list.length; i += 1) {
    const item = list[i];
    text += (i > 0 ? ',' : '') + ${item};
  }
  return text + ']';
};
`;
}

function expressionOf(schema: TSchema, name: string, arrays: readonly TSchema[]): string {
  if (IsArray(schema)) return `list${arrays.indexOf(schema)}(${name})`;
  if (IsObject(schema)) return objectExpression(schema, name, arrays);
  if (IsNumber(schema) && DECIMALS in schema) return `${name}.toFixed(${Number(schema[DECIMALS])})`;
  if (IsNumber(schema) || IsInteger(schema)) return `String(${name})`;
  if (IsString(schema) && FIGURE in schema) return figureExpression(schema[FIGURE], name);
  if (IsString(schema)) return PLAIN in schema ? `'"' + ${name} + '"'` : `jsonText(${name})`;
  throw new Error('an answer holds objects, arrays, strings and numbers only');
}

function figureExpression(figure: unknown, name: string): string {
  return `'"' + ${figure === 'rupees' ? `formatRupees(${name})` : name} + '"'`;
}

function objectExpression(schema: TObject, name: string, arrays: readonly TSchema[]): string {
  const entries = Object.entries(schema.properties);
  if (entries[0] && IsOptional(entries[0][1])) throw new Error('the first property of an answer is always there');
  const parts = entries.map(([key, property], index) => {
    const place = `${name}.${key}`;
    const written = `'${index === 0 ? '{' : ','}"${key}":' + ${expressionOf(property, place, arrays)}`;
    return IsOptional(property) ? `(${place} === undefined ? '' : ${written})` : written;
  });
  return `(${parts.join(' + ')} + '}')`;
}
