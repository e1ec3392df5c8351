/**
 * Reads requests of one schema: `pick` takes the known fields out of a body, `accepts` is the check of the
 * picked fields, and `explain` walks the fields in their order for the first failure. Source: contract W3.
 */

import { IsArray, IsEnum, IsObject, IsOptional, type Static, type TObject, type TSchema } from 'typebox';
import { isJsonObject } from '../../base/json.ts';
import { type Check, checkOf } from './compiled-check.ts';
import { badRequest, type Failure, inPart, MOST_FIELDS, missingField } from './envelope.ts';
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

const NONE: readonly string[] = [];

/** Stands for a value that is too large to be read: no field accepts it. */
const TOO_LARGE = false;

interface Field {
  readonly name: string;
  readonly alias: string | undefined;
  readonly acceptsNumber: boolean;
  /** The fewest digits of a number as text. */
  readonly digits: number;
  readonly acceptsBlank: boolean;
  readonly required: boolean;
  readonly closedSet: boolean;
  readonly missing: Failure;
  readonly invalid: Failure;
  /** Reads the items of a list. */
  readonly items: RequestReader<TObject> | undefined;
  readonly mostItems: number;
  /** The word for an item of the list. */
  readonly part: string | undefined;
  /** Reads an object that is a field. */
  readonly object: RequestReader<TObject> | undefined;
  readonly check: Check;
}

export class RequestReader<T extends TObject> {
  readonly schema: T;
  private readonly fields: readonly Field[];
  /** The places of all spellings: see `spellingsOf`. */
  private readonly spellings: ReadonlyMap<string, number>;
  private readonly pickPlain: PlainPick;
  private readonly check: Check;

  constructor(schema: T, form: MissingForm) {
    this.schema = schema;
    this.check = checkOf(schema);
    this.fields = Object.entries(schema.properties).map(([name, field]) => readerOf(name, field, form));
    this.spellings = spellingsOf(this.fields);
    this.pickPlain = compilePick(this.fields);
  }

  /**
   * The schema's fields of a body; keys match in any letter case, the exact one first. `undefined` when the body has
   * more than `MOST_FIELDS` keys. Source: contract R1 to R5.
   */
  pick(body: Readonly<Record<string, unknown>>): Picked | undefined {
    const plain = this.pickPlain(body);
    if (plain !== undefined) return plain;
    const others = this.otherSpellings(body);
    if (others === undefined) return undefined;
    const picked: Picked = {};
    for (const [place, field] of this.fields.entries()) {
      let sent = body[field.name];
      // null is a value: it stands before other spellings.
      if (sent === undefined) sent = others[2 * place];
      if (sent === undefined) sent = others[2 * place + 1];
      const value = fieldValue(sent, field);
      if (value !== undefined) picked[field.name] = value;
    }
    return picked;
  }

  /**
   * The values of a body by the places of their spellings, the first of each; `undefined` when it has too many keys.
   * One walk over the body for all fields: a stranger may send thousands of keys.
   */
  private otherSpellings(body: Readonly<Record<string, unknown>>): unknown[] | undefined {
    const values: unknown[] = [];
    let seen = 0;
    for (const key in body) {
      seen += 1;
      if (seen > MOST_FIELDS) return undefined;
      const place = this.spellings.get(key) ?? this.spellings.get(key.toLowerCase());
      if (place !== undefined && values[place] === undefined) values[place] = body[key];
    }
    return values;
  }

  /** `needed`: the fields that are required beside those that always are. */
  accepts(picked: Picked, needed = NONE): picked is Picked & Static<T> {
    return this.check(picked) && needed.every((name) => name in picked);
  }

  /** The first failure: a missing field, then a wrong shape, then a word outside a closed set. */
  explain(picked: Picked, needed = NONE): Failure {
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
    alias: words['x-alias'],
    acceptsNumber: words['x-number'] === true,
    digits: words['x-digits'] ?? 1,
    acceptsBlank: words['x-blank'] === true,
    required: !IsOptional(schema),
    closedSet: IsEnum(schema),
    missing: missingFailure(name, form, words['x-missing']),
    invalid: badRequest(name, words['x-invalid'] ?? `Invalid ${name}`),
    items: IsArray(schema) && IsObject(schema.items) ? new RequestReader(schema.items, 'BAD_REQUEST') : undefined,
    mostItems: (schema as { readonly maxItems?: number }).maxItems ?? Number.POSITIVE_INFINITY,
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

/**
 * The places of all spellings: of a name, as it is and in lower case, twice the place of its field; of an alias one
 * more.
 */
function spellingsOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, { name, alias }] of fields.entries()) {
    places.set(name, 2 * place);
    places.set(name.toLowerCase(), 2 * place);
    if (alias !== undefined) places.set(alias, 2 * place + 1);
  }
  return places;
}

function fieldValue(value: unknown, field: Field): unknown {
  if (value === null && field.items && field.acceptsBlank) return [];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value === '' && (!field.acceptsBlank || field.items) ? undefined : value;
  if (field.items) return listOf(value, field.items, field);
  if (field.object && isJsonObject(value)) return field.object.pick(value) ?? TOO_LARGE;
  return field.acceptsNumber ? (decimalText(value)?.padStart(field.digits, '0') ?? value) : value;
}

function listOf(value: unknown, items: RequestReader<TObject>, { mostItems, acceptsBlank }: Field): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 0 && !acceptsBlank) return undefined;
  if (value.length > mostItems) return TOO_LARGE;
  return value.map((item: unknown) => (isJsonObject(item) ? (items.pick(item) ?? TOO_LARGE) : item));
}
