/** EX_IOERR: the storage failed, or the state can no longer be trusted. A supervisor starts the service again. */
export const EXIT_STORAGE_FAILURE = 74;

/** Ends the process at once, with nothing more said to any client. The start is the recovery. Source: reliability P6. */
export function failStop(error: Error): never {
  console.error(`sauda stops: ${error.stack ?? error.message}`);
  process.exit(EXIT_STORAGE_FAILURE);
}
