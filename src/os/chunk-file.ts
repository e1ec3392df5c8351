/**
 * The chunks of a log in a file that has lost its name: nothing of it outlives the process, and no start ever reads
 * what another process wrote. Its bytes follow from the journal and are made again by each recovery.
 */
import { close, mkdirSync, openSync, readdirSync, readSync, rmSync, unlinkSync, write, writeSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { assert, InvariantError, must } from '../base/assert.ts';
import { CHUNK_BYTES, type ChunkStore, type MakeStore } from '../base/logs/byte-log.ts';

/** The unit of reading and of checksums, in bytes. A chunk has a whole number of them. */
const BLOCK_BYTES = 4 * 1024;
const BLOCKS = CHUNK_BYTES / BLOCK_BYTES;

/** Chunks that the disk may owe at once: 1 MiB. One more is written before `put` returns. */
const MOST_OWED = 16;

/** Blocks of a file that stay in memory for the next read: 1 MiB. */
const MOST_CACHED = 256;

/** Reads and writes of one open file, as the functions of `node:fs`; tests put a disk that fails in their place. */
export interface FileCalls {
  readonly write: typeof write;
  readonly writeSync: (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;
  readonly readSync: (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;
}

const REAL_CALLS: FileCalls = { write, writeSync, readSync };

/**
 * Closes the file of a store that nothing can read any more, beside the loop: with the last of its names gone, the
 * system gives gigabytes back as it closes.
 */
const FORGOTTEN = new FinalizationRegistry<number>((file) => close(file, () => undefined));

let made = 0;

/**
 * Makes stores with files in a folder, which is made when it does not exist. A file comes with the first full chunk.
 * Names that a process left, which died between the making of a file and the removal of its name, are removed: nobody
 * else may be making files there.
 */
export function chunkFiles(folder: string, calls: FileCalls = REAL_CALLS): MakeStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  return chunkFilesBeside(folder, calls);
}

/** As `chunkFiles`, for a thread beside the one that owns the folder: it removes no name but its own. */
export function chunkFilesBeside(folder: string, calls: FileCalls = REAL_CALLS): MakeStore {
  return () => new ChunkFile(() => openNameless(folder), calls);
}

function openNameless(folder: string): number {
  made += 1;
  const path = join(folder, `rows-${process.pid}-${threadId}-${made}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

/**
 * Chunks in a file. The system writes them in the background; one that it could not write stays in memory and is tried
 * again with each later one, so a full disk costs memory and no answer. The checksum of each block is in memory, where
 * no fault of the disk reaches it.
 */
class ChunkFile implements ChunkStore {
  private readonly open: () => number;
  private readonly calls: FileCalls;
  private file: number | undefined;
  private count = 0;
  /** Four bytes for each block of the file. */
  private readonly sums: Uint32Array[] = [];
  /** Chunks that are not in the file yet, by their place. */
  private readonly owed = new Map<number, Uint8Array<ArrayBuffer>>();
  /** The chunks among these whose write failed, oldest first. */
  private readonly failed = new Set<number>();
  /** Blocks that were read, the one that was used last at the end. */
  private readonly cache = new Map<number, Uint8Array>();

  constructor(open: () => number, calls: FileCalls) {
    this.open = open;
    this.calls = calls;
  }

  put(chunk: Uint8Array<ArrayBuffer>): void {
    const place = this.count;
    this.count += 1;
    this.sums.push(sumsOf(chunk));
    this.owed.set(place, chunk);
    this.write(place, chunk);
    const [again] = this.failed;
    if (again === undefined || again === place) return;
    this.failed.delete(again);
    this.write(again, must(this.owed.get(again), 'a chunk that failed is owed'));
  }

  read(from: number, into: Uint8Array): void {
    for (let done = 0; done < into.length; ) {
      const place = from + done;
      const start = place % BLOCK_BYTES;
      const part = this.block(Math.floor(place / BLOCK_BYTES)).subarray(start, start + into.length - done);
      into.set(part, done);
      done += part.length;
    }
  }

  private write(place: number, chunk: Uint8Array<ArrayBuffer>): void {
    const file = this.opened();
    if (file === undefined) this.failed.add(place);
    else if (this.owed.size - this.failed.size > MOST_OWED) this.writeNow(file, place, chunk);
    else {
      this.calls.write(file, chunk, 0, CHUNK_BYTES, place * CHUNK_BYTES, (error, bytes) =>
        this.settle(place, error === null && bytes === CHUNK_BYTES),
      );
    }
  }

  private writeNow(file: number, place: number, chunk: Uint8Array): void {
    try {
      this.settle(place, this.calls.writeSync(file, chunk, 0, CHUNK_BYTES, place * CHUNK_BYTES) === CHUNK_BYTES);
    } catch {
      this.settle(place, false);
    }
  }

  private settle(place: number, isWritten: boolean): void {
    if (isWritten) this.owed.delete(place);
    else this.failed.add(place);
  }

  /** `undefined` while the disk lets no file be made. */
  private opened(): number | undefined {
    if (this.file !== undefined) return this.file;
    try {
      this.file = this.open();
    } catch {
      return undefined;
    }
    FORGOTTEN.register(this, this.file);
    return this.file;
  }

  private block(block: number): Uint8Array {
    const place = Math.floor(block / BLOCKS);
    assert(place < this.count, 'only bytes that were put are read');
    const inside = block % BLOCKS;
    const owed = this.owed.get(place);
    if (owed !== undefined) return owed.subarray(inside * BLOCK_BYTES, (inside + 1) * BLOCK_BYTES);
    const found = this.cache.get(block) ?? this.fromFile(block, (this.sums[place] as Uint32Array)[inside] as number);
    this.remember(block, found);
    return found;
  }

  private fromFile(block: number, sum: number): Uint8Array {
    const bytes = new Uint8Array(BLOCK_BYTES);
    const file = must(this.file, 'a chunk that is not owed is in the file');
    const read = this.calls.readSync(file, bytes, 0, BLOCK_BYTES, block * BLOCK_BYTES);
    if (read !== BLOCK_BYTES || crc32(bytes) !== sum) {
      throw new InvariantError(`block ${block} of a file of rows is not what was written`);
    }
    return bytes;
  }

  private remember(block: number, bytes: Uint8Array): void {
    this.cache.delete(block);
    this.cache.set(block, bytes);
    if (this.cache.size <= MOST_CACHED) return;
    const [oldest] = this.cache.keys();
    this.cache.delete(must(oldest, 'a full cache has an oldest block'));
  }
}

function sumsOf(chunk: Uint8Array): Uint32Array {
  const sums = new Uint32Array(BLOCKS);
  for (let block = 0; block < BLOCKS; block += 1) {
    sums[block] = crc32(chunk.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES));
  }
  return sums;
}
