import assert from 'node:assert/strict';
import { SaudaError } from '../../client/src/errors.ts';

/** The failure of a call, which has to be an error of the client. */
export async function failureOf(call: Promise<unknown>): Promise<SaudaError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof SaudaError, `an error of the client: ${String(failure)}`);
  return failure;
}
