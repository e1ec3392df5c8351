import assert from 'node:assert/strict';
import { canonical } from './canonical.ts';

/** A response as a client sees it. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export const T1 = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d (0[1-9]|[12]\d|3[01])-(0[1-9]|1[0-2])-\d{4}$/;
export const T2 = /^(0[1-9]|[12]\d|3[01])-(0[1-9]|1[0-2])-\d{4} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
export const T3 =
  /^(0[1-9]|[12]\d|3[01])-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{4} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
export const T4 = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
export const RUPEES = /^-?\d+\.\d{2}$/;
export const INTEGER = /^(0|-?[1-9]\d*)$/;
export const ORDER_NUMBER = /^\d{16}$/;
export const TEXT = /^[\s\S]*$/;

/** The paise of an amount in rupees; NaN without one. */
export function paiseOf(text: string | undefined): number {
  return Math.round(Number(text) * 100);
}

/** How one field of an answer must look: a text that matches, a JSON number, or a shape inside. */
export type Matcher = RegExp | 'number' | Shape | readonly [Matcher];
export interface Shape {
  readonly [field: string]: Matcher;
}

/**
 * Checks every value against its matcher, and that the fields are these, in this order. A name that ends in `?` may be
 * absent.
 */
export function assertShape(value: unknown, matcher: Matcher, place = 'data'): void {
  if (matcher instanceof RegExp) {
    assert.equal(typeof value, 'string', `${place} is text`);
    assert.match(value as string, matcher, place);
  } else if (matcher === 'number') {
    assert.ok(Number.isFinite(value), `${place} is a number`);
  } else if (Array.isArray(matcher)) {
    assert.ok(Array.isArray(value), `${place} is a list`);
    for (const [i, item] of value.entries()) assertShape(item, (matcher as readonly [Matcher])[0], `${place}[${i}]`);
  } else {
    assertRecord(value, matcher as Shape, place);
  }
}

function assertRecord(value: unknown, shape: Shape, place: string): void {
  const record = value as Record<string, unknown>;
  const present = Object.entries(shape).filter(([name]) => !name.endsWith('?') || name.slice(0, -1) in record);
  const names = present.map(([name]) => name.replace(/\?$/, ''));
  assert.deepEqual(Object.keys(record), names, `the fields of ${place}`);
  for (const [i, [, matcher]] of present.entries())
    assertShape(record[names[i] ?? ''], matcher, `${place}.${names[i]}`);
}

/**
 * Every body anywhere: JSON without null, true and false, without escaped slashes or surrogates. Source: contract R9,
 * R12, W29.
 */
export function assertAnyBody(seen: Seen): unknown {
  assert.match(String(seen.headers['content-type']), /^application\/json/);
  assert.equal(seen.headers['x-market'], 'simulated');
  assert.equal(seen.headers['cache-control'], 'no-store');
  assert.equal(seen.headers['x-content-type-options'], 'nosniff');
  assert.doesNotMatch(seen.text, /(?<!\\)(?:\\\\)*\\(?:\/|u[dD][89a-fA-F])/);
  const body: unknown = JSON.parse(seen.text);
  assertNoBareWords(body, 'body');
  assert.equal(canonical(seen.text), JSON.stringify(body), 'the body is compact and canonical');
  return body;
}

function assertNoBareWords(value: unknown, place: string): void {
  assert.ok(value !== null && typeof value !== 'boolean', `${place} is ${value}`);
  if (typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value as object)) assertNoBareWords(inner, `${place}.${key}`);
}

/** The failure envelope, whole. Source: interface §Errors, contract R10, R11. */
export function assertFailure(seen: Seen, status: number, name: string, field: string, message?: string): void {
  const body = assertAnyBody(seen) as { error: { message: string } };
  assert.equal(seen.status, status, seen.text);
  const expected = { status: 'failed', code: String(status), name, error: { field, message: body.error?.message } };
  assert.deepEqual(body, expected);
  assert.deepEqual(Object.keys(body), ['status', 'code', 'name', 'error']);
  if (message !== undefined) assert.equal(body.error.message, message);
  else assert.ok(body.error.message.length > 0);
}

/** The success envelope; returns `data`. Source: contract R10. */
export function assertSuccess(seen: Seen, message: string): unknown {
  const body = assertAnyBody(seen) as { status: string; message: string; data: unknown };
  assert.equal(seen.status, 200, seen.text);
  assert.deepEqual(Object.keys(body), ['status', 'message', 'data']);
  assert.equal(body.status, 'success');
  assert.equal(body.message, message);
  return body.data;
}
