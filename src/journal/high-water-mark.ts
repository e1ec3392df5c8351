/**
 * The high-water mark: the last acknowledged record, kept in a file outside the journal. A journal that ends before its
 * mark has lost history.
 */

import { hash } from 'node:crypto';
import { GENESIS } from './chain.ts';
import { type Disk, type DiskFile, readIfThere } from './disk/disk.ts';
import { replaceFile } from './disk/replace-file.ts';
import type { Head } from './journal.ts';

/** Each slot lies in a sector of its own, so that a torn write spoils one and not the other. */
const SLOT_BYTES = 512;
const MAGIC = 'SAUDAHW1';
const PAYLOAD_BYTES = 48;
const CONTENT_BYTES = PAYLOAD_BYTES + 32;

/**
 * A mark that is open for writing. Two checksummed slots lie in sectors of their own. One is written after each commit
 * and before its replies; once it is flushed, in the background, the other one is written next. A killed process loses
 * nothing of them. A power cut can only leave the mark before the end of the journal, which does no harm. Source:
 * reliability F13, rule 4.
 */
export class HighWaterMark {
  private readonly file: DiskFile;
  private readonly content = Buffer.alloc(CONTENT_BYTES);
  private slot: number;
  private unflushed = false;

  /** Opens the mark for writing. The file must exist: see `createMark`. */
  constructor(disk: Disk, path: string) {
    this.file = disk.open(path, 'write');
    this.slot = newestSlot(contentOf(this.file)) === 0 ? 1 : 0;
  }

  /** Notes a durable head. The slot that was flushed last is left alone. */
  advance(head: Head): void {
    encodeSlot(head, this.content);
    this.file.write(this.slot * SLOT_BYTES, this.content);
    this.unflushed = true;
  }

  flush(): void {
    if (!this.unflushed) return;
    this.file.flush();
    this.unflushed = false;
    this.slot = 1 - this.slot;
  }

  close(): void {
    this.flush();
    this.file.close();
  }
}

/** The content of a mark file: the newest good slot, and how many of the two slots are good. */
export interface MarkReading {
  readonly head: Head | undefined;
  readonly goodSlots: number;
}

/** Reads a mark; `undefined` when there is no file. */
export function readMark(disk: Disk, path: string): MarkReading | undefined {
  const bytes = markBytes(disk, path);
  if (bytes === undefined) return undefined;
  const slots = [0, 1].map((slot) => decodeSlot(bytes, slot)).filter((head) => head !== undefined);
  const newest = newestSlot(bytes);
  return { head: newest === undefined ? undefined : decodeSlot(bytes, newest), goodSlots: slots.length };
}

/** Writes a mark file with both slots at `head`, replacing what was there. */
export function createMark(disk: Disk, path: string, head: Head = GENESIS): void {
  const bytes = Buffer.alloc(SLOT_BYTES * 2);
  for (const start of [0, SLOT_BYTES]) encodeSlot(head, bytes.subarray(start, start + CONTENT_BYTES));
  replaceFile(disk, path, (file) => file.write(0, bytes));
}

function markBytes(disk: Disk, path: string): Buffer | undefined {
  return readIfThere(disk, path, contentOf);
}

function contentOf(file: DiskFile): Buffer {
  return Buffer.from(file.read(0, SLOT_BYTES * 2));
}

function newestSlot(bytes: Buffer): 0 | 1 | undefined {
  const first = decodeSlot(bytes, 0);
  const second = decodeSlot(bytes, 1);
  if (first === undefined) return second === undefined ? undefined : 1;
  return second !== undefined && second.seq > first.seq ? 1 : 0;
}

function encodeSlot(head: Head, slot: Buffer): void {
  slot.write(MAGIC, 0, 'latin1');
  slot.writeBigUInt64BE(BigInt(head.seq), 8);
  slot.write(head.hash, 16, 'hex');
  slot.write(digest(slot), PAYLOAD_BYTES, 'hex');
}

function decodeSlot(bytes: Buffer, index: number): Head | undefined {
  const slot = bytes.subarray(index * SLOT_BYTES, index * SLOT_BYTES + CONTENT_BYTES);
  if (slot.length < CONTENT_BYTES || slot.toString('latin1', 0, 8) !== MAGIC) return undefined;
  if (digest(slot) !== slot.toString('hex', PAYLOAD_BYTES)) return undefined;
  return { seq: Number(slot.readBigUInt64BE(8)), hash: slot.toString('hex', 16, PAYLOAD_BYTES) };
}

function digest(slot: Buffer): string {
  return hash('sha256', slot.subarray(0, PAYLOAD_BYTES));
}
