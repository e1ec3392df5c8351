/**
 * The disk of this machine behind the interface `Disk`, with synchronous calls of the operating system. Tests and
 * simulations use other disks.
 */

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { hasCode, isAbsent } from '../../base/system-fault.ts';
import { makeFolder, OWNER_ONLY, syncFolder } from '../../os/durable-file.ts';
import { SECTOR_BYTES } from '../segments/layout.ts';
import type { Disk, DiskFile } from './disk.ts';

/** Codes of a system that has no further name for a file: other file systems, those without links, too many links. */
const NO_LINKS = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** The disk of this machine, by the calls of the operating system that the caller's own thread makes. */
export const REAL_DISK: Disk = {
  names: (folder) => {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  },
  open: (path, how) =>
    how === 'direct' ? new DirectFile(path) : new RealFile(openSync(path, how === 'read' ? 'r' : 'r+')),
  create: (path) => {
    makeFolder(dirname(path));
    return new RealFile(openSync(path, 'wx+', OWNER_ONLY));
  },
  rename: renameSync,
  link: (path, other) => {
    makeFolder(dirname(other));
    try {
      linkSync(path, other);
      return true;
    } catch (error) {
      if (NO_LINKS.some((code) => hasCode(error, code))) return false;
      throw error;
    }
  },
  refer: (path, target) => symlinkSync(target, path),
  isReference: (path) => lstatSync(path).isSymbolicLink(),
  remove: unlinkSync,
  flushFolder: syncFolder,
};

class RealFile implements DiskFile {
  private readonly descriptor: number;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  size(): number {
    return fstatSync(this.descriptor).size;
  }

  read(position: number, length: number): Uint8Array {
    const bytes = Buffer.allocUnsafeSlow(length);
    let got = 0;
    while (got < length) {
      const more = readSync(this.descriptor, bytes, got, length - got, position + got);
      if (more === 0) break;
      got += more;
    }
    return got === length ? bytes : bytes.subarray(0, got);
  }

  write(position: number, bytes: Uint8Array): void {
    writeAll(this.descriptor, position, bytes);
  }

  /**
   * Checks after the flush that the file still has a name. Without one another process replaced it, and nobody finds
   * again what was written there.
   */
  flush(): void {
    fdatasyncSync(this.descriptor);
    if (hasName(this.descriptor)) return;
    throw new Error('a file that is being written was removed or replaced by another process');
  }

  truncate(size: number): void {
    ftruncateSync(this.descriptor, size);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/**
 * A file whose whole sectors are written past the page cache, where the file system can do so: cache pages that nobody
 * reads cost more than the write.
 */
class DirectFile extends RealFile {
  private direct: number | undefined;

  constructor(path: string) {
    super(openSync(path, 'r+'));
    this.direct = openDirect(path);
  }

  override write(position: number, bytes: Uint8Array): void {
    if (!this.writeDirect(position, bytes)) super.write(position, bytes);
  }

  override close(): void {
    this.closeDirect();
    super.close();
  }

  /** False when the bytes have to be written in the common way. */
  private writeDirect(position: number, bytes: Uint8Array): boolean {
    if (this.direct === undefined || !isWhole(position) || !isWhole(bytes.length)) return false;
    try {
      writeAll(this.direct, position, bytes);
      return true;
    } catch (error) {
      if (!hasCode(error, 'EINVAL')) throw error;
      // Its sectors are larger, or it needs the bytes at other places in memory.
      this.closeDirect();
      return false;
    }
  }

  private closeDirect(): void {
    if (this.direct !== undefined) closeSync(this.direct);
    this.direct = undefined;
  }
}

/** `undefined` where the system or the file system has no such way. */
function openDirect(path: string): number | undefined {
  if (constants.O_DIRECT === undefined) return undefined;
  try {
    return openSync(path, constants.O_RDWR | constants.O_DIRECT);
  } catch (error) {
    if (hasCode(error, 'EINVAL')) return undefined;
    throw error;
  }
}

/**
 * Whether an open file still has a name. Linux is asked for the name and not for the number of names: a file that was
 * asked for its numbers notes the time of its next write exactly, and with each flush its inode is then written as
 * well.
 */
function hasName(descriptor: number): boolean {
  if (process.platform === 'linux') {
    try {
      return !readlinkSync(`/proc/self/fd/${descriptor}`).endsWith(' (deleted)');
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  return fstatSync(descriptor).nlink > 0;
}

function isWhole(bytes: number): boolean {
  return bytes % SECTOR_BYTES === 0;
}

function writeAll(descriptor: number, position: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
}
