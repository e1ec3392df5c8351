import { resolve } from 'node:path';

/** The command that runs Sauda from this repository, for `startSauda`. */
export const SAUDA = [process.execPath, resolve(import.meta.dirname, '../../bin/sauda.mjs')] as const;
