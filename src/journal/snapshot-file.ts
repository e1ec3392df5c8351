import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EpochMs } from '../base/time.ts';
import { type Disk, isAbsent } from './disk.ts';
import { REAL_DISK } from './real-disk.ts';
import { removeDrafts, replaceFile } from './replace-file.ts';

/** The version of the file's form; the dump inside has its own. A snapshot of any other version is passed over. */
const FILE_VERSION = 2;
const FORMAT = 'sauda-snapshot';
const NAME = /^snapshot-(\d{16})$/;
const DIGEST_LINE_BYTES = 66;
/** How many snapshots are kept: the newest, and one to fall back on. */
const GENERATIONS = 2;

/** The header of a snapshot. */
export interface SnapshotHeader {
  readonly seq: number;
  readonly at: EpochMs;
  /** The journal's chain hash at `seq`. */
  readonly chain: string;
  /** The fingerprint of the state that the dump must load into. */
  readonly stateHash: string;
}

export interface Snapshot extends SnapshotHeader {
  readonly dump: string;
}

/** A snapshot that cannot be used, and why. */
export class SnapshotUnusable extends Error {
  override readonly name = 'SnapshotUnusable';
}

/** The bytes of a snapshot file: a header line, the dump, and the SHA-256 of both in hex on a line of its own. */
export function encodeSnapshot(snapshot: Snapshot): Buffer {
  const { seq, at, chain, stateHash } = snapshot;
  const dump = Buffer.from(snapshot.dump);
  const header = { format: FORMAT, version: FILE_VERSION, seq, at, chain, stateHash, bytes: dump.length };
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), dump]);
  return Buffer.concat([content, Buffer.from(`\n${sha256(content)}\n`)]);
}

/** Reads what `encodeSnapshot` wrote. Throws `SnapshotUnusable` when a single bit differs or the version is another. */
export function decodeSnapshot(bytes: Buffer): Snapshot {
  const content = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_LINE_BYTES));
  const tail = bytes.subarray(content.length);
  if (!tail.equals(Buffer.from(`\n${sha256(content)}\n`))) throw new SnapshotUnusable('the checksum does not match');
  const end = content.indexOf(0x0a);
  const header = JSON.parse(content.toString('utf8', 0, end)) as SnapshotHeader & Record<string, unknown>;
  if (header.format !== FORMAT || header.version !== FILE_VERSION) {
    throw new SnapshotUnusable(`form ${header.format} of version ${header.version} is unknown`);
  }
  const { seq, at, chain, stateHash } = header;
  return { seq, at, chain, stateHash, dump: content.toString('utf8', end + 1) };
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

  /** Throws `SnapshotUnusable`, also when the running service has just removed the snapshot. */
  read(path: string): Snapshot {
    return decodeSnapshot(this.bytes(path));
  }

  /**
   * Writes a snapshot whole or not at all, then removes what is older than the generations that are kept. Returns its
   * path.
   */
  write(snapshot: Snapshot): string {
    const path = join(this.path, `snapshot-${String(snapshot.seq).padStart(16, '0')}`);
    replaceFile(this.disk, path, (file) => file.write(0, encodeSnapshot(snapshot)));
    for (const old of this.list().slice(GENERATIONS)) this.disk.remove(old);
    return path;
  }

  /** Takes a snapshot that cannot be used out of the list, and keeps it for whoever wants to know why. */
  setAside(path: string): void {
    this.disk.rename(path, `${path}.unusable`);
  }

  /** Removes what an earlier process left half written. Nobody may be writing a snapshot. */
  removeDrafts(): void {
    removeDrafts(this.disk, this.path);
  }

  private bytes(path: string): Buffer {
    try {
      const file = this.disk.open(path, 'read');
      try {
        return Buffer.from(file.read(0, file.size()));
      } finally {
        file.close();
      }
    } catch (error) {
      if (isAbsent(error)) throw new SnapshotUnusable('it is not there');
      throw error;
    }
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
