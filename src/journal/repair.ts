import type { Disk, DiskFile } from './disk/disk.ts';
import { removeDrafts, replaceFile } from './disk/replace-file.ts';
import type { StoredEnd } from './segments/stored-journal.ts';

/** The bytes that are copied at a time. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * Repairs the last segment so that it can be trusted, and returns the repairs as sentences; none when it was closed in
 * order. A process that ended without closing it may have written groups that never reached the disk: such groups are
 * in memory only. So all groups are written again, into another file, and flushed; a group that is not whole is left
 * out. Nothing is changed until that file replaces the old one, so a crash on the way does no harm. Source: reliability
 * F04, F07, P5, P12.
 */
export function repairLastSegment(disk: Disk, folder: string, { path, head, tail }: StoredEnd): string[] {
  removeDrafts(disk, folder);
  // A process that was killed after a rename has not flushed it: a power cut would bring the old file back.
  disk.flushFolder(folder);
  if (path === undefined || tail === undefined || tail.kind === 'none') return [];
  const { offset } = tail;
  replaceFile(disk, path, (file) => copyStart(disk, path, offset, file));
  const notes = [`${path} was not closed in order: its ${offset} bytes up to sequence ${head.seq} were written again`];
  if (tail.kind === 'torn') {
    const what = `the group of sequence ${head.seq + 1} is not whole and was never acknowledged: it is cut off`;
    notes.push(`${path}, offset ${offset}: ${what}; last good sequence ${head.seq}`);
  }
  return notes;
}

/**
 * Copies the first `length` bytes of a file. The source is closed when it is done: some systems do not replace an open
 * file.
 */
function copyStart(disk: Disk, path: string, length: number, to: DiskFile): void {
  const from = disk.open(path, 'read');
  try {
    for (let at = 0; at < length; at += COPY_BYTES) to.write(at, from.read(at, Math.min(COPY_BYTES, length - at)));
  } finally {
    from.close();
  }
}
