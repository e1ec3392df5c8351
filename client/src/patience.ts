/** Calls that outlast a service that is away, or a rate that is used up. */

import { RateLimited, TransportError, Unavailable } from './errors.ts';
import { pause } from './transport.ts';

/** A call that the rate refuses is tried this often. */
const MOST_TRIES = 5;
/** A rate that asks for a longer wait is not waited for. In milliseconds. */
const LONGEST_RATE_MS = 5_000;
/** After a failure a read is tried again in this time, or in the longer one that the service asks for. */
export const RETRY_MS = 1_000;

/**
 * The answer of a read, which is tried until the service gives one: after 429, 500 and 503, and where no answer comes.
 * @throws every other error at once; after the signal, the next failure.
 */
export async function untilAnswered<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof TransportError || error instanceof Unavailable || error instanceof RateLimited;
      if (!isAway || signal?.aborted) throw error;
      const askedMs = error instanceof TransportError ? 0 : (error.retryAfterMs ?? 0);
      await pause(Math.max(RETRY_MS, askedMs), signal);
    }
  }
}

/**
 * The answer of a call, which is made again after a 429 when the service allows it, at most five times. `leastMs`: the
 * least wait, also where the service asks for none; without it such a 429 is not waited for.
 * @throws every other error at once, and RateLimited after the last try, for a wait of more than five seconds, and
 * where the call may have been carried out; TransportError when the signal ends the wait.
 */
export async function untilAllowed<T>(
  call: () => Promise<T>,
  { signal, leastMs }: { readonly signal?: AbortSignal | undefined; readonly leastMs?: number } = {},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const waitMs = rateWait(error, leastMs);
      if (waitMs === undefined || waitMs > LONGEST_RATE_MS || tries >= MOST_TRIES) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** The wait after which a call may be made again, in milliseconds; nothing where it may not. */
function rateWait(error: unknown, leastMs: number | undefined): number | undefined {
  if (!(error instanceof RateLimited) || error.ambiguous) return undefined;
  const { retryAfterMs = leastMs } = error;
  return retryAfterMs === undefined ? undefined : Math.max(retryAfterMs, leastMs ?? 0);
}
