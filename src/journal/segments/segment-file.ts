/**
 * One segment of a journal, opened for reading: finds frames and gives their groups. It checks headers and fill; the
 * chain over the bodies is checked by `read-history.ts`.
 */

import { basename, dirname } from 'node:path';
import { must } from '../../base/assert.ts';
import { isAbsent } from '../../base/system-fault.ts';
import { unknownVersion } from '../codec.ts';
import type { Disk, DiskFile } from '../disk/disk.ts';
import type { Head, StoredGroup } from '../journal.ts';
import { RECORD_VERSION } from '../record.ts';
import { JournalDamaged } from '../upkeep/damage.ts';
import {
  FRAME_HEADER_BYTES,
  FRAME_TRAILER_BYTES,
  type FrameHeader,
  isZero,
  packedName,
  readFrameHash,
  readFrameHeader,
  readSegmentHeader,
  SECTOR_BYTES,
} from './layout.ts';
import { PackedFault, PackedFile } from './packed-file.ts';
import type { PackedIndex } from './packed-layout.ts';

/** The room of one read while headers are walked, and while bodies are read as well. */
export const HEADER_WINDOW = 16 * 1024;
export const BODY_WINDOW = 1024 * 1024;

export const LOST_FROM_ARCHIVE = 'the archive that the segment was moved to is not there, or lacks it';

/** The place of a frame, with the fields of its header and its end. Its body was not checked. */
export interface FramePlace extends FrameHeader {
  readonly offset: number;
  /** The chain hash that is stored with it, in hex. */
  readonly hash: string;
}

/** One segment of a journal, opened for reading, compressed or not. Close it. */
export class SegmentFile {
  /** The file that was found. */
  readonly path: string;
  /** Of a compressed segment. */
  readonly index: PackedIndex | undefined;
  private readonly file: Pick<DiskFile, 'size' | 'read' | 'close'>;
  private readonly windowBytes: number;
  /** The record before the segment. */
  private readonly lastGood: number;
  private window: Uint8Array = new Uint8Array();
  private windowAt = 0;

  /**
   * `path`: without the end of a compressed segment's name, which is looked for where there is no other: it gets its
   * name before the other one goes. `lastGood`: the record before the segment. Throws ENOENT when there is neither, and
   * `JournalDamaged` when the header of a compressed segment is not as it was written.
   */
  constructor(disk: Disk, path: string, windowBytes: number, lastGood: number) {
    this.windowBytes = windowBytes;
    this.lastGood = lastGood;
    const plain = openIfThere(disk, path);
    this.path = plain === undefined ? packedName(path) : path;
    const packed = plain === undefined ? this.openPacked(disk) : undefined;
    this.index = packed?.index;
    this.file = must(plain ?? packed, 'a segment is there in one of its forms');
  }

  private openPacked(disk: Disk): PackedFile {
    const file = openIfThere(disk, this.path);
    if (file !== undefined) return this.guarded(this.lastGood, () => new PackedFile(file));
    if (disk.names(dirname(this.path)).includes(basename(this.path)))
      throw this.damage(0, this.lastGood, LOST_FROM_ARCHIVE);
    return new PackedFile(disk.open(this.path, 'read'));
  }

  size(): number {
    return this.file.size();
  }

  /** The head that the segment continues from. Throws `JournalDamaged` when its header is not as it was written. */
  before(lastGood: number): Head {
    const before = readSegmentHeader(this.bytes(0, SECTOR_BYTES, lastGood));
    if (typeof before === 'string') throw this.damage(0, lastGood, before);
    return before;
  }

  /** The frame at `offset` that follows `previous`; `undefined` when there is no such frame. */
  frameAt(offset: number, previous: Head): FramePlace | undefined {
    const header = readFrameHeader(this.bytes(offset, FRAME_HEADER_BYTES, previous.seq));
    if (header === undefined || header.firstSeq !== previous.seq + 1 || header.count < 1) return undefined;
    if (header.previous !== previous.hash) return undefined;
    this.bringWhole(offset, header.frameBytes, previous.seq);
    const end = offset + header.frameBytes - FRAME_TRAILER_BYTES;
    const hash = readFrameHash(this.bytes(end, FRAME_TRAILER_BYTES, previous.seq));
    return hash === undefined ? undefined : { ...header, offset, hash };
  }

  /** Reads a frame as a whole where it fits: its end alone would move the window after its body, which comes next. */
  private bringWhole(offset: number, frameBytes: number, lastGood: number): void {
    if (frameBytes <= this.windowBytes) this.bytes(offset, frameBytes, lastGood);
  }

  /** Throws when this program cannot read the records of a frame. */
  expectKnown({ offset, version, firstSeq }: FramePlace): void {
    if (version === RECORD_VERSION) return;
    throw this.damage(offset, firstSeq - 1, unknownVersion(version), firstSeq);
  }

  /**
   * The group of a frame. Throws `JournalDamaged` when the fill of the frame is not zero; the chain shows whether the
   * rest is right.
   */
  group({ offset, version, firstSeq, count, bodyBytes, frameBytes, hash }: FramePlace): StoredGroup {
    const frame = this.bytes(offset, frameBytes, firstSeq - 1);
    const body = frame.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + bodyBytes);
    const fill = frame.subarray(FRAME_HEADER_BYTES + bodyBytes, frameBytes - FRAME_TRAILER_BYTES);
    if (!isZero(fill)) throw this.damage(offset, firstSeq - 1, 'the group is not filled up with zeros', firstSeq);
    return { version, firstSeq, count, body, hash, place: { file: this.path, offset } };
  }

  /**
   * The bytes from `offset` on, fewer at the end of the file. Bytes that were given before stay as they are. Throws
   * `JournalDamaged`, after the record `lastGood`, where a compressed segment is not as it was written.
   */
  bytes(offset: number, length: number, lastGood = this.lastGood): Uint8Array {
    return this.guarded(lastGood, () => this.read(offset, length));
  }

  private read(offset: number, length: number): Uint8Array {
    const from = offset - this.windowAt;
    if (from >= 0 && from + length <= this.window.length) return this.window.subarray(from, from + length);
    if (length > this.windowBytes) return this.file.read(offset, length);
    this.window = this.file.read(offset, this.windowBytes);
    this.windowAt = offset;
    return this.window.subarray(0, length);
  }

  /** Damage at a place of this file, found after the record `lastGood`. */
  damage(offset: number, lastGood: number, what: string, group?: number): JournalDamaged {
    const place = { file: this.path, offset, ...(group === undefined ? {} : { group }) };
    return new JournalDamaged({ ...place, seq: lastGood + 1, what, lastGood });
  }

  close(): void {
    this.file.close();
  }

  /** Does a read. A fault of a compressed segment is damage after the record `lastGood`. */
  private guarded<T>(lastGood: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof PackedFault) throw this.damage(error.offset, lastGood, error.message);
      throw error;
    }
  }
}

function openIfThere(disk: Disk, path: string): DiskFile | undefined {
  try {
    return disk.open(path, 'read');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
