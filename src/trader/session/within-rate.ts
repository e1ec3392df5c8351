import { RateLimited } from '../../../client/src/errors.ts';
import { pause } from '../../../client/src/transport.ts';

const MOST_SENDINGS = 5;
/** Someone waits for a command, so a longer wait is left to that person. */
const LONGEST_WAIT_MS = 5_000;

/**
 * The answer of a call, which is made again after a 429 when the wait that the service asks for is over.
 * @throws the 429 of the fifth sending, one that asks for no wait or for more than five seconds, and one after which
 * the call may have been carried out; every other error at once.
 */
export async function withinRate<T>(call: () => Promise<T>): Promise<T> {
  for (let sendings = 1; ; sendings += 1) {
    try {
      return await call();
    } catch (error) {
      const waitMs = error instanceof RateLimited && !error.ambiguous ? error.retryAfterMs : undefined;
      if (waitMs === undefined || waitMs > LONGEST_WAIT_MS || sendings === MOST_SENDINGS) throw error;
      await pause(waitMs, undefined);
    }
  }
}
