/**
 * The bytes of a compressed segment: a header with the places of its blocks, then the blocks. Each block is a piece of
 * the segment, compressed by zstd on its own, so that a record in the middle costs one block and not the segment. The
 * header is covered by a SHA-256 and each block by a CRC-32; the chain covers what they unpack to. Numbers are
 * big-endian.
 */

import { hash } from 'node:crypto';
import type { Head } from '../journal.ts';
import { bufferOf, MOST_FRAME_BYTES } from './layout.ts';

/** The bytes of the segment in a block; the last block has fewer. */
export const BLOCK_BYTES = 1024 * 1024;
/** No segment is longer: it has grown past its limit by one group at the most. In bytes. */
const MOST_UNPACKED_BYTES = 2 * MOST_FRAME_BYTES;

const MAGIC = Buffer.from('\xffSAUDAJZ', 'latin1');
const LAYOUT_VERSION = 1;
/** Magic 8, layout version 4, blocks 4, bytes of the segment 8, last sequence number 8, last chain hash 32. */
const FIXED_BYTES = 64;
/**
 * Of each block: its compressed bytes 4, their CRC-32 4, and the first group that begins in it: its offset in the
 * segment 8 (0 where none begins), the sequence number before it 8, the chain hash before it 32.
 */
const ENTRY_BYTES = 56;
const HASH_BYTES = 32;

/** A group that begins in a block. */
export interface GroupStart {
  /** Its place in the segment as it was before it was compressed. */
  readonly offset: number;
  readonly before: Head;
}

export interface Block {
  /** Compressed. */
  readonly bytes: number;
  readonly crc: number;
  /** The first group that begins in the block. */
  readonly first: GroupStart | undefined;
}

/** The content of a compressed segment's header. */
export interface PackedIndex {
  /** The bytes of the segment before it was compressed. */
  readonly unpacked: number;
  /** The last group of the segment. */
  readonly end: Head;
  readonly blocks: readonly Block[];
}

/** How many blocks a segment has, by its bytes. */
export function blocksOf(unpacked: number): number {
  return Math.ceil(unpacked / BLOCK_BYTES);
}

/** The bytes of a header for a number of blocks. The first block begins after them. */
export function packedHeaderBytes(blocks: number): number {
  return FIXED_BYTES + blocks * ENTRY_BYTES + HASH_BYTES;
}

export function packedHeader({ unpacked, end, blocks }: PackedIndex): Uint8Array {
  const bytes = Buffer.alloc(packedHeaderBytes(blocks.length));
  MAGIC.copy(bytes);
  bytes.writeUInt32BE(LAYOUT_VERSION, 8);
  bytes.writeUInt32BE(blocks.length, 12);
  bytes.writeBigUInt64BE(BigInt(unpacked), 16);
  writeHead(bytes, 24, end);
  for (const [place, block] of blocks.entries()) {
    const at = FIXED_BYTES + place * ENTRY_BYTES;
    bytes.writeUInt32BE(block.bytes, at);
    bytes.writeUInt32BE(block.crc, at + 4);
    if (block.first === undefined) continue;
    bytes.writeBigUInt64BE(BigInt(block.first.offset), at + 8);
    writeHead(bytes, at + 16, block.first.before);
  }
  const checked = bytes.length - HASH_BYTES;
  hash('sha256', bytes.subarray(0, checked), 'buffer').copy(bytes, checked);
  return bytes;
}

/**
 * The header of a compressed segment, or its fault. `read` gives bytes of the file. A claim of more than a segment can
 * have is refused before anything is read for it.
 */
export function readPackedHeader(read: (at: number, length: number) => Uint8Array): PackedIndex | string {
  const fixed = bufferOf(read(0, FIXED_BYTES));
  if (fixed.length < FIXED_BYTES) return 'the file ends in its header';
  if (!MAGIC.equals(fixed.subarray(0, MAGIC.length))) return 'not a compressed segment of a journal';
  const version = fixed.readUInt32BE(8);
  if (version !== LAYOUT_VERSION) return `layout version ${version} of compressed segments is unknown`;
  const count = fixed.readUInt32BE(12);
  const unpacked = Number(fixed.readBigUInt64BE(16));
  if (unpacked > MOST_UNPACKED_BYTES || count !== blocksOf(unpacked)) {
    return `the header claims ${unpacked} bytes in ${count} blocks, which no segment has`;
  }
  const bytes = bufferOf(read(0, packedHeaderBytes(count)));
  const checked = packedHeaderBytes(count) - HASH_BYTES;
  const isWhole = hash('sha256', bytes.subarray(0, checked), 'buffer').equals(bytes.subarray(checked));
  if (!isWhole) return 'the checksum of the header does not match';
  const blocks = Array.from({ length: count }, (_, place) => readBlock(bytes, FIXED_BYTES + place * ENTRY_BYTES));
  return { unpacked, end: readHead(bytes, 24), blocks };
}

function readBlock(bytes: Buffer, at: number): Block {
  const offset = Number(bytes.readBigUInt64BE(at + 8));
  const first = offset === 0 ? undefined : { offset, before: readHead(bytes, at + 16) };
  return { bytes: bytes.readUInt32BE(at), crc: bytes.readUInt32BE(at + 4), first };
}

function writeHead(bytes: Buffer, at: number, { seq, hash }: Head): void {
  bytes.writeBigUInt64BE(BigInt(seq), at);
  bytes.write(hash, at + 8, 'hex');
}

function readHead(bytes: Buffer, at: number): Head {
  return { seq: Number(bytes.readBigUInt64BE(at)), hash: bytes.toString('hex', at + 8, at + 8 + HASH_BYTES) };
}
