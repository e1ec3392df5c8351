import type { DataFolder } from './data-folder.ts';
import { readIdentity } from './identity.ts';
import { ImportStoreError, readImportedFiles } from './imported-files.ts';

/**
 * The faults of the files beside the journal that say which market it is of; empty when they are as they were written.
 * Source: reliability P5, G11.
 */
export function faultsOfFiles({ identity, instruments }: DataFolder): readonly string[] {
  const fixed = readIdentity(identity);
  const fault = storeFault(instruments);
  return [...(fixed.ok ? [] : [fixed.error]), ...(fault === undefined ? [] : [fault])];
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
