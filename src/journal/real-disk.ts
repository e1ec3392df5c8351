import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, OWNER_ONLY, syncFolder } from '../durable-file.ts';
import { type Disk, type DiskFile, isAbsent } from './disk.ts';

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
  open: (path, how) => new RealFile(openSync(path, how === 'read' ? 'r' : 'r+')),
  create: (path) => {
    makeFolder(dirname(path));
    return new RealFile(openSync(path, 'wx+', OWNER_ONLY));
  },
  rename: renameSync,
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
    let done = 0;
    while (done < bytes.length) done += writeSync(this.descriptor, bytes, done, bytes.length - done, position + done);
  }

  /** A file without a name is one that another process has put its own in the place of: what is written there nobody finds again. */
  flush(): void {
    fdatasyncSync(this.descriptor);
    if (fstatSync(this.descriptor).nlink > 0) return;
    throw new Error('a file that is being written was removed or replaced by another process');
  }

  truncate(size: number): void {
    ftruncateSync(this.descriptor, size);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
