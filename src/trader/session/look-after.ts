import { CommandFailed } from '../../os/command-failed.ts';
import type { TraderParts } from '../trader-parts.ts';
import type { Asked } from './failure.ts';
import { tried } from './tried.ts';

/**
 * The answer of a look at a change that was made. The change stays made when the look fails, so the failure is a remark
 * on standard error, and there is no answer.
 */
export async function lookAfter<T>(parts: TraderParts, session: Asked, look: () => Promise<T>): Promise<T | undefined> {
  const answer = await tried(session, look);
  if (!(answer instanceof CommandFailed)) return answer;
  parts.errors.write(`sauda: its state could not be read: ${answer.message}\n`);
  return undefined;
}
