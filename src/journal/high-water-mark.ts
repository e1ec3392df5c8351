import { hash } from 'node:crypto';
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { writeDurably } from '../durable-file.ts';
import { GENESIS } from './chain.ts';
import type { Head } from './journal.ts';

/** Each slot lies in a sector of its own, so that a torn write spoils one and not the other. */
const SLOT_BYTES = 512;
const MAGIC = 'SAUDAHW1';
const PAYLOAD_BYTES = 48;

/**
 * What was acknowledged last, kept outside the journal: a journal that ends before it has lost history. Two checksummed
 * slots are written in turn, after the commit and before the reply. They are flushed to the disk in the background:
 * a killed process loses nothing of them, and a power cut can only leave the mark behind the journal, which is no harm.
 * Source: reliability F13, rule 4.
 */
export class HighWaterMark {
  private readonly file: number;
  private slot: number;
  private unflushed = false;

  /** Opens the mark for writing. The file must exist: see `createMark`. */
  constructor(path: string) {
    this.slot = newestSlot(readFileSync(path)) ?? 0;
    this.file = openSync(path, 'r+');
  }

  /** Notes a durable head. The older of the two slots is overwritten. */
  advance(head: Head): void {
    this.slot = 1 - this.slot;
    writeSync(this.file, encodeSlot(head), 0, PAYLOAD_BYTES + 32, this.slot * SLOT_BYTES);
    this.unflushed = true;
  }

  flush(): void {
    if (this.unflushed) fdatasyncSync(this.file);
    this.unflushed = false;
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }
}

/** What a mark file says: the newest good slot, and how many of the two slots are good. */
export interface MarkReading {
  readonly head: Head | undefined;
  readonly goodSlots: number;
}

/** Reads a mark; `undefined` when there is no file. */
export function readMark(path: string): MarkReading | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const slots = [0, 1].map((slot) => decodeSlot(bytes, slot)).filter((head) => head !== undefined);
  const newest = newestSlot(bytes);
  return { head: newest === undefined ? undefined : decodeSlot(bytes, newest), goodSlots: slots.length };
}

/** Writes a mark file with both slots at `head`, replacing what was there. */
export function createMark(path: string, head: Head = GENESIS): void {
  const bytes = Buffer.alloc(SLOT_BYTES * 2);
  encodeSlot(head).copy(bytes, 0);
  encodeSlot(head).copy(bytes, SLOT_BYTES);
  writeDurably(path, bytes);
}

function newestSlot(bytes: Buffer): 0 | 1 | undefined {
  const first = decodeSlot(bytes, 0);
  const second = decodeSlot(bytes, 1);
  if (first === undefined) return second === undefined ? undefined : 1;
  return second !== undefined && second.seq > first.seq ? 1 : 0;
}

function encodeSlot(head: Head): Buffer {
  const slot = Buffer.alloc(PAYLOAD_BYTES + 32);
  slot.write(MAGIC, 0, 'latin1');
  slot.writeBigUInt64BE(BigInt(head.seq), 8);
  slot.write(head.hash, 16, 'hex');
  digest(slot).copy(slot, PAYLOAD_BYTES);
  return slot;
}

function decodeSlot(bytes: Buffer, index: number): Head | undefined {
  const slot = bytes.subarray(index * SLOT_BYTES, index * SLOT_BYTES + PAYLOAD_BYTES + 32);
  if (slot.length < PAYLOAD_BYTES + 32 || slot.toString('latin1', 0, 8) !== MAGIC) return undefined;
  if (!digest(slot).equals(slot.subarray(PAYLOAD_BYTES))) return undefined;
  return { seq: Number(slot.readBigUInt64BE(8)), hash: slot.toString('hex', 16, PAYLOAD_BYTES) };
}

function digest(slot: Buffer): Buffer {
  return hash('sha256', slot.subarray(0, PAYLOAD_BYTES), 'buffer');
}
