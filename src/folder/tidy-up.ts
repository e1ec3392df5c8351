import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { removeDrafts } from '../os/durable-file.ts';
import { type DataFolder, notedDigests } from './data-folder.ts';
import { renewIdentity } from './identity.ts';
import { renewImportedFiles } from './imported-files.ts';

/**
 * Puts the files beside the journal in order, for a start that nobody else serves the folder beside: drafts that killed
 * processes left half written are removed, and files without a digest get one. Files that an import may be changing are
 * left to `unlessImported`, which does its work only while no import runs. Source: reliability P5, P12.
 */
export function tidyUp(data: DataFolder, unlessImported: (work: () => void) => void): void {
  const { keys, identity, demoUsers, operatorToken, auditMark, membership } = data;
  const own = [keys, identity, demoUsers, operatorToken, auditMark, membership, notedDigests(data)].map((path) =>
    basename(path),
  );
  removeDrafts(data.folder, (name) => own.includes(name));
  for (const folder of [data.spanFiles, data.tapes, data.audit]) removeDrafts(folder, () => true);
  renewIdentity(data.identity);
  const imported = basename(data.instruments);
  if (!readdirSync(data.folder).some((name) => name.startsWith(imported))) return;
  unlessImported(() => {
    removeDrafts(data.folder, (name) => name === imported);
    renewImportedFiles(data.instruments);
  });
}
