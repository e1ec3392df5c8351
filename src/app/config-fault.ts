import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';

/** The value, or the fault as the end of the command. Throws `CommandFailed`. */
export function orConfigFault<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new CommandFailed(result.error, EXIT_CONFIG);
  return result.value;
}
