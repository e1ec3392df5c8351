/**
 * A log of bytes that only grows, in chunks of one size. A chunk that is full goes to a store, which keeps it in memory
 * or elsewhere; the log holds the one that fills. The meaning of the bytes is their writer's.
 */
import { assert } from '../assert.ts';

/** In bytes. */
export const CHUNK_BYTES = 64 * 1024;

/** The full chunks of one log, in their order. */
export interface ChunkStore {
  /** Takes the next chunk, of `CHUNK_BYTES`. Its memory is the store's from then on. */
  put(chunk: Uint8Array<ArrayBuffer>): void;
  /**
   * Fills `into` with the bytes from a place on, all of which lie in chunks that were put. Throws `InvariantError` when
   * they are no longer those that were put.
   */
  read(from: number, into: Uint8Array): void;
}

/** Makes the store of one more log. */
export type MakeStore = () => ChunkStore;

/** Up to this many bytes are copied one by one: the copying of arrays takes longer to call than to do. */
const FEW_BYTES = 64;

export class ByteLog {
  private readonly store: ChunkStore;
  private chunk: Uint8Array<ArrayBuffer> | undefined;
  /** Where the chunk that fills begins. */
  private begin = 0;
  private end = 0;

  constructor(store: ChunkStore) {
    this.store = store;
  }

  /** Adds the first `length` bytes and returns the place of the first. */
  append(bytes: Uint8Array, length = bytes.length): number {
    const place = this.end;
    for (let done = 0; done < length; ) {
      const chunk = this.chunk ?? new Uint8Array(CHUNK_BYTES);
      this.chunk = chunk;
      const inside = this.end - this.begin;
      const part = Math.min(length - done, CHUNK_BYTES - inside);
      copy(bytes, done, part, chunk, inside);
      this.end += part;
      done += part;
      if (inside + part === CHUNK_BYTES) this.pass(chunk);
    }
    return place;
  }

  /** Fills `into` with the bytes from a place on. They must have been appended. */
  read(from: number, into: Uint8Array): void {
    assert(from >= 0 && from + into.length <= this.end, 'only bytes that were appended are read');
    const stored = Math.min(into.length, Math.max(0, this.begin - from));
    if (stored > 0) this.store.read(from, stored === into.length ? into : into.subarray(0, stored));
    if (stored === into.length || this.chunk === undefined) return;
    const start = from + stored - this.begin;
    into.set(this.chunk.subarray(start, start + into.length - stored), stored);
  }

  private pass(chunk: Uint8Array<ArrayBuffer>): void {
    this.store.put(chunk);
    this.begin = this.end;
    this.chunk = undefined;
  }
}

/** Copies a number of bytes from a place of one array to a place of another. */
function copy(from: Uint8Array, start: number, count: number, to: Uint8Array, place: number): void {
  if (count > FEW_BYTES) to.set(from.subarray(start, start + count), place);
  else for (let at = 0; at < count; at += 1) to[place + at] = from[start + at] as number;
}

/** Keeps the chunks in memory. */
class MemoryChunks implements ChunkStore {
  private readonly chunks: Uint8Array[] = [];

  put(chunk: Uint8Array<ArrayBuffer>): void {
    this.chunks.push(chunk);
  }

  read(from: number, into: Uint8Array): void {
    for (let done = 0; done < into.length; ) {
      const place = from + done;
      const chunk = this.chunks[Math.floor(place / CHUNK_BYTES)];
      assert(chunk !== undefined, 'only bytes that were put are read');
      const start = place % CHUNK_BYTES;
      const part = chunk.subarray(start, start + into.length - done);
      into.set(part, done);
      done += part.length;
    }
  }
}

/** For logs that stay in memory. */
export const inMemory: MakeStore = () => new MemoryChunks();
