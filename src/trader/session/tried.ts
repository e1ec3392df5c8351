/** Calls of a command that goes on when one of them fails. */
import { untilAllowed } from '../../../client/src/patience.ts';
import { CommandFailed, EXIT_FAILED, EXIT_IN_DOUBT } from '../../os/command-failed.ts';
import { type Asked, failureOf } from './failure.ts';

/** The answer of a call, or its failure as a trader reads it. Throws errors of other kinds. */
export async function tried<T>(session: Asked, call: () => Promise<T>): Promise<T | CommandFailed> {
  try {
    return await untilAllowed(call);
  } catch (error) {
    const failure = failureOf(error, session);
    if (failure instanceof CommandFailed) return failure;
    throw failure;
  }
}

/** True when the change may have been made although its call failed. */
export function isInDoubt({ exitCode }: CommandFailed): boolean {
  return exitCode === EXIT_IN_DOUBT;
}

/** The failure of a change with the order or GTT that it was meant for: `order 7 is as it was: it filled`. */
export function failureFor(named: string, failure: CommandFailed, are = 'is as it was'): CommandFailed {
  const words = isInDoubt(failure) ? `${named}: ${failure.message}` : `${named} ${are}: ${failure.message}`;
  return new CommandFailed(words, failure.exitCode);
}

/**
 * Ends a command some of whose calls failed. Throws `CommandFailed` with all their words: in doubt when one of them is,
 * with their own exit code when they have the same one, and else as refused.
 */
export function expectNone(failures: readonly CommandFailed[]): void {
  const [code, ...others] = new Set(failures.map(({ exitCode }) => exitCode));
  if (code === undefined) return;
  const exitCode = failures.some(isInDoubt) ? EXIT_IN_DOUBT : others.length === 0 ? code : EXIT_FAILED;
  throw new CommandFailed(failures.map(({ message }) => message).join('\n'), exitCode);
}
