/**
 * The bytes of a segment file: a header of one sector, then frames, each a group, then zeros. A frame begins and ends
 * at a sector, so no write touches a sector that holds something durable. Every byte is covered by a check: the header
 * by its checksum, the body and the numbers by the chain hash, and the fill of a sector by being zero.
 */

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert } from '../../base/assert.ts';
import type { Group, Head } from '../journal.ts';

/** The unit that a disk writes whole or not at all. Source: reliability F05. */
export const SECTOR_BYTES = 512;
/** The version of this layout. A file of any other is refused. */
const LAYOUT_VERSION = 1;

/** Bytes that no text in UTF-8 has, so no body can look like the beginning of anything. */
const SEGMENT_MAGIC = Buffer.from('\xffSAUDAJS', 'latin1');
const FRAME_MAGIC = Buffer.from('\xffSAUDAJG', 'latin1');
const END_MARK = Buffer.from('\xffSAUDAJE', 'latin1');

/**
 * Segment header: magic 8, layout version 4, zeros 4, first sequence number 8, chain hash before it 32, SHA-256 of all
 * that 32, zeros.
 */
const SEGMENT_CHECKED_BYTES = 56;

/**
 * Frame: magic 8, bytes of the body 4, checksum of the header 4, then the chained part, then zeros, hash 32, end mark
 * 8.
 */
const BODY_LENGTH_AT = 8;
const HEADER_CHECK_AT = 12;
/**
 * From here on to the end of the body: hash before 32, record version 4, first sequence number 8, count 4, body. As
 * `chainHash` has it.
 */
const CHAINED_AT = 16;
const VERSION_AT = 48;
const FIRST_SEQ_AT = 52;
const COUNT_AT = 60;
export const FRAME_HEADER_BYTES = 64;
const HASH_BYTES = 32;
export const FRAME_TRAILER_BYTES = HASH_BYTES + END_MARK.length;

const SEGMENT_NAME = /^segment-(\d{16})(?:\.zst)?$/;
/** Follows the name of a segment that is compressed. */
const PACKED = '.zst';

/** The name of the segment whose first record is `firstSeq`. */
export function segmentName(firstSeq: number): string {
  return `segment-${String(firstSeq).padStart(16, '0')}`;
}

/** The name or path of a segment when it is compressed. */
export function packedName(name: string): string {
  return `${name}${PACKED}`;
}

/**
 * The first sequence number of a segment, compressed or not, by its name; `undefined` for the name of anything else.
 */
export function segmentSeq(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The header of a segment that continues after `before`. */
export function segmentHeader(before: Head): Uint8Array {
  const bytes = Buffer.alloc(SECTOR_BYTES);
  SEGMENT_MAGIC.copy(bytes);
  bytes.writeUInt32BE(LAYOUT_VERSION, 8);
  bytes.writeBigUInt64BE(BigInt(before.seq + 1), 16);
  bytes.write(before.hash, 24, 'hex');
  segmentCheck(bytes).copy(bytes, SEGMENT_CHECKED_BYTES);
  return bytes;
}

/** The head that a segment continues from, or the fault of its header. */
export function readSegmentHeader(sector: Uint8Array): Head | string {
  const bytes = bufferOf(sector);
  if (bytes.length < SECTOR_BYTES) return 'the file ends in its header';
  if (!SEGMENT_MAGIC.equals(bytes.subarray(0, SEGMENT_MAGIC.length))) return 'not a segment of a journal';
  const checked = SEGMENT_CHECKED_BYTES + HASH_BYTES;
  if (!segmentCheck(bytes).equals(bytes.subarray(SEGMENT_CHECKED_BYTES, checked))) {
    return "the checksum of the segment's header does not match";
  }
  const version = bytes.readUInt32BE(8);
  if (version !== LAYOUT_VERSION) {
    return `journal layout version ${version} is unknown: this program reads version ${LAYOUT_VERSION}`;
  }
  if (!isZero(bytes.subarray(12, 16)) || !isZero(bytes.subarray(checked)))
    return "the segment's header is not filled up with zeros";
  return { seq: Number(bytes.readBigUInt64BE(16)) - 1, hash: bytes.toString('hex', 24, SEGMENT_CHECKED_BYTES) };
}

function segmentCheck(bytes: Buffer): Buffer {
  return hash('sha256', bytes.subarray(0, SEGMENT_CHECKED_BYTES), 'buffer');
}

/** The fields of a frame's header. */
export interface FrameHeader {
  readonly version: number;
  readonly firstSeq: number;
  readonly count: number;
  /** The chain hash before the group, in hex. */
  readonly previous: string;
  readonly bodyBytes: number;
  /** From the first byte to the last, whole sectors. */
  readonly frameBytes: number;
}

/** How many bytes the frame of a body takes. */
export function frameBytesOf(bodyBytes: number): number {
  const bytes = FRAME_HEADER_BYTES + bodyBytes + FRAME_TRAILER_BYTES;
  return Math.ceil(bytes / SECTOR_BYTES) * SECTOR_BYTES;
}

/**
 * The frame of a group, whole but for its place in the chain: see `sealFrame`. It is put into the bytes that `roomFor`
 * gives, and fills them.
 */
export function openFrame(group: Group, roomFor: (bytes: number) => Uint8Array = ownBytes): Uint8Array {
  const { body } = group;
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  assert(bodyBytes <= MOST_BODY_BYTES, 'a group fits into a frame');
  const frame = roomFor(frameBytesOf(bodyBytes));
  const bytes = bufferOf(frame);
  bytes.fill(0, FRAME_HEADER_BYTES + bodyBytes);
  FRAME_MAGIC.copy(bytes);
  bytes.writeUInt32BE(bodyBytes, BODY_LENGTH_AT);
  bytes.writeUInt32BE(group.version, VERSION_AT);
  bytes.writeBigUInt64BE(BigInt(group.firstSeq), FIRST_SEQ_AT);
  bytes.writeUInt32BE(group.count, COUNT_AT);
  if (typeof body === 'string') bytes.write(body, FRAME_HEADER_BYTES, 'utf8');
  else bytes.set(body, FRAME_HEADER_BYTES);
  END_MARK.copy(bytes, bytes.length - END_MARK.length);
  return frame;
}

function ownBytes(bytes: number): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * Puts an open frame into the chain after `previous` and returns the head that it makes. A frame that is sealed can be
 * sealed again.
 */
export function sealFrame(frame: Uint8Array, previous: Head): Head {
  const bytes = bufferOf(frame);
  bytes.write(previous.hash, CHAINED_AT, 'hex');
  bytes.writeUInt32BE(headerCheck(bytes), HEADER_CHECK_AT);
  const hash = frameHash(bytes);
  bytes.write(hash, bytes.length - FRAME_TRAILER_BYTES, 'hex');
  const firstSeq = Number(bytes.readBigUInt64BE(FIRST_SEQ_AT));
  return { seq: firstSeq + bytes.readUInt32BE(COUNT_AT) - 1, hash };
}

/**
 * The header at the beginning of `bytes`; `undefined` when these are not a frame's first bytes, or a bit of them has
 * changed.
 */
export function readFrameHeader(sector: Uint8Array): FrameHeader | undefined {
  const bytes = bufferOf(sector);
  if (bytes.length < FRAME_HEADER_BYTES || !FRAME_MAGIC.equals(bytes.subarray(0, FRAME_MAGIC.length))) return undefined;
  if (bytes.readUInt32BE(HEADER_CHECK_AT) !== headerCheck(bytes)) return undefined;
  const bodyBytes = bytes.readUInt32BE(BODY_LENGTH_AT);
  return {
    version: bytes.readUInt32BE(VERSION_AT),
    firstSeq: Number(bytes.readBigUInt64BE(FIRST_SEQ_AT)),
    count: bytes.readUInt32BE(COUNT_AT),
    previous: bytes.toString('hex', CHAINED_AT, VERSION_AT),
    bodyBytes,
    frameBytes: frameBytesOf(bodyBytes),
  };
}

/** The chain hash in the last bytes of a frame, in hex. `undefined` when they are not a frame's end. */
export function readFrameHash(trailer: Uint8Array): string | undefined {
  const bytes = bufferOf(trailer);
  return END_MARK.equals(bytes.subarray(HASH_BYTES)) ? bytes.toString('hex', 0, HASH_BYTES) : undefined;
}

/** True when every byte of a whole frame is as it was written: header, fill, end mark and hash. */
export function isWholeFrame(frame: Uint8Array): boolean {
  const bytes = bufferOf(frame);
  const header = readFrameHeader(bytes);
  if (header === undefined || header.frameBytes !== bytes.length) return false;
  const trailer = bytes.length - FRAME_TRAILER_BYTES;
  if (!isZero(bytes.subarray(FRAME_HEADER_BYTES + header.bodyBytes, trailer))) return false;
  return readFrameHash(bytes.subarray(trailer)) === frameHash(bytes);
}

/**
 * True when a broken frame may come from a write that was cut short: the end of some sector is missing, so it is still
 * zero. A record's text has no zero byte, nor has the end mark.
 */
export function isTornFrame(frame: Uint8Array, { bodyBytes }: FrameHeader): boolean {
  const bodyEnd = FRAME_HEADER_BYTES + bodyBytes;
  for (let end = SECTOR_BYTES; end < frame.length && end - SECTOR_BYTES < bodyEnd; end += SECTOR_BYTES) {
    if (frame[Math.min(end, bodyEnd) - 1] === 0) return true;
  }
  return frame[frame.length - 1] === 0;
}

/** True when every byte is 0. */
export function isZero(bytes: Uint8Array): boolean {
  let at = 0;
  for (; at + ZEROS.length <= bytes.length; at += ZEROS.length) {
    if (!ZEROS.equals(bytes.subarray(at, at + ZEROS.length))) return false;
  }
  for (; at < bytes.length; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

const ZEROS = Buffer.alloc(SECTOR_BYTES);
/** A group beyond this would not be one of an engine whose queues are bounded. */
const MOST_BODY_BYTES = 1 << 30;
export const MOST_FRAME_BYTES = frameBytesOf(MOST_BODY_BYTES);

function headerCheck(bytes: Buffer): number {
  return crc32(bytes.subarray(CHAINED_AT, FRAME_HEADER_BYTES), crc32(bytes.subarray(0, HEADER_CHECK_AT)));
}

function frameHash(bytes: Buffer): string {
  const end = FRAME_HEADER_BYTES + bytes.readUInt32BE(BODY_LENGTH_AT);
  return hash('sha256', bytes.subarray(CHAINED_AT, end));
}

/** The same bytes as a `Buffer`, without a copy. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
