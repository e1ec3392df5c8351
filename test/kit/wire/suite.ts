import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, assertShape, assertSuccess, type Matcher } from './wire-checks.ts';
import { ALICE, BOB, openWorld, type World } from './world.ts';

/** The values that a field takes besides text of its grammar: text only, numbers too, or text that may be blank. */
export type FieldKind = 'text' | 'number' | 'blank' | 'list';

/** The contract of one operation as a table. */
export interface OperationContract {
  readonly path: string;
  readonly message: string;
  /** A request that succeeds, without userId and jKey. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The required fields with the failure for a missing one: `[name, message]`. */
  readonly required?: Readonly<Record<string, readonly [name: string, message: string]>>;
  /** Every field with the kind of value it takes. */
  readonly fields?: Readonly<Record<string, FieldKind>>;
  readonly jKeyMissing?: string;
  /** How the data of a success look. */
  readonly data: Matcher;
  /** Makes the books that the success is asked of. */
  readonly prepare?: (world: World) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Runs the tests that every operation behind a session has, from its table. */
export function contractOf(contract: OperationContract): void {
  const { path, message } = contract;
  const inWorld = async (run: (world: World, request: Readonly<Record<string, unknown>>) => Promise<void>) => {
    const world = await openWorld();
    try {
      await run(world, { ...contract.request, ...(await contract.prepare?.(world)) });
    } finally {
      await world.close();
    }
  };

  test(`${path} answers a success in its documented shape`, () =>
    inWorld(async (world, request) => {
      assertShape(assertSuccess(await world.call(path, ALICE, request), message), contract.data);
    }));

  test(`${path} matches body keys in any letter case and ignores unknown ones`, () =>
    inWorld(async (world, request) => {
      const shouted = Object.entries({ ...ALICE.credentials, ...request }).map(([key, value]) => [
        key.toUpperCase(),
        value,
      ]);
      const seen = await world.post(path, { ...Object.fromEntries(shouted), source: 'API', __proto__: { a: 1 } });
      assertSuccess(seen, message);
    }));

  test(`${path} refuses a request without a session`, () =>
    inWorld(async (world, request) => {
      const { userId, jKey } = ALICE.credentials;
      const missing = contract.jKeyMissing ?? 'JKey is required';
      const invalid = 'jKey parameter is invalid';
      assertFailure(
        await world.post(path, { ...request, jKey }),
        401,
        'INVALID_USERID',
        'userId',
        'User ID is required',
      );
      assertFailure(await world.post(path, { ...request, userId }), 401, 'INVALID_JKEY', 'jKey', missing);
      assertFailure(await world.post(path, { ...request, userId, jKey: '' }), 401, 'INVALID_JKEY', 'jKey', missing);
      for (const wrong of ['0'.repeat(64), 'x', 7, true, {}, []]) {
        assertFailure(
          await world.post(path, { ...request, userId, jKey: wrong }),
          401,
          'INVALID_JKEY',
          'jKey',
          invalid,
        );
      }
    }));

  test(`${path} refuses a userId that does not own the token with the same bytes, known or not`, () =>
    inWorld(async (world, request) => {
      const { jKey } = ALICE.credentials;
      const other = await world.post(path, { ...request, userId: BOB.credentials.userId, jKey });
      const unknown = await world.post(path, { ...request, userId: 'NOBODY', jKey });
      assertFailure(other, 401, 'INVALID_USERID', 'userId');
      assert.equal(other.text, unknown.text);
    }));

  for (const [field, [name, text]] of Object.entries(contract.required ?? {})) {
    test(`${path} refuses a missing ${field}`, () =>
      inWorld(async (world, request) => {
        const { [field]: _left, ...rest } = request;
        assertFailure(await world.call(path, ALICE, rest), 400, name, field, text);
        if (contract.fields?.[field] === 'blank') return;
        assertFailure(await world.call(path, ALICE, { ...rest, [field]: '' }), 400, name, field, text);
      }));
  }

  for (const [field, kind] of Object.entries(contract.fields ?? {})) {
    test(`${path} refuses values of a wrong kind in ${field}`, () =>
      inWorld(async (world, request) => {
        const wrong: unknown[] = [true, false, {}, kind === 'list' ? 'x' : ['x'], 'x'.repeat(300)];
        if (kind !== 'number') wrong.push(7);
        else wrong.push(1.23456, 1e21, -1e-9);
        for (const value of wrong) {
          assertFailure(await world.call(path, ALICE, { ...request, [field]: value }), 400, 'BAD_REQUEST', field);
        }
      }));
  }
}

/** `required` entries of operations that answer `BAD_REQUEST`. Source: contract W2. */
export function badRequestFields(...fields: string[]): Record<string, readonly [string, string]> {
  return Object.fromEntries(
    fields.map((field) => [field, ['BAD_REQUEST', `required field is empty or missing: ${field}`] as const]),
  );
}

/** `required` entries of operations that answer `MISSING_FIELD`. Source: contract W2. */
export function missingFields(...fields: string[]): Record<string, readonly [string, string]> {
  return Object.fromEntries(fields.map((field) => [field, ['MISSING_FIELD', `${field} cannot be empty`] as const]));
}
