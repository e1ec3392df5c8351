/**
 * One tape of a data folder: a file that begins with the days of its instruments, each a few kilobytes that are read at
 * once, and ends with an index of them. Each day has a checksum, the index has a digest.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { isJsonObject, jsonOf } from '../../base/json.ts';
import type { IstDay } from '../../base/time.ts';
import type {
  RecordedCandleDay,
  RecordedDay,
  RecordedKind,
  RecordedName,
} from '../../market/recorded/recorded-days.ts';
import { DraftFile } from '../../os/draft-file.ts';
import { dayBytes, dayOfBytes, rowsOf, type StoredDay } from './day-bytes.ts';

const MAGIC = Buffer.from('SAUDATP1', 'latin1');
/** Place and length of the index, its digest, and the magic again. */
const TRAILER_BYTES = 8 + 8 + 32 + MAGIC.length;
const VERSION = 1;
/** The ending of a tape's name; its digest stands before it. */
export const TAPE_ENDING = '.tape';

/** A tape is missing, or is not what it was. */
export class TapeStoreError extends Error {
  override readonly name = 'TapeStoreError';
}

/** The file that a tape was imported from. */
export interface TapeSource {
  /** Its name without folders. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of it, in hexadecimal. */
  readonly digest: string;
  /** The form that it had, in words. */
  readonly form: string;
}

/** A day in a tape: its place, its length, its rows and its checksum. */
type DayEntry = readonly [day: number, offset: number, bytes: number, rows: number, checksum: number];

/** The days of one instrument of a tape, in order. */
export interface TapedInstrument extends RecordedName {
  readonly kind: RecordedKind;
  readonly span: RecordedCandleDay['span'];
  readonly days: readonly DayEntry[];
}

interface TapeIndex {
  readonly version: typeof VERSION;
  readonly source: TapeSource;
  readonly instruments: readonly TapedInstrument[];
}

/** Writes a tape; it is there whole when it is placed, and not at all before. */
export class TapeDraft {
  private readonly file: DraftFile;
  private readonly instruments = new Map<RecordedName, DayEntry[]>();
  private readonly kinds = new Map<RecordedName, RecordedKind>();

  constructor(path: string) {
    this.file = new DraftFile(path);
    this.file.append(MAGIC);
  }

  /** Adds a day; an instrument is known by its object. */
  add(name: RecordedName, day: StoredDay): void {
    const bytes = dayBytes(day);
    const days = this.instruments.get(name) ?? [];
    days.push([day.day, this.file.size, bytes.length, rowsOf(day), crc32(bytes)]);
    this.instruments.set(name, days);
    this.kinds.set(name, day.kind);
    this.file.append(bytes);
  }

  /** Writes the index, and flushes all of it. `spanOf` gives the span of the candles of an instrument. */
  seal(source: TapeSource, spanOf: (name: RecordedName) => RecordedCandleDay['span']): readonly TapedInstrument[] {
    const instruments = [...this.instruments].map(([name, days]) => ({
      exchange: name.exchange,
      symbol: name.symbol,
      kind: this.kinds.get(name) as RecordedKind,
      span: spanOf(name),
      days: days.sort(([a], [b]) => a - b),
    }));
    instruments.sort(byName);
    const content: TapeIndex = { version: VERSION, source, instruments };
    const index = Buffer.from(JSON.stringify(content), 'utf8');
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeDoubleLE(this.file.size, 0);
    trailer.writeDoubleLE(index.length, 8);
    createHash('sha256').update(index).digest().copy(trailer, 16);
    MAGIC.copy(trailer, 48);
    this.file.append(index);
    this.file.append(trailer);
    this.file.seal();
    return instruments;
  }

  place(): void {
    this.file.place();
  }

  discard(): void {
    this.file.discard();
  }
}

/** A tape that stands in its place. */
export class TapeFile {
  readonly path: string;
  readonly source: TapeSource;
  readonly instruments: readonly TapedInstrument[];

  /** Reads the index. Throws `TapeStoreError`. */
  constructor(path: string) {
    this.path = path;
    const { source, instruments } = readIndex(path);
    this.source = source;
    this.instruments = instruments;
  }

  get rows(): number {
    return this.instruments.reduce((sum, { days }) => sum + days.reduce((rows, day) => rows + day[3], 0), 0);
  }

  /** A day of an instrument of this tape: one read. Throws `TapeStoreError`. */
  day({ span, symbol }: TapedInstrument, [day, offset, length, , checksum]: DayEntry): RecordedDay {
    const bytes = Buffer.alloc(length);
    const read = withFile(this.path, (file) => readSync(file, bytes, 0, length, offset));
    if (read !== length || crc32(bytes) !== checksum) throw damaged(this.path, `a day of ${symbol}`);
    return dayOfBytes(bytes, day as IstDay, span);
  }

  /** Reads every day. Throws `TapeStoreError` for the first that is not as it was written. */
  check(): void {
    for (const instrument of this.instruments) for (const day of instrument.days) this.day(instrument, day);
  }
}

function readIndex(path: string): TapeIndex {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    const trailer = readAt(file, size - TRAILER_BYTES, TRAILER_BYTES);
    const isTape = size >= MAGIC.length + TRAILER_BYTES && trailer.subarray(48).equals(MAGIC);
    const [offset, length] = isTape ? [trailer.readDoubleLE(0), trailer.readDoubleLE(8)] : [0, 0];
    if (!isTape || offset + length !== size - TRAILER_BYTES) throw damaged(path, 'its end');
    const text = readAt(file, offset, length);
    if (!createHash('sha256').update(text).digest().equals(trailer.subarray(16, 48))) throw damaged(path, 'its index');
    const index = jsonOf(text.toString('utf8'));
    if (!isJsonObject(index) || index.version !== VERSION) {
      throw new TapeStoreError(`the tape ${path} was written by another version: remove it and import it again`);
    }
    return index as unknown as TapeIndex;
  });
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, length));
  if (offset >= 0) readSync(file, bytes, 0, bytes.length, offset);
  return bytes;
}

function withFile<T>(path: string, work: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

function damaged(path: string, what: string): TapeStoreError {
  const name = basename(path);
  return new TapeStoreError(`the tape ${path} is damaged: ${what} is not as it was written. Restore ${name}.`);
}

/** In the order of exchanges and symbols. */
function byName(a: RecordedName, b: RecordedName): number {
  if (a.exchange !== b.exchange) return a.exchange < b.exchange ? -1 : 1;
  return a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0;
}
