/**
 * Compresses segments that are closed, beside the one writer and any readers. A segment is read whole and checked
 * first, the compressed one is read back before it gets its name, and only then the other form goes.
 */

import { basename, join } from 'node:path';
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { assert } from '../../base/assert.ts';
import { chainFault, lastSeq } from '../chain.ts';
import { type Disk, type DiskFile, isAbsent } from '../disk/disk.ts';
import { replaceFile } from '../disk/replace-file.ts';
import type { Head } from '../journal.ts';
import { isWholeFrame, packedName, SECTOR_BYTES, segmentName, segmentSeq } from './layout.ts';
import { PackedFile } from './packed-file.ts';
import {
  BLOCK_BYTES,
  type Block,
  blocksOf,
  type GroupStart,
  packedHeader,
  packedHeaderBytes,
} from './packed-layout.ts';
import { BODY_WINDOW, SegmentFile } from './segment-file.ts';

/** Quick, and about a sixth of the size: records repeat their words. */
const LEVEL = 3;
/** A run that finds many, as the first after an upgrade, leaves the others to the next ones. */
const MOST_AT_A_TIME = 8;

/** A segment that was compressed. Sizes in bytes. */
export interface Packed {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Compresses the oldest segments that are closed and not compressed, eight at the most. A crash at any call leaves each
 * segment whole in one of its forms or in both. Throws `JournalDamaged` for a segment that is not whole, which stays as
 * it is, and the errors of the disk.
 */
export function packSegments(disk: Disk, folder: string): Packed[] {
  return closedSegments(disk, folder)
    .slice(0, MOST_AT_A_TIME)
    .map((firstSeq) => packSegment(disk, folder, firstSeq));
}

/** The first numbers of the segments that another one follows and that have their plain form. */
function closedSegments(disk: Disk, folder: string): number[] {
  const names = disk.names(folder);
  const last = Math.max(...names.map((name) => segmentSeq(name) ?? 0));
  return names
    .flatMap((name) => {
      const firstSeq = segmentSeq(name);
      return firstSeq !== undefined && name === segmentName(firstSeq) && firstSeq < last ? firstSeq : [];
    })
    .sort((a, b) => a - b);
}

function packSegment(disk: Disk, folder: string, firstSeq: number): Packed {
  const name = segmentName(firstSeq);
  const path = join(folder, name);
  const { unpacked, end, starts } = contentOf(disk, path, firstSeq);
  const source = disk.open(path, 'read');
  let to = 0;
  try {
    replaceFile(disk, packedName(path), (file) => {
      const blocks: Block[] = [];
      to = packedHeaderBytes(blocksOf(unpacked));
      for (let at = 0; at < unpacked; at += BLOCK_BYTES) {
        const bytes = compressed(source.read(at, Math.min(BLOCK_BYTES, unpacked - at)));
        file.write(to, bytes);
        to += bytes.length;
        blocks.push({ bytes: bytes.length, crc: crc32(bytes), first: starts.get(at / BLOCK_BYTES) });
      }
      file.write(0, packedHeader({ unpacked, end, blocks }));
      expectSame(source, file, unpacked);
    });
  } finally {
    source.close();
  }
  disk.remove(path);
  disk.flushFolder(folder);
  return { name, from: unpacked, to };
}

/** Checks every byte of a closed segment: its length, its end, and the first group of each block. */
function contentOf(disk: Disk, path: string, firstSeq: number) {
  const file = new SegmentFile(disk, path, BODY_WINDOW, firstSeq - 1);
  try {
    const starts = new Map<number, GroupStart>();
    let before: Head = file.before(firstSeq - 1);
    let offset = SECTOR_BYTES;
    while (offset < file.size()) {
      const place = file.frameAt(offset, before);
      if (place === undefined || !isWholeFrame(file.bytes(offset, place.frameBytes))) {
        throw file.damage(offset, before.seq, `the bytes here are not a group that follows sequence ${before.seq}`);
      }
      const fault = chainFault(before, file.group(place));
      if (fault !== undefined) throw file.damage(offset, before.seq, fault, place.firstSeq);
      const block = Math.floor(offset / BLOCK_BYTES);
      if (!starts.has(block)) starts.set(block, { offset, before });
      before = { seq: lastSeq(place), hash: place.hash };
      offset += place.frameBytes;
    }
    return { unpacked: offset, end: before, starts };
  } finally {
    file.close();
  }
}

function compressed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}

/** Reads the compressed segment back and compares it with the other form. */
function expectSame(source: DiskFile, file: DiskFile, unpacked: number): void {
  // The file stays open: it is flushed and gets its name behind this.
  const packed = new PackedFile({ ...reading(file), close: () => {} });
  assert(packed.size() === unpacked, 'a compressed segment is as long as it was');
  for (let at = 0; at < unpacked; at += BLOCK_BYTES) {
    const isSame = Buffer.compare(packed.read(at, BLOCK_BYTES), source.read(at, Math.min(BLOCK_BYTES, unpacked - at)));
    assert(isSame === 0, 'a compressed segment has the bytes that it had');
  }
}

function reading(file: DiskFile): Pick<DiskFile, 'size' | 'read'> {
  return { size: () => file.size(), read: (position, length) => file.read(position, length) };
}

/**
 * Copies a segment into another folder in the form that it has, beside a service that may compress it meanwhile. Where
 * only its first `bytes` are wanted, the copy is not compressed. Returns the bytes of the copy.
 */
export function copySegment(
  disk: Disk,
  {
    from,
    to,
    name,
    bytes,
  }: { readonly from: string; readonly to: string; readonly name: string; readonly bytes: number },
  copyWhole: (path: string, other: string) => number,
): number {
  const path = join(from, name);
  if (bytes !== Number.POSITIVE_INFINITY) return copyStart(disk, path, join(to, name), bytes);
  try {
    return copyWhole(path, join(to, name));
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return copyWhole(packedName(path), join(to, packedName(name)));
  }
}

function copyStart(disk: Disk, path: string, other: string, bytes: number): number {
  const source = new SegmentFile(disk, path, BLOCK_BYTES, (segmentSeq(basename(path)) ?? 1) - 1);
  try {
    replaceFile(disk, other, (file) => {
      for (let at = 0; at < bytes; at += BLOCK_BYTES)
        file.write(at, source.bytes(at, Math.min(BLOCK_BYTES, bytes - at)));
    });
    return bytes;
  } finally {
    source.close();
  }
}
