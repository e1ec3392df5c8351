import { promisify } from 'node:util';

/** Resolves in the next turn of the event loop, when other requests had theirs. */
export const nextTurn: () => Promise<void> = promisify(setImmediate);
