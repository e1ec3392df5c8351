/** Reads that outlast a service that is away, or a rate that is used up. */

import { RateLimited, TransportError, Unavailable } from './errors.ts';
import { pause } from './transport.ts';

/** A read that the rate refuses is tried this often. */
const MOST_TRIES = 5;
/** A rate that asks for a longer wait is not waited for. In milliseconds. */
const LONGEST_RATE_MS = 5_000;
/** After a failure a read is tried again in this time, or in the longer one that the service asks for. */
const RETRY_MS = 1_000;

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
 * The answer of a read that is one of several of a call, which use up a rate by themselves: after 429 it is tried again
 * when the service allows it, at most five times.
 * @throws every other error at once, and RateLimited after the last try or for a wait of more than five seconds;
 * TransportError when the signal ends the wait.
 */
export async function untilAllowed<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RateLimited) || tries >= MOST_TRIES) throw error;
      const waitMs = Math.max(RETRY_MS, error.retryAfterMs ?? 0);
      if (waitMs > LONGEST_RATE_MS) throw error;
      await pause(waitMs, signal);
    }
  }
}
