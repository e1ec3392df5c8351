/**
 * The command was understood and cannot be done; the message says why. `exitCode` as docs/operating/run.md lists them.
 */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The process ended as asked. */
export const EXIT_DONE = 0;
/** The command did not succeed. */
export const EXIT_FAILED = 1;
/** The command line was not understood. */
export const EXIT_USAGE = 64;
/** A setting is wrong, or contradicts the data folder. */
export const EXIT_CONFIG = 78;
/** Nobody answers at the address of the service, or an address to listen on is in use. */
export const EXIT_UNAVAILABLE = 69;
/** A change was sent and its answer was lost: it may have been made. */
export const EXIT_IN_DOUBT = 76;
/** Nobody is logged in, or the login was refused. */
export const EXIT_NO_SESSION = 77;

/** The value, or the fault as the end of the command. Throws `CommandFailed`. */
export function orConfigFault<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new CommandFailed(result.error, EXIT_CONFIG);
  return result.value;
}
