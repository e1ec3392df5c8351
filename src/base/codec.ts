/**
 * How records become plain JSON values and records again. A codec names every field of its record by the record's own
 * type, so a field that was forgotten does not compile. A stored value that is not as its codec wants it is refused in
 * words: nothing of it is guessed.
 */

/** A value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

interface JsonObject {
  readonly [field: string]: Json;
}

/** A value that `JSON.stringify` writes so that the same value is read back: it has no maps, sets and functions. */
export type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...given: never[]) => unknown)
    ? never
    : { [K in keyof T]: Plain<T[K]> };

/** A stored value is not as its codec wants it. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}

/** Gives a stored value with its type. Throws `Undecodable`, with the name of the field, when it is another. */
export type Decoder<T> = (stored: Json | undefined, field: string) => T;

/** A decoder for each field of a record, those among them that the record may lack. */
export type Fields<T> = { readonly [Field in keyof T]-?: Decoder<T[Field]> };

/** The fields of a record, each of them named, also those that the record may lack. */
export type Complete<T> = { readonly [Field in keyof Required<T>]: T[Field] };

/** A whole number that is counted exactly. */
export function whole<T extends number>(stored: Json | undefined, field: string): T {
  if (Number.isSafeInteger(stored)) return stored as T;
  throw wrong(stored, field, 'a whole number');
}

/** A number, whole or not. */
export function real<T extends number>(stored: Json | undefined, field: string): T {
  if (typeof stored === 'number') return stored as T;
  throw wrong(stored, field, 'a number');
}

export function text(stored: Json | undefined, field: string): string {
  if (typeof stored === 'string') return stored;
  throw wrong(stored, field, 'a text');
}

export function flag(stored: Json | undefined, field: string): boolean {
  if (typeof stored === 'boolean') return stored;
  throw wrong(stored, field, 'true or false');
}

/** One of the values that are named. */
export function oneOf<T extends string | number | boolean>(...values: readonly T[]): Decoder<T> {
  const known = new Map<Json | undefined, T>(values.map((value) => [value, value]));
  return (stored, field) => {
    const value = known.get(stored);
    if (value === undefined) throw wrong(stored, field, `one of ${values.join(', ')}`);
    return value;
  };
}

/** A field that a record may lack. */
export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (stored, field) => (stored === undefined ? undefined : decode(stored, field));
}

/** A value, or `null` where there is none. */
export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
  return (stored, field) => (stored === null ? null : decode(stored, field));
}

/** A list of which every item is decoded. It is one that nobody else has. */
export function list<T>(decode: Decoder<T>): Decoder<T[]> {
  return (stored, field) => {
    if (!Array.isArray(stored)) throw wrong(stored, field, 'a list');
    return stored.map((item) => decode(item, field));
  };
}

/** The places of a row: a list of at least `least` values and at most `most`. */
export function places(stored: Json | undefined, field: string, least: number, most = least): readonly Json[] {
  if (Array.isArray(stored) && stored.length >= least && stored.length <= most) return stored;
  throw wrong(stored, field, `a row of ${most === least ? least : `${least} to ${most}`} values`);
}

/** A row of two values. */
export function pair<One, Other>(one: Decoder<One>, other: Decoder<Other>): Decoder<readonly [One, Other]> {
  return (stored, field) => {
    const [first, second] = places(stored, field, 2);
    return [one(first, field), other(second, field)];
  };
}

/**
 * A record that is stored as it is, field by field in the order that it has: the stored form is a copy of it. Decoding
 * gives a new record with the fields in that order. A record with an unknown field, or without a required one, is
 * refused.
 */
export function record<T extends object>(fields: Fields<Plain<T>>): Decoder<T> {
  const names = Object.keys(fields) as (keyof Plain<T> & string)[];
  const known: ReadonlySet<string> = new Set(names);
  return (stored, field) => {
    const found: object = { ...objectOf(stored, field) };
    for (const name in found)
      if (!known.has(name)) throw new Undecodable(`${field} has the field ${name}, which is unknown`);
    const values = found as JsonObject;
    for (const name of names) fields[name](values[name], name);
    return found as T;
  };
}

/** The fields of a stored object. */
export function objectOf(stored: Json | undefined, field: string): JsonObject {
  if (isObject(stored)) return stored;
  throw wrong(stored, field, 'an object');
}

function isObject(stored: Json | undefined): stored is JsonObject {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored);
}

/** How much of a wrong value is shown, in characters. */
const SHOWN = 80;

function wrong(stored: Json | undefined, field: string, wanted: string): Undecodable {
  if (stored === undefined) return new Undecodable(`${field} is missing`);
  return new Undecodable(`${field} is ${JSON.stringify(stored).slice(0, SHOWN)}, not ${wanted}`);
}
