/**
 * Reads requests of one schema: `pick` takes the known fields out of a body, `accepts` is the check of the
 * picked fields, and `explain` walks the fields in their order for the first failure. Source: contract W3.
 */

import { IsArray, IsEnum, IsObject, IsOptional, type Static, type TObject, type TSchema } from 'typebox';
import { isJsonObject } from '../../base/json.ts';
import { type Check, checkOf } from './compiled-check.ts';
import { badRequest, type Failure, inPart, missingField } from './envelope.ts';
import type { FieldWords } from './fields.ts';
import { decimalText } from './numbers.ts';

/** How an operation words a missing field. Source: contract W2. */
export type MissingForm = 'MISSING_FIELD' | 'BAD_REQUEST';

/**
 * The body of a request with the schema's own keys only: texts for numbers, absent for an optional field that is blank.
 */
export type Picked = Record<string, unknown>;

/** `pick` for the bodies that it knows. */
type PlainPick = (body: Readonly<Record<string, unknown>>) => Picked | undefined;

/** The fields that the picked ones make required, beside those that always are. */
export type Needs = (picked: Picked) => readonly string[];
const NONE: readonly string[] = [];

interface Field {
  readonly name: string;
  readonly lowerName: string;
  readonly alias: string | undefined;
  readonly acceptsNumber: boolean;
  readonly acceptsBlank: boolean;
  readonly required: boolean;
  readonly closedSet: boolean;
  readonly missing: Failure;
  readonly invalid: Failure;
  /** Reads the items of a list. */
  readonly items: RequestReader<TObject> | undefined;
  /** The word for an item of the list. */
  readonly part: string | undefined;
  /** Reads an object that is a field. */
  readonly object: RequestReader<TObject> | undefined;
  readonly check: Check;
}

export class RequestReader<T extends TObject> {
  readonly schema: T;
  private readonly fields: readonly Field[];
  private readonly pickPlain: PlainPick;
  private readonly needs: Needs;
  private readonly check: Check;

  constructor(schema: T, form: MissingForm, needs: Needs = () => NONE) {
    this.schema = schema;
    this.needs = needs;
    this.check = checkOf(schema);
    this.fields = Object.entries(schema.properties).map(([name, field]) => readerOf(name, field, form));
    this.pickPlain = compilePick(this.fields);
  }

  /** The schema's fields of a body; keys match in any letter case, the exact one first. Source: contract R1 to R5. */
  pick(body: Readonly<Record<string, unknown>>): Picked {
    const plain = this.pickPlain(body);
    if (plain !== undefined) return plain;
    const picked: Picked = {};
    for (const field of this.fields) {
      const value = fieldValue(body, field);
      if (value !== undefined) picked[field.name] = value;
    }
    return picked;
  }

  accepts(picked: Picked): picked is Picked & Static<T> {
    return this.check(picked) && this.needs(picked).every((name) => name in picked);
  }

  /** The first failure: a missing field, then a wrong shape, then a word outside a closed set. */
  explain(picked: Picked): Failure {
    const needed = this.needs(picked);
    for (const field of this.fields) {
      if ((field.required || needed.includes(field.name)) && !(field.name in picked)) return field.missing;
    }
    return this.wrong(picked, false) ?? this.wrong(picked, true) ?? badRequest('body', 'the body is malformed');
  }

  private wrong(picked: Picked, closedSets: boolean): Failure | undefined {
    for (const field of this.fields) {
      const value = picked[field.name];
      if (value === undefined || field.check(value)) continue;
      if (field.closedSet && !closedSets && typeof value === 'string') continue;
      if (field.object && isJsonObject(value)) return field.object.explain(value);
      return (field.items && wrongItem(field, field.items, value)) ?? field.invalid;
    }
    return undefined;
  }
}

/**
 * The failure of the first bad element of the list in a field; `undefined` when the list itself is wrong. Source:
 * contract W13.
 */
function wrongItem({ name, part }: Field, items: RequestReader<TObject>, list: unknown): Failure | undefined {
  if (!Array.isArray(list)) return undefined;
  for (const [index, item] of list.entries()) {
    if (!isJsonObject(item)) return badRequest(name, `each element of ${name} must be an object`);
    if (!items.accepts(item)) return inPart(items.explain(item), part, index + 1);
  }
  return undefined;
}

function readerOf(name: string, schema: TSchema, form: MissingForm): Field {
  const words = schema as FieldWords;
  return {
    name,
    lowerName: name.toLowerCase(),
    alias: words['x-alias'],
    acceptsNumber: words['x-number'] === true,
    acceptsBlank: words['x-blank'] === true,
    required: !IsOptional(schema),
    closedSet: IsEnum(schema),
    missing: missingFailure(name, form, words['x-missing']),
    invalid: badRequest(name, words['x-invalid'] ?? `Invalid ${name}`),
    items: IsArray(schema) && IsObject(schema.items) ? new RequestReader(schema.items, 'BAD_REQUEST') : undefined,
    part: words['x-part'],
    object: IsObject(schema) ? new RequestReader(schema, 'BAD_REQUEST') : undefined,
    check: checkOf(schema),
  };
}

/**
 * Compiles `pick` for the bodies that nearly all clients send: every field under its own name as text, and nothing
 * else. It gives `undefined` for any other body. Code with the names in it reads each field from where it is in the
 * objects of one client, without a search.
 */
function compilePick(fields: readonly Field[]): PlainPick {
  if (fields.some(({ items, object }) => items !== undefined || object !== undefined)) return () => undefined;
  const lines = fields.map(({ name, acceptsBlank, required }, index) => {
    const key = JSON.stringify(name);
    const text = `typeof value${index} !== 'string'${acceptsBlank ? '' : ` || value${index} === ''`}`;
    const take = `if (${text}) return undefined; picked[${key}] = value${index}; unseen -= 1;`;
    return `const value${index} = body[${key}]; ${required ? take : `if (value${index} !== undefined) { ${take} }`}`;
  });
  const source = `return (body) => {
let unseen = 0;
for (const key in body) unseen += 1;
const picked = {};
${lines.join('\n')}
return unseen === 0 ? picked : undefined;
};`;
  return new Function(source)() as PlainPick;
}

function missingFailure(name: string, form: MissingForm, own: string | undefined): Failure {
  if (form === 'MISSING_FIELD') {
    return { status: 400, name: 'MISSING_FIELD', field: name, message: own ?? `${name} cannot be empty` };
  }
  return own === undefined ? missingField(name) : badRequest(name, own);
}

function fieldValue(body: Readonly<Record<string, unknown>>, field: Field): unknown {
  let value = body[field.name];
  if (value === undefined) value = otherSpelling(body, field.name, field.lowerName);
  if (value === undefined && field.alias !== undefined) value = otherSpelling(body, field.alias, field.alias);
  if (value === null && field.items && field.acceptsBlank) return [];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value === '' && (!field.acceptsBlank || field.items) ? undefined : value;
  if (field.items) return listOf(value, field.items, field.acceptsBlank);
  if (field.object && isJsonObject(value)) return field.object.pick(value);
  return field.acceptsNumber ? (decimalText(value) ?? value) : value;
}

function otherSpelling(body: Readonly<Record<string, unknown>>, name: string, lowerName: string): unknown {
  for (const key in body) {
    if (key.length === name.length && key.toLowerCase() === lowerName) return body[key];
  }
  return undefined;
}

function listOf(value: unknown, items: RequestReader<TObject>, acceptsBlank: boolean): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 0 && !acceptsBlank) return undefined;
  return value.map((item: unknown) => (isJsonObject(item) ? items.pick(item) : item));
}
