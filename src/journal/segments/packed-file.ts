/**
 * Reads compressed segments: one block of a segment is unpacked at a time, after its checksum, and never to more than
 * its place has.
 */

import { crc32, zstdDecompressSync } from 'node:zlib';
import { must } from '../../base/assert.ts';
import type { DiskFile } from '../disk/disk.ts';
import { BLOCK_BYTES, type PackedIndex, packedHeaderBytes, readPackedHeader } from './packed-layout.ts';

/** A place of a compressed segment that is not as it was written. */
export class PackedFault extends Error {
  override readonly name = 'PackedFault';
  /** In the compressed file. */
  readonly offset: number;

  constructor(offset: number, what: string) {
    super(what);
    this.offset = offset;
  }
}

/**
 * Reads a compressed segment as if it were not compressed. One block is in memory at a time. Throws `PackedFault` where
 * the file is not as it was written, before any of its bytes are given out.
 */
export class PackedFile {
  readonly index: PackedIndex;
  private readonly file: Pick<DiskFile, 'size' | 'read' | 'close'>;
  /** Where each block begins in the file. */
  private readonly starts: number[] = [];
  private place = -1;
  private content: Uint8Array = new Uint8Array();

  /** Takes over an open file, and closes it when it throws. */
  constructor(file: Pick<DiskFile, 'size' | 'read' | 'close'>) {
    this.file = file;
    try {
      this.index = this.readIndex();
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** The bytes of the segment before it was compressed. */
  size(): number {
    return this.index.unpacked;
  }

  /** As `DiskFile.read`, of the segment before it was compressed. */
  read(position: number, length: number): Uint8Array {
    const end = Math.min(position + length, this.index.unpacked);
    if (position >= end) return new Uint8Array();
    const bytes = new Uint8Array(end - position);
    for (let at = position; at < end; ) {
      const content = this.block(Math.floor(at / BLOCK_BYTES));
      const from = at % BLOCK_BYTES;
      const piece = content.subarray(from, from + end - at);
      bytes.set(piece, at - position);
      at += piece.length;
    }
    return bytes;
  }

  close(): void {
    this.file.close();
  }

  private readIndex(): PackedIndex {
    const index = readPackedHeader((at, length) => this.file.read(at, length));
    if (typeof index === 'string') throw new PackedFault(0, index);
    let at = packedHeaderBytes(index.blocks.length);
    for (const { bytes } of index.blocks) {
      this.starts.push(at);
      at += bytes;
    }
    const size = this.file.size();
    if (size !== at) throw new PackedFault(Math.min(at, size), `the file has ${size} bytes, its header says ${at}`);
    return index;
  }

  private block(place: number): Uint8Array {
    if (place === this.place) return this.content;
    const at = must(this.starts[place], 'a block of the index');
    const { bytes, crc } = must(this.index.blocks[place], 'a block of the index');
    const packed = this.file.read(at, bytes);
    if (crc32(packed) !== crc) throw new PackedFault(at, 'the checksum of a compressed block does not match');
    const length = Math.min(BLOCK_BYTES, this.index.unpacked - place * BLOCK_BYTES);
    this.content = unpacked(packed, length, at);
    this.place = place;
    return this.content;
  }
}

/** A block as it was. No more than `length` bytes are made of it, whatever it claims. */
function unpacked(packed: Uint8Array, length: number, at: number): Uint8Array {
  let content: Uint8Array;
  try {
    content = zstdDecompressSync(packed, { maxOutputLength: length });
  } catch (error) {
    throw new PackedFault(at, `a compressed block cannot be read: ${(error as Error).message}`);
  }
  if (content.length !== length) throw new PackedFault(at, `a block has ${content.length} bytes and not ${length}`);
  return content;
}
