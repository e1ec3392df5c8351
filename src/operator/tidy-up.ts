import type { DataFolder } from './data-folder.ts';
import { renewIdentity } from './identity.ts';
import { renewImportedFiles } from './imported-files.ts';

/**
 * Puts the files beside the journal in order, for a start that nobody else serves the folder beside: what has no digest gets one. What an import may be changing
 * is left to `unlessImported`, which does it only while there is none. Source: reliability P5.
 */
export function tidyUp(data: DataFolder, unlessImported: (work: () => void) => void): void {
  renewIdentity(data.identity);
  unlessImported(() => renewImportedFiles(data.instruments));
}
