/**
 * Copies a data folder for `sauda backup`, and back for `sauda restore`: the journal, a snapshot and the files beside
 * them. It works beside a running service and checks the copy.
 */

import { join } from 'node:path';
import { type BeginPart, UNWATCHED } from '../../os/progress.ts';
import { type Disk, type DiskFile, readIfThere } from '../disk/disk.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { createMark } from '../high-water-mark.ts';
import type { Head } from '../journal.ts';
import { copySegment } from '../segments/pack-segment.ts';
import { SnapshotFolder, SnapshotUnusable } from '../snapshot-file.ts';
import { JournalDamaged } from './damage.ts';
import { examineBeside, type JournalPaths, journalPaths } from './examine.ts';
import { verifyJournal } from './verify.ts';

/** The bytes that are copied at a time. */
const COPY_BYTES = 4 * 1024 * 1024;
/** Lock files of writers; they are not content of the folder. */
const LOCK = /^(writer|instruments|tapes)\.lock/;

/** The folder that was to be written to is not empty. Nothing was written. */
export class FolderNotEmpty extends Error {
  override readonly name = 'FolderNotEmpty';
}

/** The files beside a journal that go with a copy of it, by their names below the folder; some may not exist. */
export interface FilesBeside {
  /**
   * Files that name the folder and the key to which it belongs. They are copied before all others, so that nobody takes
   * an unfinished copy for a new folder. The file that says how far `naming` was flushed is among them. They are small,
   * and are read before everything else.
   */
  readonly first: () => readonly string[];
  /**
   * Files that records need. Their list is read when the end of the copied journal is known: they are there before the
   * records and are never taken away.
   */
  readonly needed: () => readonly string[];
  /**
   * Files that name records, and grow after them. Their list is read before that end is known, and they are copied up
   * to their size of then, so that they name no record after the end.
   */
  readonly naming: () => readonly string[];
}

/** The result of a copy. */
export interface Copied {
  /** The end of the copied journal. */
  readonly head: Head;
  readonly records: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies a data folder into another, which is empty: the journal up to its last whole group, the newest snapshot of it,
 * and the files beside it. Works beside a running service and on a stopped one, and then checks every byte of the
 * journal's copy. The mark comes last, so that a start refuses an unfinished copy that a crash left. Throws
 * `FolderNotEmpty`, and `JournalDamaged` when the journal is not whole.
 */
export function copyFolder(
  disk: Disk,
  from: string,
  to: string,
  beside: FilesBeside,
  begin: BeginPart = UNWATCHED,
): Copied {
  expectEmpty(disk, to);
  const source = journalPaths(from);
  const target = journalPaths(to);
  const first = beside.first().map((name) => [name, bytesOf(disk, join(from, name))] as const);
  const naming = beside.naming().map((name) => [name, sizeOf(disk, join(from, name)) ?? 0] as const);
  const { stored } = examineBeside(disk, source);
  const head = stored.head();
  const tally = { files: 0, bytes: 0 };
  const count = (bytes: number): void => {
    tally.bytes += bytes;
    tally.files += 1;
  };
  const copy = (path: string, other: string, most?: number): void => count(copyFile(disk, path, other, most));
  const copyBeside = (name: string, most?: number): void => {
    if (most !== 0 && sizeOf(disk, join(from, name)) !== undefined) copy(join(from, name), join(to, name), most);
  };
  for (const [name, bytes] of first) {
    if (bytes === undefined) continue;
    replaceFile(disk, join(to, name), (file) => file.write(0, bytes));
    count(bytes.length);
  }
  for (const [name, bytes] of naming) copyBeside(name, bytes);
  const extents = stored.extents();
  const progress = begin('copying the journal', 'segments');
  for (const [index, { name, bytes }] of extents.entries()) {
    const copied = copySegment(disk, { from: source.journal, to: target.journal, name, bytes }, (path, other) =>
      copyFile(disk, path, other),
    );
    count(copied);
    progress(index + 1, extents.length);
  }
  const snapshot = newestSnapshot(disk, source, head);
  if (snapshot !== undefined) copy(join(source.snapshots, snapshot), join(target.snapshots, snapshot));
  for (const name of beside.needed()) copyBeside(name);
  createMark(disk, target.mark, head);
  return { head, records: expectWhole(disk, target, head, begin), ...tally };
}

/** Throws `FolderNotEmpty` when a folder holds anything but the locks of its writers. */
export function expectEmpty(disk: Disk, folder: string): void {
  if (disk.names(folder).some((name) => !LOCK.test(name))) throw new FolderNotEmpty(`${folder} is not empty`);
}

/**
 * As `copyFolder`, from a copy back into an empty data folder. Throws `JournalDamaged` before anything is written when
 * the copy is not whole.
 */
export function restoreFolder(
  disk: Disk,
  from: string,
  to: string,
  beside: FilesBeside,
  begin: BeginPart = UNWATCHED,
): Copied {
  const { damage } = verifyJournal(from, { disk, begin });
  if (damage !== undefined) throw new JournalDamaged(damage);
  return copyFolder(disk, from, to, beside, begin);
}

function expectWhole(disk: Disk, { folder, journal }: JournalPaths, head: Head, begin: BeginPart): number {
  const { damage, head: found, records } = verifyJournal(folder, { disk, begin });
  if (damage !== undefined) throw new JournalDamaged(damage);
  if (found.hash === head.hash) return records;
  const what = `the copy ends at ${found.seq}, not at ${head.seq}`;
  throw new JournalDamaged({ file: journal, seq: found.seq + 1, what, lastGood: found.seq });
}

/** The name of the newest snapshot that is whole and not past the head. */
function newestSnapshot(disk: Disk, paths: JournalPaths, head: Head): string | undefined {
  const snapshots = new SnapshotFolder(paths.snapshots, disk);
  return snapshots.names().find((name) => {
    try {
      return snapshots.check(join(snapshots.path, name)).seq <= head.seq;
    } catch (error) {
      if (error instanceof SnapshotUnusable) return false;
      throw error;
    }
  });
}

/** Copies the first `most` bytes of a file, or all of it, and returns how many these were. */
export function copyFile(disk: Disk, from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  const source = disk.open(from, 'read');
  try {
    const size = Math.min(most, source.size());
    replaceFile(disk, to, (file: DiskFile) => {
      for (let at = 0; at < size; at += COPY_BYTES) file.write(at, source.read(at, Math.min(COPY_BYTES, size - at)));
    });
    return size;
  } finally {
    source.close();
  }
}

/** All of a file; `undefined` when there is none. */
function bytesOf(disk: Disk, path: string): Uint8Array | undefined {
  return readIfThere(disk, path, (file) => file.read(0, file.size()));
}

/** The size of a file; `undefined` when there is none. */
function sizeOf(disk: Disk, path: string): number | undefined {
  return readIfThere(disk, path, (file) => file.size());
}

/** The report on a copy, and from where to where it was made. */
export function copiedText({ head, records, files, bytes }: Copied, from: string, to: string): string {
  return `${from} is copied to ${to} and is whole there: ${records} records, head ${head.seq} ${head.hash}, ${files} files, ${bytes} bytes`;
}
