/**
 * The disk as a port, so that the journal and the audit trail run on real files, and in the simulator on a disk that
 * fails as disks fail. It knows nothing of their content.
 */
import { hasCode, isAbsent } from '../../base/system-fault.ts';

/**
 * The disk as the journal needs it. Every call is synchronous, and writes happen in the order of the calls. A failure
 * throws an error with a `code`, such as ENOSPC or EIO; the state of bytes that were not flushed is then unknown.
 * Source: reliability P5, P6, F02.
 */
export interface Disk {
  /** The names in a folder, in no order; none when there is no such folder. */
  names(folder: string): string[];
  /** Opens a file that exists. Throws ENOENT when it does not. */
  open(path: string, how: OpenedFor): DiskFile;
  /** Makes a file that does not exist, readable by its owner only, open for writing. Throws EEXIST when it does. */
  create(path: string): DiskFile;
  /** Renames a file within one file system. A file that has the new name already is replaced. */
  rename(from: string, to: string): void;
  /**
   * Gives a file a second name, of which its content is found after the first one is removed. False where the disk
   * cannot, as across file systems. Throws ENOENT without the file and EEXIST for a name that is taken.
   */
  link(path: string, other: string): boolean;
  /**
   * Gives a file of another place, by its absolute path, a name here: opening the name opens the file. Throws EEXIST
   * for a name that is taken.
   */
  refer(path: string, target: string): void;
  /** True for a name that `refer` gave. Throws ENOENT without it. */
  isReference(path: string): boolean;
  remove(path: string): void;
  /** When it returns, the created, renamed and removed names of the folder are on the disk. */
  flushFolder(folder: string): void;
}

/** `direct`: for writing whole sectors past the system's page cache, since nobody reads them soon. */
export type OpenedFor = 'read' | 'write' | 'direct';

export interface DiskFile {
  /** In bytes. */
  size(): number;
  /** Up to `length` bytes from `position`; fewer at the end of the file. */
  read(position: number, length: number): Uint8Array;
  /** Writes all of the bytes at `position`; the file grows when they reach past its end. */
  write(position: number, bytes: Uint8Array): void;
  /** When it returns, the written bytes and the size of the file are on the disk. */
  flush(): void;
  /** Cuts the file, or extends it by zeros, to `size` bytes. */
  truncate(size: number): void;
  close(): void;
}

/** The content of a file that exists; `undefined` when there is none. Throws the disk's refusals. */
export function readIfThere<T>(disk: Disk, path: string, read: (file: DiskFile) => T): T | undefined {
  let file: DiskFile;
  try {
    file = disk.open(path, 'read');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    return read(file);
  } finally {
    file.close();
  }
}

/**
 * The disk had no room for a write. The bytes that were written of it were taken back, and nothing was flushed in vain.
 */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  readonly code = 'ENOSPC';
}

/** True when an error says that the disk is full. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');
}
