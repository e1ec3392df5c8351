import { basename, dirname, join } from 'node:path';
import { type Disk, type DiskFile, DiskFull, isFull } from './disk.ts';

/** What the names of files end with that are not whole yet. Whatever a crash leaves of them is removed at the next start. */
export const DRAFT = '.new';

/**
 * Puts a file in its place whole: after a crash at any moment the path holds what it held before or all that `fill` wrote, and once this
 * returns the new content lasts. When the disk is full its room is given back; after another failure the draft stays until the next start.
 * Source: reliability P12.
 */
export function replaceFile(disk: Disk, path: string, fill: (file: DiskFile) => void): void {
  const draft = writeDraft(disk, path, fill);
  disk.rename(draft, path);
  disk.flushFolder(dirname(path));
}

/** Writes a file under the name of a draft and flushes it; returns that name. Throws `DiskFull` when there is no room for it. */
export function writeDraft(disk: Disk, path: string, fill: (file: DiskFile) => void): string {
  const draft = `${path}${DRAFT}`;
  removeDraft(disk, draft);
  const file = disk.create(draft);
  try {
    fill(file);
  } catch (error) {
    file.close();
    if (!isFull(error)) throw error;
    disk.remove(draft);
    throw new DiskFull(`${path}: the disk is full`, { cause: error });
  }
  try {
    file.flush();
  } finally {
    file.close();
  }
  return draft;
}

/** Removes what a crash left half written in a folder. */
export function removeDrafts(disk: Disk, folder: string): void {
  const drafts = disk.names(folder).filter((name) => name.endsWith(DRAFT));
  for (const name of drafts) disk.remove(join(folder, name));
}

function removeDraft(disk: Disk, path: string): void {
  if (disk.names(dirname(path)).includes(basename(path))) disk.remove(path);
}
