/**
 * Compresses segments that are closed, beside the one writer and any readers. A segment is read whole and checked
 * first, the compressed one is read back before it gets its name, and only then the other form goes.
 */

import { basename, dirname, join } from 'node:path';
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { assert } from '../../base/assert.ts';
import { hasCode, isAbsent, messageOf } from '../../base/system-fault.ts';
import { chainFault, lastSeq } from '../chain.ts';
import { type Disk, type DiskFile, readIfThere } from '../disk/disk.ts';
import { DRAFT, replaceFile } from '../disk/replace-file.ts';
import type { Head } from '../journal.ts';
import { JournalDamaged } from '../upkeep/damage.ts';
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
import { BODY_WINDOW, LOST_FROM_ARCHIVE, SegmentFile } from './segment-file.ts';

/** Quick, and about a sixth of the size: records repeat their words. */
const LEVEL = 3;
/** Beside those that came since the last run: one that finds many, as after an upgrade, leaves others to the next. */
const OTHERS_AT_A_TIME = 8;

/** A segment that was compressed. Sizes in bytes. */
export interface Packed {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Where compressed segments go. */
export interface PackedPlace {
  /** The folder of the journal. */
  readonly folder: string;
  /** The absolute path of the folder to which they are moved; beside the journal when absent. */
  readonly archive?: string;
}

/** The segments that were compressed, and a sentence for each that is not whole or cannot be read. */
export interface PackedRun {
  readonly packed: readonly Packed[];
  readonly faults: readonly string[];
}

/**
 * Compresses the oldest segments that are closed and not compressed: as many as have begun after the record `since`,
 * and eight others at the most, so that runs keep up with any load and end soon. Moves them and those that were
 * compressed before to the archive, where there is one: the journal keeps their names. A segment that is not whole
 * or cannot be read stays as it is, and the next ones are compressed. A crash at any call leaves each segment whole in
 * one of its forms or in both. Nothing is moved while the archive lacks a segment that was moved to it: its disk may
 * not be mounted. Nobody else may do this for the same folder or archive at the same time. Throws the errors of the
 * disk that is written to.
 */
export function packSegments(disk: Disk, place: PackedPlace, since = Number.POSITIVE_INFINITY): PackedRun {
  const lost = place.archive === undefined ? undefined : lostSegment(disk, place.folder);
  if (lost !== undefined) return { packed: [], faults: [lost] };
  const packed: Packed[] = [];
  const faults: string[] = [];
  const closed = closedSegments(disk, place);
  const most = OTHERS_AT_A_TIME + closed.filter((firstSeq) => firstSeq > since).length;
  for (const firstSeq of closed) {
    if (packed.length === most) break;
    const content = readableContent(disk, join(place.folder, segmentName(firstSeq)), firstSeq);
    if (typeof content === 'string') faults.push(content);
    else packed.push(packSegment(disk, place, segmentName(firstSeq), content));
  }
  return { packed, faults };
}

/** The first numbers of the segments that another one follows and that are not where they are to be. */
function closedSegments(disk: Disk, { folder, archive }: PackedPlace): number[] {
  const names = new Set(disk.names(folder));
  const firsts = new Set(Array.from(names, (name) => segmentSeq(name) ?? 0));
  firsts.delete(0);
  firsts.delete(Math.max(...firsts));
  const isDone = (firstSeq: number): boolean => {
    const name = segmentName(firstSeq);
    return !names.has(name) && (archive === undefined || disk.isReference(join(folder, packedName(name))));
  };
  return [...firsts].filter((firstSeq) => !isDone(firstSeq)).sort((a, b) => a - b);
}

/** Names the first segment that is in the archive alone and is not there; `undefined` when all are. */
function lostSegment(disk: Disk, folder: string): string | undefined {
  const names = new Set(disk.names(folder));
  const alone = [...names].filter((name) => !names.has(segmentName(segmentSeq(name) ?? 0)));
  const packed = alone.filter((name) => segmentSeq(name) !== undefined).map((name) => join(folder, name));
  const lost = packed.sort().find((path) => disk.isReference(path) && !readIfThere(disk, path, () => true));
  return lost && `${lost}: ${LOST_FROM_ARCHIVE}`;
}

/** The content of a segment, or why it is not to be had. */
function readableContent(disk: Disk, path: string, firstSeq: number): Content | string {
  try {
    return contentOf(disk, path, firstSeq);
  } catch (error) {
    if (error instanceof JournalDamaged) return error.message;
    if (hasCode(error, 'EIO')) return `${path}: ${messageOf(error)}`;
    throw error;
  }
}

function packSegment(disk: Disk, { folder, archive }: PackedPlace, name: string, content: Content): Packed {
  const path = join(folder, name);
  const packed = packedName(path);
  const place = archive === undefined ? packed : join(archive, archivedName(name, content.end));
  const to = writePacked(disk, path, place, content);
  if (place !== packed) referTo(disk, packed, place);
  if (disk.names(folder).includes(name)) disk.remove(path);
  disk.flushFolder(folder);
  return { name, from: content.unpacked, to };
}

/** The hash covers all of history: two journals that share an archive have the same name for the same content alone. */
function archivedName(name: string, { hash }: Head): string {
  return packedName(`${name}-${hash.slice(0, 16)}`);
}

/** Writes a segment compressed to its place, reads it back, and gives its size in bytes. */
function writePacked(disk: Disk, path: string, place: string, { unpacked, end, starts }: Content): number {
  const source = new SegmentFile(disk, path, BLOCK_BYTES, end.seq);
  let to = packedHeaderBytes(blocksOf(unpacked));
  try {
    replaceFile(disk, place, (file) => {
      const blocks: Block[] = [];
      for (let at = 0; at < unpacked; at += BLOCK_BYTES) {
        const bytes = compressed(source.bytes(at, Math.min(BLOCK_BYTES, unpacked - at)));
        file.write(to, bytes);
        to += bytes.length;
        blocks.push({ bytes: bytes.length, crc: crc32(bytes), first: starts.get(at / BLOCK_BYTES) });
      }
      file.write(0, packedHeader({ unpacked, end, blocks }));
      expectSame(source, file, unpacked);
    });
    return to;
  } finally {
    source.close();
  }
}

/** Lets a name of the journal stand for a file of the archive, in place of a file that has the name. */
function referTo(disk: Disk, path: string, target: string): void {
  const draft = `${path}${DRAFT}`;
  if (disk.names(dirname(draft)).includes(basename(draft))) disk.remove(draft);
  disk.refer(draft, target);
  disk.rename(draft, path);
  disk.flushFolder(dirname(path));
}

/** The content of a closed segment: its length in bytes, its end, and the first group of each block. */
interface Content {
  readonly unpacked: number;
  readonly end: Head;
  readonly starts: ReadonlyMap<number, GroupStart>;
}

/** Reads a closed segment with a check of every byte. */
function contentOf(disk: Disk, path: string, firstSeq: number): Content {
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
function expectSame(source: SegmentFile, file: DiskFile, unpacked: number): void {
  // The file stays open: it is flushed and gets its name after this.
  const packed = new PackedFile({ ...reading(file), close: () => {} });
  assert(packed.size() === unpacked, 'a compressed segment is as long as it was');
  for (let at = 0; at < unpacked; at += BLOCK_BYTES) {
    const isSame = Buffer.compare(packed.read(at, BLOCK_BYTES), source.bytes(at, Math.min(BLOCK_BYTES, unpacked - at)));
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
