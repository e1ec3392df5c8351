/**
 * The wire as an OpenAPI 3.1 document, made from the schemas by which requests are checked and answers are written.
 * `documents.ts` serves it.
 */

import { IsArray, IsObject, IsOptional, IsString, type TSchema } from 'typebox';
import { SYMBOL_FILES, type SymbolFile } from '../base/ids.ts';
import { PRINTABLE, VISIBLE, WELL_FORMED } from '../base/printable.ts';
import { IDEMPOTENCY_KEY } from './fields/fields.ts';
import type { Operation } from './operation.ts';
import { BASE, OPERATIONS } from './operations.ts';
import { exampleBody } from './reference/example-bodies.ts';
import { grouped, groupOf } from './reference/operation-groups.ts';

export type Json = string | number | boolean | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

const FAILURES: Readonly<Record<string, string>> = {
  400: 'a field is missing or wrong',
  401: 'bad credentials, token or user id',
  403: 'orders of this account come from another address',
  413: 'the body is larger than 64 KiB',
  415: 'Content-Type is not application/json, or the body is encoded',
  429: 'too many requests',
  500: 'internal server error',
  503: 'the service takes no commands now',
};
const MARKET_HEADER: JsonObject = {
  'X-Market': { schema: { type: 'string', enum: ['simulated', 'replay', 'live'] } },
  'X-Scenarios': {
    schema: { type: 'string', enum: ['on'] },
    description: 'there while outcomes can be asked for',
  },
};

const RETRY_AFTER: JsonObject = { 'Retry-After': { schema: { type: 'integer' }, description: 'seconds' } };
const TRIED_AGAIN: ReadonlySet<string> = new Set(['429', '503']);
/** Source: contract W25. */
const KEY_HEADER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'the same key with the same body is the same request for a day',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY },
};

const DESCRIPTION = `A brokerage trading interface. All times are IST.

Beside it: [guides](/docs/guides), [errors by name](/docs/errors), the sockets as
[AsyncAPI](/asyncapi.json), and collections for [Postman](/docs/sauda.postman_collection.json) and
[Bruno](/docs/sauda.bruno.zip). For programs that read: [llms.txt](/llms.txt).`;
const SYMBOL_FILE_GROUP = 'Symbol files';

/**
 * The wire as an OpenAPI 3.1 document, made of the very schemas that requests are checked by and answers written by.
 * With `slicing` an order may be answered as several.
 */
export function openApiDocument(slicing: 'on' | 'off'): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) paths[operation.path] = { post: operationObject(operation, slicing) };
  for (const file of SYMBOL_FILES) paths[`/symbols/${file}`] = { get: symbolFileObject(file) };
  return {
    openapi: '3.1.0',
    info: { title: 'Sauda V1', version: '1', description: DESCRIPTION },
    servers: [{ url: BASE }],
    tags: [...grouped(OPERATIONS).keys(), SYMBOL_FILE_GROUP].map((name) => ({ name })),
    paths,
    components: { schemas: { Failure: failureSchema() } },
  };
}

function operationObject(operation: Operation, slicing: 'on' | 'off'): Json {
  const responses: Record<string, Json> = { 200: response(operation.summary, successSchema(operation, slicing)) };
  for (const [status, text] of Object.entries(FAILURES)) {
    const failure = { $ref: '#/components/schemas/Failure' };
    responses[status] = response(text, failure, TRIED_AGAIN.has(status) ? RETRY_AFTER : {});
  }
  return {
    operationId: operation.path.slice(1).replaceAll('/', '_'),
    summary: operation.summary,
    tags: [groupOf(operation.path)],
    ...(operation.takesKey ? { parameters: [KEY_HEADER] } : {}),
    requestBody: { required: true, content: { 'application/json': requestContent(operation) } },
    responses,
  };
}

function requestContent(operation: Operation): JsonObject {
  return { schema: published(operation.request, true), example: exampleBody(operation) };
}

function response(description: string, schema: Json, headers: JsonObject = {}): Json {
  return { description, headers: { ...MARKET_HEADER, ...headers }, content: { 'application/json': { schema } } };
}

function symbolFileObject(file: SymbolFile): Json {
  const content = { 'text/csv': { schema: { type: 'string' } } };
  return {
    operationId: `symbols_${file}`,
    tags: [SYMBOL_FILE_GROUP],
    summary: `${file === 'Indices' ? 'The contracts on indices' : `The instruments of ${file}`} as CSV`,
    responses: { 200: { description: 'the instrument master', headers: MARKET_HEADER, content } },
  };
}

/** Source: contract R10. */
function successSchema({ answer, slicedData }: Operation, slicing: 'on' | 'off'): Json {
  const properties: Record<string, Json> = { status: { const: 'success' } };
  if (answer.message !== undefined) properties.message = { const: answer.message };
  if (answer.data !== undefined) properties.data = published(answer.data);
  if (slicing === 'on' && answer.data !== undefined && slicedData !== undefined) {
    properties.data = { anyOf: [published(answer.data), published(slicedData)] };
  }
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Source: interface §Errors. */
export function failureSchema(): Json {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['status', 'code', 'name', 'error'],
    properties: {
      status: { const: 'failed' },
      code: { type: 'string', description: 'the HTTP status' },
      name: text,
      error: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
    },
  };
}

/** Well-formed text goes without saying, and validators of other languages cannot read the patterns. */
const UNPUBLISHED: ReadonlySet<unknown> = new Set([PRINTABLE, WELL_FORMED, VISIBLE]);

function isPublished(word: string, value: unknown): boolean {
  return !word.startsWith('x-') && word !== 'properties' && word !== 'items' && !UNPUBLISHED.has(value);
}

/**
 * A schema without the words that only this service reads; a field that may be a number says so. `sent`: it is of what
 * a client sends.
 */
export function published(schema: TSchema, sent = false): JsonObject {
  const own: Record<string, Json> = {};
  for (const [word, value] of Object.entries(schema)) if (isPublished(word, value)) own[word] = value as Json;
  if (IsArray(schema)) return { ...own, items: published(schema.items, sent) };
  if (IsString(schema) && 'x-number' in schema) return { ...own, type: ['string', 'number'] };
  if (!IsObject(schema)) return own;
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const told = published(field, sent);
    return [name, sent && IsOptional(field) ? orBlank(told) : told] as const;
  });
  return { ...own, properties: Object.fromEntries(properties) };
}

/** A blank is not a value where none is needed. Source: contract R4. */
function orBlank(field: JsonObject): JsonObject {
  const { pattern, enum: words } = field;
  if (field.type === 'object') return { anyOf: [field, { const: '' }] };
  if (Array.isArray(words)) return { ...field, enum: [...words, ''] };
  return typeof pattern === 'string' ? { ...field, pattern: `^$|${pattern}` } : field;
}
