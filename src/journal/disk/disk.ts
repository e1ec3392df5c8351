/**
 * The disk as the journal needs it. Every call is synchronous: writes stand in the order in which they were asked for.
 * A failure throws an error with a `code`, such as ENOSPC or EIO; what the disk then holds of the bytes that were not
 * flushed is unknown. Source: reliability P5, P6, F02.
 */
export interface Disk {
  /** The names in a folder, in no order; none when there is no such folder. */
  names(folder: string): string[];
  /** Opens a file that exists. Throws ENOENT when it does not. */
  open(path: string, how: OpenedFor): DiskFile;
  /** Makes a file that does not exist, readable by its owner only, open for writing. Throws EEXIST when it does. */
  create(path: string): DiskFile;
  /** Gives a file another name of the same file system. A file that has it already is replaced. */
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** When it returns, what was created, renamed and removed in the folder lasts. */
  flushFolder(folder: string): void;
}

/**
 * `direct`: for writing, and what is written in whole sectors needs no place in the system's cache, since nobody reads
 * it soon.
 */
export type OpenedFor = 'read' | 'write' | 'direct';

export interface DiskFile {
  /** In bytes. */
  size(): number;
  /** Up to `length` bytes from `position`; fewer at the end of the file. */
  read(position: number, length: number): Uint8Array;
  /** Writes all of the bytes at `position`; the file grows when they reach past its end. */
  write(position: number, bytes: Uint8Array): void;
  /** When it returns, what was written and the size of the file are on the disk. */
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

/** True when an error says that the disk has no room for what was to be written. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');
}

/** True when an error says that there is no such file or folder. */
export function isAbsent(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

/** True for an error of the operating system of that name. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
