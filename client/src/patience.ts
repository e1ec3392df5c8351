/** Reads that outlast a service that is away. */

import { RateLimited, TransportError, Unavailable } from './errors.ts';
import { pause } from './transport.ts';

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
