/**
 * Large files that appear whole or not at all: written piece by piece beside their place, flushed, and renamed. Small
 * files are the matter of `durable-file.ts`.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { OWNER_ONLY, syncFolder } from './durable-file.ts';

/** Bytes that are gathered before they are written. */
const GATHERED_BYTES = 1024 * 1024;

/**
 * A large file that is written piece by piece beside its place, and is in its place whole or not at all. A draft that a
 * kill leaves has the name that `removeDrafts` knows.
 */
export class DraftFile {
  private readonly path: string;
  private readonly draft: string;
  private readonly file: number;
  private pieces: Uint8Array[] = [];
  private waiting = 0;
  private written = 0;
  private isOpen = true;

  /** Begins the draft of the file at `path`. */
  constructor(path: string, mode = OWNER_ONLY) {
    this.path = path;
    this.draft = `${path}.${process.pid}.new`;
    this.file = openSync(this.draft, 'w', mode);
  }

  /** The bytes that were appended. */
  get size(): number {
    return this.written + this.waiting;
  }

  append(bytes: Uint8Array): void {
    this.pieces.push(bytes);
    this.waiting += bytes.length;
    if (this.waiting >= GATHERED_BYTES) this.write();
  }

  /** Writes all of it to the disk, and closes it. */
  seal(): void {
    this.write();
    fsyncSync(this.file);
    this.close();
  }

  /** Puts a sealed draft in its place, in that of another file too. */
  place(): void {
    renameSync(this.draft, this.path);
    syncFolder(dirname(this.path));
  }

  /** Takes the draft away; nothing when it is in its place. */
  discard(): void {
    this.close();
    rmSync(this.draft, { force: true });
  }

  private write(): void {
    const bytes = Buffer.concat(this.pieces, this.waiting);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done);
    this.written += bytes.length;
    this.pieces = [];
    this.waiting = 0;
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}
