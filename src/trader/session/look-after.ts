import { CommandFailed } from '../../os/command-failed.ts';
import type { TraderParts } from '../trader-parts.ts';
import { failureOf } from './failure.ts';
import type { KeptSession } from './session-file.ts';
import { withinRate } from './within-rate.ts';

/**
 * The answer of a look at a change that was made. The change stays made when the look fails, so the failure is a remark
 * on standard error, and there is no answer.
 */
export async function lookAfter<T>(
  parts: TraderParts,
  session: KeptSession,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withinRate(look);
  } catch (error) {
    const failure = failureOf(error, session);
    if (!(failure instanceof CommandFailed)) throw failure;
    parts.errors.write(`sauda: its state could not be read: ${failure.message}\n`);
    return undefined;
  }
}
