import { basename, dirname, join } from 'node:path';
import { type Disk, type DiskFile, DiskFull, isFull } from './disk.ts';

/** The end of the names of files that are not whole yet. The next start removes those that a crash leaves. */
const DRAFT = '.new';

/**
 * Puts a file in its place whole: after a crash at any moment the path holds what it held before or all that `fill`
 * wrote, and once this returns the new content lasts. `before` runs when the new file is whole and has not yet got its
 * name. Throws `DiskFull` when there is no room: then what was taken of it is given back. After another failure the
 * draft stays until the next start. Source: reliability P12.
 */
export function replaceFile(disk: Disk, path: string, fill: (file: DiskFile) => void, before?: () => void): void {
  const draft = `${path}${DRAFT}`;
  removeDraft(disk, draft);
  const file = takingRoom(disk, draft, () => disk.create(draft));
  try {
    takingRoom(disk, draft, () => fill(file));
    file.flush();
  } finally {
    file.close();
  }
  before?.();
  takingRoom(disk, draft, () => disk.rename(draft, path));
  disk.flushFolder(dirname(path));
}

/** Removes what a crash left half written in a folder. */
export function removeDrafts(disk: Disk, folder: string): void {
  const drafts = disk.names(folder).filter((name) => name.endsWith(DRAFT));
  for (const name of drafts) disk.remove(join(folder, name));
}

/** Does work that takes room. Where there is none, the draft is removed and `DiskFull` thrown. */
function takingRoom<T>(disk: Disk, draft: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFull(error)) throw error;
    removeDraft(disk, draft);
    throw new DiskFull(`${draft}: the disk is full`, { cause: error });
  }
}

function removeDraft(disk: Disk, draft: string): void {
  if (disk.names(dirname(draft)).includes(basename(draft))) disk.remove(draft);
}
