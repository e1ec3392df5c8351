/**
 * A log of rows of numbers over the chunks of a store, as `byte-log.ts` is one of bytes. The meaning of the numbers is
 * their writer's.
 */
import { assert } from '../assert.ts';
import { CHUNK_BYTES, type ChunkStore } from './byte-log.ts';

/**
 * Rows of as many numbers each, one after the other in the chunks of a store. A row lies whole in a chunk, and is
 * copied number by number: a fold that called the copying of arrays for each row would spend its time on the calls.
 */
export class RowLog {
  private readonly width: number;
  private readonly store: ChunkStore;
  private readonly rowsOfChunk: number;
  /** The chunk that fills. */
  private chunk: Float64Array<ArrayBuffer> | undefined;
  private count = 0;
  /** The first row of the chunk that fills. */
  private first = 0;
  /** A row of an earlier chunk, as numbers and as bytes. */
  private readonly found: Float64Array<ArrayBuffer>;
  private readonly foundBytes: Uint8Array<ArrayBuffer>;

  constructor(width: number, store: ChunkStore) {
    this.width = width;
    this.store = store;
    this.found = new Float64Array(width);
    this.foundBytes = new Uint8Array(this.found.buffer);
    this.rowsOfChunk = Math.floor(CHUNK_BYTES / this.foundBytes.length);
  }

  /** How many rows there are, and the next one. */
  get size(): number {
    return this.count;
  }

  /** Adds the numbers of `from` that begin at `start`. */
  append(from: Float64Array, start: number): void {
    const { width, count } = this;
    const chunk = this.chunk ?? new Float64Array(CHUNK_BYTES / Float64Array.BYTES_PER_ELEMENT);
    this.chunk = chunk;
    const place = (count - this.first) * width;
    for (let at = 0; at < width; at += 1) chunk[place + at] = from[start + at] as number;
    this.count = count + 1;
    if (this.count - this.first === this.rowsOfChunk) this.pass(chunk);
  }

  /** Copies a row that was appended into `into`, from `start` on. */
  read(row: number, into: Float64Array, start: number): void {
    assert(row >= 0 && row < this.count, 'only rows that were appended are read');
    const { width, first, chunk } = this;
    if (row < first || chunk === undefined) return this.readStored(row, into, start);
    const place = (row - first) * width;
    for (let at = 0; at < width; at += 1) into[start + at] = chunk[place + at] as number;
  }

  private readStored(row: number, into: Float64Array, start: number): void {
    const { width, found, foundBytes, rowsOfChunk } = this;
    const place = Math.floor(row / rowsOfChunk) * CHUNK_BYTES + (row % rowsOfChunk) * foundBytes.length;
    this.store.read(place, foundBytes);
    for (let at = 0; at < width; at += 1) into[start + at] = found[at] as number;
  }

  private pass(chunk: Float64Array<ArrayBuffer>): void {
    this.store.put(new Uint8Array(chunk.buffer));
    this.first = this.count;
    this.chunk = undefined;
  }
}
