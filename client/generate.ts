/**
 * Writes `src/generated/operations.ts`: the types of all requests and answers, from the schemas by which the service
 * checks requests and writes answers. `npm run generate --workspace client` runs it. A test fails while the file and
 * the schemas differ.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IsArray, IsInteger, IsNumber, IsObject, IsOptional, IsString, type TObject, type TSchema } from 'typebox';
import { EXCHANGES } from '../src/base/ids.ts';
import { INTERVALS } from '../src/gateway/endpoints/market/time-price-series.ts';
import type { Operation } from '../src/gateway/operation.ts';
import { OPERATIONS } from '../src/gateway/operations.ts';

const TARGET = join(import.meta.dirname, 'src', 'generated', 'operations.ts');

/** Sets of words that have a name. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  Exchange: EXCHANGES,
  Side: ['B', 'S'],
  Product: ['C', 'M', 'I'],
  PriceType: ['MKT', 'LMT', 'SL-LMT', 'SL-MKT'],
  Retention: ['DAY', 'IOC'],
  OrderStatus: [
    'PENDING',
    'AMO OPEN',
    'AMO MODIFIED',
    'AMO CANCELED',
    'OPEN',
    'TRIGGER_PENDING',
    'COMPLETE',
    'CANCELED',
    'REJECTED',
  ],
  Interval: INTERVALS,
};
/** Sets of words that programs offer to people: they are lists too, by these names. */
const LISTED: Readonly<Record<string, string>> = { Interval: 'INTERVALS' };
/** The fields that the client adds to every request by itself. */
const SIGNED_IN = ['userId', 'jKey'];

const HEAD = `/**
 * The requests and answers of the service. Generated from its schemas by \`client/generate.ts\`: do not edit.
 */

import type { FineRupees, Rupees } from '../money.ts';
import type { OrderNumber } from '../order-number.ts';
`;

/** A type of the file. */
interface Named {
  readonly name: string;
  readonly comment: string;
  readonly shape: TObject;
  /** The schema of the service that it is made of. Operations that share one share the type. */
  readonly schema: TObject;
}

/** The text of the generated file. */
export function generatedText(): string {
  const words = Object.entries(NAMED).map(([name, list]) => wordsText(name, list));
  const types = OPERATIONS.flatMap(typesOf);
  const table = OPERATIONS.map((operation) => `  '${nameOf(operation)}': ${entryOf(operation)};`);
  const keyed = OPERATIONS.filter(({ takesKey }) => takesKey).map(nameOf);
  const text = [
    HEAD,
    '/** A request that has no fields of its own. */\nexport type NoFields = Readonly<Record<string, never>>;',
    ...words,
    ...types.map((type) => typeText(type, types.find(({ schema }) => schema === type.schema) ?? type)),
    '/** Every operation by its path. */\nexport interface Operations {',
    ...table,
    '}',
    '/** The operations whose requests are one when they carry the same Idempotency-Key. */',
    `export type TakesKey = ${literals(keyed, ' | ')};`,
  ].join('\n');
  return formatted(text);
}

function formatted(text: string): string {
  const biome = join(import.meta.dirname, '..', 'node_modules', '.bin', 'biome');
  const args = ['format', `--stdin-file-path=${TARGET}`];
  return execFileSync(biome, args, { input: text, encoding: 'utf8', cwd: join(import.meta.dirname, '..') });
}

/** The path without its slash: `getQuote/ltp`. */
function nameOf({ path }: Operation): string {
  return path.slice(1);
}

/** `GetQuoteLtp`. */
function typeNameOf(operation: Operation): string {
  const words = nameOf(operation).split('/');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function entryOf(operation: Operation): string {
  const { data } = operation.answer;
  const name = typeNameOf(operation);
  const { slicedData } = operation;
  const answers = [data === undefined ? 'undefined' : dataTypeOf(data, name)];
  if (slicedData !== undefined) answers.push(dataTypeOf(slicedData, `${name}Slice`));
  const request = isEmpty(sentFields(operation.request)) ? 'NoFields' : `${name}Request`;
  return `{ readonly request: ${request}; readonly data: ${answers.join(' | ')} }`;
}

/** The type of the data of a success: a named object or a list of named rows, else the type itself. */
function dataTypeOf(schema: TSchema, name: string): string {
  if (IsObject(schema)) return `${name}Data`;
  return IsArray(schema) && IsObject(schema.items) ? `readonly ${name}Row[]` : typeOf(schema, '');
}

function wordsText(name: string, words: readonly string[]): string {
  const list = LISTED[name];
  if (list === undefined) return `export type ${name} = ${literals(words, ' | ')};`;
  return `export const ${list} = [${literals(words, ', ')}] as const;\nexport type ${name} = (typeof ${list})[number];`;
}

/** A type with its comment; by the name of the first one that has its schema, where that is another. */
function typeText({ name, comment, shape }: Named, first: Named): string {
  if (first.name !== name) return `${comment}\nexport type ${name} = ${first.name};`;
  return `${comment}\nexport interface ${name} ${objectType(shape)}`;
}

function typesOf(operation: Operation): Named[] {
  const name = typeNameOf(operation);
  const { request, answer, slicedData } = operation;
  const shape = sentFields(request);
  const sent = { name: `${name}Request`, comment: comment('request', operation), shape, schema: request };
  return [
    ...(isEmpty(shape) ? [] : [sent]),
    ...dataOf(answer.data, name, operation),
    ...dataOf(slicedData, `${name}Slice`, operation),
  ];
}

function dataOf(schema: TSchema | undefined, name: string, operation: Operation): Named[] {
  if (schema === undefined) return [];
  if (IsObject(schema)) {
    return [{ name: `${name}Data`, comment: comment('answer', operation), shape: schema, schema }];
  }
  if (!IsArray(schema) || !IsObject(schema.items)) return [];
  const { items } = schema;
  return [{ name: `${name}Row`, comment: comment('rows', operation), shape: items, schema: items }];
}

/** The comment of a type: `The rows of tradeBook: today's trades, oldest first.` */
function comment(part: string, operation: Operation): string {
  const { summary } = operation;
  return `/** The ${part} of ${nameOf(operation)}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}. */`;
}

/** The request without the fields that the client adds by itself. */
function sentFields(request: TObject): TObject {
  if (!('jKey' in request.properties)) return request;
  const own = Object.entries(request.properties).filter(([name]) => !SIGNED_IN.includes(name));
  return { ...request, properties: Object.fromEntries(own) };
}

function isEmpty({ properties }: TObject): boolean {
  return Object.keys(properties).length === 0;
}

function objectType(schema: TObject): string {
  const lines = Object.entries(schema.properties).map(([name, field]) => {
    const { description } = field as { readonly description?: string };
    const comment = description === undefined ? '' : `/** ${description} */\n`;
    return `${comment}readonly ${name}${IsOptional(field) ? '?' : ''}: ${typeOf(field, name)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function typeOf(schema: TSchema, name: string): string {
  if (IsArray(schema)) return `readonly ${listItem(schema.items, name)}[]`;
  if (IsObject(schema)) return objectType(schema);
  if (IsNumber(schema) || IsInteger(schema)) return 'number';
  if ('enum' in schema) return union(schema.enum as readonly string[]);
  if (IsString(schema)) return textType(schema as { readonly pattern?: string }, name);
  throw new Error(`${name} has a schema of a kind that the generator does not know: ${JSON.stringify(schema)}`);
}

function listItem(schema: TSchema, name: string): string {
  const item = typeOf(schema, name);
  return item.includes('|') ? `(${item})` : item;
}

/** Decimal numbers that are not amounts. */
const RATIOS: ReadonlySet<string> = new Set([
  'mkt_protection',
  'impliedVolatility',
  'hairCut',
  'lot_size',
  'delta',
  'gamma',
  'theta',
  'vega',
  'rho',
]);

/** The type of a text by its grammar: an order's number, a set of words, rupees, a whole number, or any text. */
function textType(schema: { readonly pattern?: string }, name: string): string {
  const { pattern = '' } = schema;
  if (name === 'orderNumber') return pattern.includes('?') ? "OrderNumber | ''" : 'OrderNumber';
  const words = wordsOf(pattern);
  if (words !== undefined) return union(words);
  const isDecimal = pattern.includes('\\.');
  if ('x-number' in schema && pattern !== '' && !isDecimal) return 'string | number';
  return isDecimal && !RATIOS.has(name) && !/[A-Za-z]/.test(pattern) ? amountType(pattern) : 'string';
}

/** The type of an amount by its grammar: it may be blank, and have more decimals than two. */
function amountType(pattern: string): string {
  const decimals = Number(/\.\[0-9\]\{(\d)\}/.exec(pattern)?.[1] ?? 2);
  const amount = decimals > 2 ? 'FineRupees' : 'Rupees';
  return new RegExp(pattern).test('') ? `${amount} | ''` : amount;
}

/** The words of a pattern such as `^(NSE|BSE)$` or `^[BS]$`; nothing for a pattern of another form. */
function wordsOf(pattern: string): readonly string[] | undefined {
  const letters = /^\^\[([A-Z]+)\]\$$/.exec(pattern)?.[1];
  if (letters !== undefined) return letters.split('');
  const list = /^\^\(([A-Za-z _|-]+)\)(\??)\$$/.exec(pattern);
  if (list !== null) return [...(list[2] === '?' ? [''] : []), ...(list[1] ?? '').split('|')];
  const only = /^\^([A-Za-z0-9]*)\$$/.exec(pattern)?.[1];
  return only === undefined ? undefined : [only];
}

/** The name of a set of words, or else the words. */
function union(words: readonly string[]): string {
  const named = Object.entries(NAMED).find(([, list]) => sameWords(list, words));
  return named === undefined ? literals(words, ' | ') : named[0];
}

function literals(words: readonly string[], between: string): string {
  return words.map((word) => `'${word}'`).join(between);
}

function sameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word) => other.includes(word));
}

if (import.meta.main) writeFileSync(TARGET, generatedText());
