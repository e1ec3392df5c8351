/**
 * A snapshot file: a header line, the lines of the replica, and the SHA-256 of all that in hex on a line of its own. It
 * is written and read in pieces, so only the disk bounds its size. The digest is checked before any line is used.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EpochMs } from '../base/time.ts';
import { type Disk, type DiskFile, readIfThere } from './disk/disk.ts';
import { REAL_DISK } from './disk/real-disk.ts';
import { removeDrafts, replaceFile } from './disk/replace-file.ts';

/**
 * The version of the file format; the first table inside states its own. A snapshot of any other version is skipped.
 */
const FILE_VERSION = 3;
const FORMAT = 'sauda-snapshot';
const NAME = /^snapshot-(\d{16})$/;
const ASIDE = '.unusable';
/** 64 hexadecimal digits and the end of the line. */
const DIGEST_LINE_BYTES = 65;
/** How many snapshots are kept: the newest, and one to fall back on. */
const GENERATIONS = 2;
/** How many of those that cannot be used are kept, for people to look at. */
const KEPT_ASIDE = 1;
/** How much is written and read at a time, in bytes. */
const PIECE_BYTES = 256 * 1024;
const LINE_END = 0x0a;

/** The record of a snapshot by the name of its file; `undefined` for the name of anything else. */
export function snapshotSeq(name: string): number | undefined {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The header of a snapshot. */
export interface SnapshotHeader {
  readonly seq: number;
  readonly at: EpochMs;
  /** The journal's chain hash at `seq`. */
  readonly chain: string;
  /** The fingerprint of the state that the lines must load into. */
  readonly stateHash: string;
}

export interface Snapshot extends SnapshotHeader {
  /** The lines of a replica, each without its end. */
  readonly lines: Iterable<string>;
}

/** A snapshot that cannot be used, and why. */
export class SnapshotUnusable extends Error {
  override readonly name = 'SnapshotUnusable';
}

/** The snapshots of one journal. */
export class SnapshotFolder {
  readonly path: string;
  private readonly disk: Disk;

  constructor(path: string, disk: Disk = REAL_DISK) {
    this.path = path;
    this.disk = disk;
  }

  /** The paths of the snapshots, newest first. */
  list(): string[] {
    return this.names().map((name) => join(this.path, name));
  }

  /** Their names, newest first. */
  names(): string[] {
    const names = this.disk.names(this.path).filter((name) => NAME.test(name));
    return names.sort().reverse();
  }

  /**
   * The header of a snapshot, after every byte of it was checked. Throws `SnapshotUnusable` when a bit differs or the
   * version is unknown, also when the running service has just removed the snapshot.
   */
  check(path: string): SnapshotHeader {
    return this.reading(path, (file) => {
      const end = checkedEnd(file);
      const { value: line = '' } = linesBetween(file, 0, end).next();
      return headerOf(line);
    });
  }

  /** Loads the lines of a snapshot that was checked. `load` reads each line once, before it returns. */
  read<T>(path: string, load: (lines: Iterable<string>) => T): T {
    return this.reading(path, (file) => {
      const lines = linesBetween(file, 0, contentEnd(file));
      lines.next();
      return load(lines);
    });
  }

  /**
   * Writes a snapshot whole or not at all, then removes all but the newest generations, and all but the newest one of
   * those that were set aside. Returns its path.
   */
  write(snapshot: Snapshot): string {
    const path = join(this.path, `snapshot-${String(snapshot.seq).padStart(16, '0')}`);
    replaceFile(this.disk, path, (file) => writeSnapshot(file, snapshot));
    const names = this.disk.names(this.path).sort().reverse();
    const aside = names.filter((name) => name.endsWith(ASIDE));
    const old = [...names.filter((name) => NAME.test(name)).slice(GENERATIONS), ...aside.slice(KEPT_ASIDE)];
    for (const name of old) this.disk.remove(join(this.path, name));
    return path;
  }

  /** Renames a snapshot that cannot be used: it is no longer listed, but can still be examined. */
  setAside(path: string): void {
    this.disk.rename(path, `${path}${ASIDE}`);
  }

  /** Removes drafts that an earlier process left. Nobody may be writing a snapshot. */
  removeDrafts(): void {
    removeDrafts(this.disk, this.path);
  }

  private reading<T>(path: string, read: (file: DiskFile) => T): T {
    const made = readIfThere(this.disk, path, (file) => [read(file)] as const);
    if (made === undefined) throw new SnapshotUnusable('it is not there');
    return made[0];
  }
}

function writeSnapshot(file: DiskFile, { lines, seq, at, chain, stateHash }: Snapshot): void {
  const out = new LineWriter(file);
  out.add(JSON.stringify({ format: FORMAT, version: FILE_VERSION, seq, at, chain, stateHash }));
  for (const line of lines) out.add(line);
  out.end();
}

/** Writes lines in pieces, and at the end the digest of all. */
class LineWriter {
  private readonly file: DiskFile;
  private readonly digest = createHash('sha256');
  private text = '';
  private at = 0;

  constructor(file: DiskFile) {
    this.file = file;
  }

  add(line: string): void {
    this.text += `${line}\n`;
    if (this.text.length >= PIECE_BYTES) this.write(this.piece());
  }

  end(): void {
    this.write(this.piece());
    this.write(Buffer.from(`${this.digest.digest('hex')}\n`));
  }

  /** Takes the gathered text, and adds it to the digest. */
  private piece(): Buffer {
    const piece = Buffer.from(this.text);
    this.text = '';
    this.digest.update(piece);
    return piece;
  }

  private write(piece: Buffer): void {
    this.file.write(this.at, piece);
    this.at += piece.length;
  }
}

/** Where the digest of a file begins. */
function contentEnd(file: DiskFile): number {
  return Math.max(0, file.size() - DIGEST_LINE_BYTES);
}

/** Reads the whole file for its digest. Throws `SnapshotUnusable` when the file states a different digest. */
function checkedEnd(file: DiskFile): number {
  const end = contentEnd(file);
  const digest = createHash('sha256');
  for (const piece of piecesBetween(file, 0, end)) digest.update(piece);
  const written = Buffer.from(file.read(end, DIGEST_LINE_BYTES)).toString('latin1');
  if (written !== `${digest.digest('hex')}\n`) throw new SnapshotUnusable('the checksum does not match');
  return end;
}

function headerOf(line: string): SnapshotHeader {
  const { format, version, seq, at, chain, stateHash } = JSON.parse(line);
  if (format === FORMAT && version === FILE_VERSION) return { seq, at, chain, stateHash };
  throw new SnapshotUnusable(`form ${format} of version ${version} is unknown`);
}

/** The bytes of a file between two places, in pieces. */
function* piecesBetween(file: DiskFile, from: number, end: number): Generator<Buffer> {
  for (let at = from; at < end; ) {
    const { buffer, byteOffset, byteLength } = file.read(at, Math.min(PIECE_BYTES, end - at));
    if (byteLength === 0) throw new SnapshotUnusable('it ends before its end');
    yield Buffer.from(buffer, byteOffset, byteLength);
    at += byteLength;
  }
}

/** The lines of a file between two places, without their ends. */
function* linesBetween(file: DiskFile, from: number, end: number): Generator<string> {
  let rest: Buffer[] = [];
  for (const piece of piecesBetween(file, from, end)) {
    let start = 0;
    for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, start)) {
      const tail = piece.subarray(start, at);
      yield (rest.length === 0 ? tail : Buffer.concat([...rest, tail])).toString('utf8');
      rest = [];
      start = at + 1;
    }
    // A copy: the disk may use the memory of a piece for the next one.
    if (start < piece.length) rest.push(Buffer.from(piece.subarray(start)));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}
