import { basename, dirname, join } from 'node:path';
import { type Disk, type DiskFile, DiskFull, isFull } from './disk.ts';

/** The end of the names of files that are not whole yet. The next start removes those that a crash leaves. */
export const DRAFT = '.new';

/**
 * Replaces a file as a whole. After a crash at any moment the path holds either the old content or all of the new
 * content that `fill` wrote; once this returns, the new content is on the disk. `before` runs when the new file is
 * whole and does not have its name yet. Throws `DiskFull` when there is no room, and gives the room that it took back.
 * After another failure the draft stays until the next start. Source: reliability P12.
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

/** Removes half-written files that a crash left in a folder. */
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
