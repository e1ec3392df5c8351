/** A broken invariant of our own making. It ends the process: the state can no longer be trusted. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws `InvariantError` when `condition` does not hold. For what must be true, never for input. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Returns `value`, or throws `InvariantError` when it is absent. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new InvariantError(message);
  return value;
}

/** Ends every `switch` over a closed set: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable: ${JSON.stringify(value)}`);
}
