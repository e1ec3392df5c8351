import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { readIdentity } from './identity.ts';
import { ImportStoreError, readImportedFiles } from './imported-files.ts';
import { readPlayedTapes } from './played-tapes.ts';
import { TapeFile, TapeStoreError } from './tapes/tape-file.ts';
import { tapeNames } from './tapes/tape-store.ts';

/**
 * The faults of the files beside the journal that say which market it is of; empty when they are as they were written.
 * Source: reliability P5, G11.
 */
export function faultsOfFiles({ identity, instruments, tapes, playedTapes }: DataFolder): readonly string[] {
  const read = [readIdentity(identity), readPlayedTapes(playedTapes)];
  const fault = storeFault(instruments);
  const ofTapes = tapeNames(tapes).flatMap((name) => tapeFault(join(tapes, name)) ?? []);
  return [...read.flatMap((one) => (one.ok ? [] : [one.error])), ...(fault === undefined ? [] : [fault]), ...ofTapes];
}

function storeFault(path: string): string | undefined {
  try {
    readImportedFiles(path);
    return undefined;
  } catch (error) {
    if (error instanceof ImportStoreError) return error.message;
    throw error;
  }
}

/** The fault of a tape, all of whose days are read. */
function tapeFault(path: string): string | undefined {
  try {
    new TapeFile(path).check();
    return undefined;
  } catch (error) {
    if (error instanceof TapeStoreError) return error.message;
    throw error;
  }
}
